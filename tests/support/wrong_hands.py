"""Swaps, captures and counts that a hand does wrong, as `wrong_boards` makes the others."""

from collections.abc import Iterator
from itertools import combinations

from tests.support.tabletop import NUMBERS, VALUES, Tabletop, WrongBoard
from tock_rules import CAMP, Seat

IN_THE_AIR = -2


def _swap(
    table: Tabletop, thing: str, mine: int, other: tuple[Seat, int], off: tuple[int, int]
) -> WrongBoard | None:
    """A swap by hand in which the pawns stand `off` holes beside."""
    seat, cell = other
    put = table.ahead(cell, off[0]) if off[0] else cell, table.ahead(mine, off[1]) if off[1] else mine
    if any(
        place != end and table.owner(place) is not None for place, end in zip(put, (cell, mine), strict=True)
    ):
        return None
    return table.wrong_board(
        "JD", thing, (table.me, mine, IN_THE_AIR), (seat, cell, put[1]), (table.me, IN_THE_AIR, put[0])
    )


def swapped_beside(table: Tabletop) -> WrongBoard | None:
    """A swap of which one pawn, or both, stand beside the other's hole."""
    off = table.rng.choice([(1, 0), (0, -1), (0, 2), (1, -1), (-2, 1)])
    for mine in table.walkers(table.me):
        for seat in table.opponents():
            for cell in table.walkers(seat):
                if not table.protected(cell) and not table.protected(mine):
                    return _swap(table, "jack", mine, (seat, cell), off)
    return None


def swapped_home(table: Tabletop) -> WrongBoard | None:
    """A swap with a pawn in its home."""
    for mine in table.walkers(table.me):
        for seat in table.opponents():
            for cell in (table.shape.home(seat, level) for level in range(1, 5)):
                if table.owner(cell) is seat:
                    return _swap(table, "home_untouchable jack_camp", mine, (seat, cell), (0, 0))
    return None


def swapped_others(table: Tabletop) -> WrongBoard | None:
    """A swap of two pawns of others."""
    free = [
        (seat, cell)
        for seat in table.opponents()
        for cell in table.walkers(seat)
        if not table.protected(cell)
    ]
    for one, other in combinations(free, 2):
        if one[0] is not other[0] and not {one[0], other[0]} & set(table.position.played_seats()):
            moves = (one[0], one[1], IN_THE_AIR), (other[0], other[1], one[1]), (one[0], IN_THE_AIR, other[1])
            return table.wrong_board("JD", "jack_others", *moves)
    return None


def _captures(table: Tabletop, off: int) -> Iterator[tuple[str, int, int]]:
    """Card, cell and taken cell of captures that a card misses by `off` holes."""
    for cell in table.walkers(table.me):
        for card in NUMBERS:
            target = table.ahead(cell, VALUES[card] + off)
            is_free = table.owner(target) in table.opponents() and not table.protected(target)
            if (
                is_free
                and table.clear(cell, VALUES[card] + off - 1)
                and table.short_of_home(table.me, cell, 14)
            ):
                yield card, cell, target


def captured_wrong(table: Tabletop) -> WrongBoard | None:
    """A pawn taken with one hole too many or too few."""
    found = list(_captures(table, table.rng.choice([-1, 1])))
    card, cell, target = table.rng.choice(found) if found else ("", 0, 0)
    return table.wrong_board(card, "value", (table.me, cell, target)) if found else None


def captured_beside(table: Tabletop) -> WrongBoard | None:
    """A pawn sent home that nobody has come to."""
    for seat in table.opponents():
        for taken in table.walkers(seat):
            for cell in table.walkers(table.me):
                card = table.rng.choice(NUMBERS)
                if table.clear(cell, VALUES[card]) and table.short_of_home(table.me, cell, VALUES[card]):
                    walk = (table.me, cell, table.ahead(cell, VALUES[card]))
                    return table.wrong_board(card, "no_capture", walk, (seat, taken, CAMP))
    return None


def landed_own(table: Tabletop) -> WrongBoard | None:
    """A pawn put onto a protected one of the same seat."""
    for cell in table.walkers(table.me):
        for card in NUMBERS:
            target = table.ahead(cell, VALUES[card])
            stands = table.owner(target) is table.me and table.protected(target)
            if (
                stands
                and table.clear(cell, VALUES[card] - 1)
                and table.short_of_home(table.me, cell, VALUES[card])
            ):
                thing = "protected_fresh" if table.board.is_fresh(target) else "protected_taken"
                return table.wrong_board(card, thing, (table.me, cell, target))
    return None


def four_counted_wrong(table: Tabletop) -> WrongBoard | None:
    """A four walked backwards, too far or not far enough."""
    steps = table.rng.choice([-2, -5, -6])
    for cell in table.walkers(table.me):
        if table.clear(cell, -6):
            return table.wrong_board("4H", "four", (table.me, cell, table.ahead(cell, steps)))
    return None


HANDS = (
    swapped_beside, swapped_home, swapped_others, captured_wrong, captured_beside, landed_own, four_counted_wrong,
)  # fmt: skip
