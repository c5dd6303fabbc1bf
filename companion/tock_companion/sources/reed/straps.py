"""Sector boards that were plugged in another order than the board file has them, told by their straps."""

from tock_companion.boardfile.wiring import Spare, spare_input, straps_of


def straps_read(bitmap: int, boards: int) -> tuple[tuple[bool, bool], ...]:
    """Return the two straps of each sector board in a bitmap of closed inputs, nearest board first."""
    return tuple(
        (
            bool(bitmap >> spare_input(place, Spare.STRAP_1) & 1),
            bool(bitmap >> spare_input(place, Spare.STRAP_2) & 1),
        )
        for place in range(boards)
    )


def strange(bitmap: int, boards: int) -> int | None:
    """Return the first place whose straps are not those of its zone, None when all are right."""
    pairs = enumerate(straps_read(bitmap, boards))
    return next((place for place, straps in pairs if straps != straps_of(place)), None)


def exchanged(bitmap: int, boards: int) -> int | None:
    """Return the first place that holds a sector board of another, None when all hold their own.

    The straps count modulo four. Boards were exchanged when every number is there, only not in its place; where a
    number is missing a strap was forgotten, and nothing is known of the order.
    """
    expected = [straps_of(place) for place in range(boards)]
    found = straps_read(bitmap, boards)
    return strange(bitmap, boards) if sorted(found) == sorted(expected) else None
