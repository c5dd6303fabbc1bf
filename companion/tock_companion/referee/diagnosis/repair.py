"""The shortest list of pawn movements that turns what stands on the table into a given board.

Take every hole that is wrong as an arrow from the seat whose pawn is in it to the seat whose pawn belongs
there, with "nobody" as
one more seat. Every seat has as many arrows out as in, so each connected group of arrows can be walked in
one round trip. A group
that edges "nobody" has an empty hole to begin with and needs one movement per pawn to be placed; any other
group is a circle of
full holes, and one pawn of it must first step aside.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tock_companion.rules import Board, Seat, Setup

CAMP = "camp"
OFF = "off"
"""Beside the board: where a missing pawn is, and where one too many goes."""


@dataclass(frozen=True, slots=True)
class Step:
    """One pawn put from one place to another: board-file hole ids, `camp`, or `off` for beside the board."""

    seat: Seat
    from_hole: str
    to_hole: str

    def to_json(self) -> dict[str, str]:
        """Return the contract's form, holes in the notation of moves."""
        return {"seat": self.seat.name, "from": self._short(self.from_hole), "to": self._short(self.to_hole)}

    def _short(self, hole: str) -> str:
        own = f"{self.seat.name}-H"
        return hole.removeprefix(f"{self.seat.name}-") if hole.startswith(own) else hole


@dataclass(frozen=True, slots=True)
class _Arrow:
    """A wrong hole: who is in it and who belongs there (None: nobody)."""

    hole: str
    has: Seat | None
    needs: Seat | None


def plan(current: Setup, goal: Board) -> tuple[Step, ...]:
    """Return the fewest movements from `current` to `goal`, never onto an occupied hole; pawns of a
    colour are alike.
    """
    arrows = _arrows(current, goal)
    groups = _groups(arrows)
    steps: list[Step] = []
    # Open groups first: they may empty holes, and nothing of them depends on the circles.
    for group in sorted(groups, key=lambda arrows: all(a.has and a.needs for a in arrows)):
        steps.extend(_walk(group))
    return tuple(steps)


def _arrows(current: Setup, goal: Board) -> list[_Arrow]:
    wanted = goal.occupied()
    arrows = [
        _Arrow(hole, current.holes.get(hole), wanted.get(hole))
        for hole in sorted({*current.holes, *wanted})
        if current.holes.get(hole) is not wanted.get(hole)
    ]
    for seat in sorted({*goal.seats, *current.holes.values(), *current.camps}):
        playing = seat in goal.seats
        surplus = current.camps.get(seat, 0) - (goal.camp_count(seat) if playing else 0)
        beside = (4 if playing else 0) - current.count(seat)
        arrows += [_Arrow(CAMP, seat, None)] * max(surplus, 0) + [_Arrow(CAMP, None, seat)] * max(-surplus, 0)
        arrows += [_Arrow(OFF, seat, None)] * max(beside, 0) + [_Arrow(OFF, None, seat)] * max(-beside, 0)
    return arrows


def _groups(arrows: list[_Arrow]) -> list[list[_Arrow]]:
    """Split the arrows into those connected through seats (and through nobody)."""
    root: dict[Seat | None, Seat | None] = {}

    def find(seat: Seat | None) -> Seat | None:
        while root.setdefault(seat, seat) != seat:
            seat = root[seat]
        return seat

    for arrow in arrows:
        root[find(arrow.has)] = find(arrow.needs)
    groups: dict[Seat | None, list[_Arrow]] = defaultdict(list)
    for arrow in arrows:
        groups[find(arrow.has)].append(arrow)
    return list(groups.values())


def _walk(group: list[_Arrow]) -> Iterator[Step]:
    """Yield the movements of one connected group: a round trip over its arrows, each filling the hole before."""
    closed = all(arrow.has is not None and arrow.needs is not None for arrow in group)
    start = group[0].has if closed else None
    trip = _round_trip(group, start)
    if not closed:
        yield from _fill(trip)
        return
    first = trip[0]
    pawn = first.has
    assert pawn is not None
    # The own camp always has room for the pawn that steps aside.
    yield Step(pawn, first.hole, CAMP)
    emptied = [_Arrow(first.hole, None, first.needs), *trip[1:], _Arrow(CAMP, pawn, None)]
    yield from _fill(emptied)


def _fill(trip: list[_Arrow]) -> Iterator[Step]:
    """Yield one movement per pawn: into the hole of each arrow goes the pawn of the next."""
    for hollow, source in pairwise(trip):
        if hollow.needs is not None and hollow.needs is source.has:
            yield Step(hollow.needs, source.hole, hollow.hole)


def _round_trip(group: list[_Arrow], start: Seat | None) -> list[_Arrow]:
    """Return the arrows in an order in which each begins at the seat where the last one ended (Hierholzer)."""
    leaving: dict[Seat | None, list[_Arrow]] = defaultdict(list)
    for arrow in reversed(group):
        leaving[arrow.has].append(arrow)
    stack: list[tuple[Seat | None, _Arrow | None]] = [(start, None)]
    trip: list[_Arrow] = []
    while stack:
        seat, came_by = stack[-1]
        if leaving[seat]:
            arrow = leaving[seat].pop()
            stack.append((arrow.needs, arrow))
        else:
            stack.pop()
            if came_by is not None:
                trip.append(came_by)
    return trip[::-1]
