"""The chair of each person when the chairs of the table change: pure, without clock or disk.

A person is a name at this table, a device a cookie, a chair a seat of the present game. `Seating.holders` alone says
who sits where, `People` alone changes it, and everybody there has a chair of the present game.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from tock_companion.names import skeleton
from tock_rules import Seat

Places = Mapping[Seat, Seat | None]
"""Where people go, by their present seats; None for onlookers."""


def places_on(
    chairs: Collection[Seat], people: Mapping[Seat, str], known: Mapping[Seat, str] | None = None
) -> Places:
    """A chair for everybody, longest sitting first: that of their name, else in their order round the table.

    `known` are the names of the chairs, as a kept game has them. As few as possible change their chair.
    """
    named = {skeleton(name): seat for seat, name in (known or {}).items() if name and seat in chairs}
    by_name = {seat: named[skeleton(name)] for seat, name in people.items() if skeleton(name) in named}
    others = [seat for seat in people if seat not in by_name]
    free = sorted({*chairs} - {*by_name.values()})
    seated = sorted(others[: len(free)])
    nearest = min(_in_order(seated, free), key=lambda places: _cost(places, free))
    return {**dict.fromkeys(people), **by_name, **nearest}


def _in_order(seated: Sequence[Seat], free: Sequence[Seat]) -> Iterator[dict[Seat, Seat]]:
    """All ways to seat people on free chairs in their order round the table."""
    for chosen in combinations(free, len(seated)):
        for first in range(max(1, len(chosen))):
            yield dict(zip(seated, (*chosen[first:], *chosen[:first]), strict=True))


def _cost(places: Mapping[Seat, Seat], free: Sequence[Seat]) -> tuple[int, int]:
    """The number of those who change their chair, then how unevenly all sit."""
    at = sorted(free.index(chair) for chair in places.values())
    gaps = [(after - before) % len(free) for before, after in zip(at, (*at[1:], *at[:1]), strict=True)]
    return sum(seat is not chair for seat, chair in places.items()), sum(gap * gap for gap in gaps)
