"""The shortest list of pawn movements that turns the table into a given board.

Draw every wrong hole as an arrow from the seat whose pawn is in it to the seat whose pawn belongs there, with "nobody"
as one more seat. Every seat then has as many arrows out as in, so each connected group of arrows can be walked in one
round trip. A group that touches "nobody" has an empty hole to begin with and needs one movement per pawn to be placed;
any other group is a circle of full holes, and one pawn of it must first step aside.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from tock_rules import CAMP_PLACE, Board, Hole, Seat, Setup

OFF: Final = "off"
"""Off the board: where a missing pawn is, and where a surplus one goes."""
Place = Hole | Literal["camp", "off"]
"""The place of a pawn, now or next: a hole, any hole of its camp, or beside the board."""


@dataclass(frozen=True, slots=True)
class RepairStep:
    """One pawn put from one place to another."""

    seat: Seat
    from_hole: Place
    to_hole: Place

    def to_json(self) -> dict[str, str]:
        """The form of an answer of `tock judge`, with holes in the notation of moves."""
        return {"seat": self.seat.name, "from": self._short(self.from_hole), "to": self._short(self.to_hole)}

    def _short(self, place: Place) -> str:
        return place.as_place(self.seat) if isinstance(place, Hole) else place


@dataclass(frozen=True, slots=True)
class _Arrow:
    """A wrong hole: the seat of the pawn in it and of the pawn that belongs there (None: no pawn)."""

    hole: Place
    has: Seat | None
    needs: Seat | None

    @property
    def is_open(self) -> bool:
        return self.has is None or self.needs is None


def plan(current: Setup, goal: Board) -> tuple[RepairStep, ...]:
    """The fewest movements from `current` to `goal`, never onto an occupied hole; a seat's pawns are alike."""
    # Open groups first: they may empty holes, and they do not depend on the circles.
    groups = sorted(_groups(_arrows(current, goal)), key=lambda group: not any(one.is_open for one in group))
    return tuple(step for group in groups for step in _walk(group))


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
        beside = (goal.shape.pawns_per_seat if playing else 0) - current.count(seat)
        arrows += [_Arrow(CAMP_PLACE, seat, None)] * max(surplus, 0) + [_Arrow(CAMP_PLACE, None, seat)] * max(
            -surplus, 0
        )
        arrows += [_Arrow(OFF, seat, None)] * max(beside, 0) + [_Arrow(OFF, None, seat)] * max(-beside, 0)
    return arrows


def _groups(arrows: list[_Arrow]) -> list[list[_Arrow]]:
    """Split the arrows into those connected through seats, nobody included (union-find)."""
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


def _walk(group: list[_Arrow]) -> Iterator[RepairStep]:
    """Yield the movements of one connected group: a round trip over its arrows, each filling the hole before."""
    start = group[0].has
    if start is None or any(arrow.is_open for arrow in group):
        yield from _fill(_round_trip(group, None))
        return
    first, *others = _round_trip(group, start)
    # A seat's own camp always has room for a pawn of it that steps aside.
    yield RepairStep(start, first.hole, CAMP_PLACE)
    yield from _fill([_Arrow(first.hole, None, first.needs), *others, _Arrow(CAMP_PLACE, start, None)])


def _fill(trip: list[_Arrow]) -> Iterator[RepairStep]:
    """Yield one movement per pawn: into the hole of each arrow goes the pawn of the next."""
    for hollow, source in pairwise(trip):
        if hollow.needs is not None and hollow.needs is source.has:
            yield RepairStep(hollow.needs, source.hole, hollow.hole)


def _round_trip(group: list[_Arrow], start: Seat | None) -> list[_Arrow]:
    """The arrows in an order in which each begins at the seat where the last one ended (Hierholzer)."""
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
