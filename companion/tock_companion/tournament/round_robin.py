"""Everybody against everybody, two at a table: the circle method."""

from collections.abc import Sequence

Pairs = tuple[tuple[int, ...], ...]


def circle_round(everybody: Sequence[int], number: int) -> tuple[Pairs, tuple[int, ...]]:
    """The pairs of a round (from 1), and who sits out: one stays, the others turn by one place each round."""
    places: list[int | None] = [*everybody, *([None] if len(everybody) % 2 else [])]
    turn = (number - 1) % (len(places) - 1)
    turning = places[1:]
    ring = [places[0], *turning[turn:], *turning[:turn]]
    facing = list(zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True))
    pairs = tuple((one, other) for one, other in facing if one is not None and other is not None)
    out = tuple(place for pair in facing if None in pair for place in pair if place is not None)
    return pairs, out
