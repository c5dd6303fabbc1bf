"""People who make a move, as a film of pawns in holes and of the hand that hides some."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from tock_bench.noisy.noise import Noise
from tock_companion.observation import LoosePawn
from tock_companion.referee.matching.stops import cells_passed
from tock_rules import (
    CAMP,
    Board,
    BoardShape,
    Hole,
    HoleKind,
    Kind,
    Move,
    Seat,
)
from tock_rules.engine import PART

Standing = dict[Hole, Seat]
"""The owner of the pawn in each hole, camps included."""
_Step = tuple[Hole | None, Hole | None]
"""One pawn from hole to hole; None is the other hand."""
HAND_REACH = 4
"""Holes to both sides that a hand hides along the track."""
STOPS_AT_EACH = 0.5
"""Share of slow moves with a stop in each free hole; in the others half of them are left out."""
PARKS_TAKEN = 0.5
HESITATES = 0.5
MAX_HOVER_MS = 1_400
"""A pawn in the air for longer than `Timing.missing_ms` is asked for."""


@dataclass(frozen=True, slots=True)
class Shot:
    """The pawns for a time, and the holes that the hand hides."""

    standing: Standing
    occluded: frozenset[Hole]
    for_ms: int
    loose: tuple[LoosePawn, ...] = ()
    """Pawns beside the holes."""


def standing_on(board: Board) -> Standing:
    """Pawns by hole; camps fill from their first hole."""
    camps = {hole: seat for seat in board.seats for hole in _camp(board, seat)}
    return {**board.occupied(), **camps}


def _camp(board: Board, seat: Seat) -> tuple[Hole, ...]:
    return board.shape.camp_holes(seat)[: board.camp_count(seat)]


class Person:
    """Makes legal moves as people do."""

    def __init__(self, shape: BoardShape, noise: Noise, rng: Random) -> None:
        self._shape = shape
        self._noise = noise
        self._rng = rng

    def make(self, move: Move, start: Standing) -> Iterator[Shot]:
        """Yield the film of a move until the hand has gone."""
        before = dict(start)
        if self._rng.random() < self._noise.bump:
            yield from self._bump(before)
        steps = self._steps(move, before)
        walked = {
            self._shape.hole_id(part.to_cell)
            for part in move.parts
            if part.kind is Kind.STEP and part.from_cell >= 0
        }
        now, held = dict(before), move.before.seats[0]
        for hole_from, hole_to in steps:
            seat = held if hole_from is None else now.pop(hole_from)
            yield self._shot(now, hole_from, 200, 900)
            if hole_to in walked and self._rng.random() < self._noise.slide:
                yield from self._slide(now, seat, hole_from, hole_to)
            elif hole_to in walked and self._rng.random() < self._noise.stops:
                yield from self._stops(now, seat, hole_from, hole_to)
            if self._rng.random() < self._noise.changed_mind:
                yield from self._change_of_mind(now, seat)
            if self._rng.random() < self._noise.beside:
                yield self._shot(now, hole_to, 300, 1200)
            if hole_to is None:
                held = seat
            else:
                now[hole_to] = seat
            yield self._shot(now, hole_to, 100, 600)
        yield Shot(dict(now), frozenset(), 0)

    def make_slowly(self, move: Move, start: Standing, pace_ms: int, *, hesitates: bool) -> Iterator[Shot]:
        """Yield the film of a move by someone who lets go of each pawn in free holes that it passes.

        Of two pawns that change places one is parked in a free hole, in its own camp or in another's; so may a taken
        pawn be, unless it is the mover's own.
        """
        now, stops, parked = dict(start), self._stops_on_the_way(move), self._parking(move, start)
        steps = [(source or parked, target or parked) for source, target in self._steps(move, dict(start))]
        own = {part.seat for part in move.parts}
        used = any(parked in holes for holes in (*steps, *stops.values()))
        taken = [step for step in steps if step[1].in_camp and now.get(step[0]) not in own]
        # One that waits beside for longer than `Timing.taken_first_ms` before the other one is touched counts as moved.
        if taken and not used and not hesitates and self._rng.random() < PARKS_TAKEN:
            step = self._rng.choice(taken)
            steps[steps.index(step)] = (step[0], parked)
            steps.append((parked, step[1]))
        stops_at_each = self._rng.random() < STOPS_AT_EACH
        for source, target in steps:
            if hesitates:
                yield from self._hesitate(now, source, pace_ms)
            seat = now.pop(source)
            yield self._shot(now, source, 200, 900)
            for hole in stops.get((source, target), ()):
                if hole not in now and (stops_at_each or self._rng.random() < 0.5):
                    yield Shot({**now, hole: seat}, frozenset(), pace_ms)
                    yield self._shot(now, hole, 200, 400)
            now[target] = seat
            yield Shot(dict(now), frozenset(), pace_ms)
        yield Shot(dict(now), frozenset(), 0)

    def _hesitate(self, now: Standing, source: Hole, pace_ms: int) -> Iterator[Shot]:
        """Hover over the board, lift the pawn that comes next or a wrong one, and put it back."""
        holes = [hole for hole in now if not hole.in_camp] or list(now)
        for hole in (self._rng.choice(holes), source, self._rng.choice(list(now))):
            if self._rng.random() < HESITATES:
                continue
            away = {place: seat for place, seat in now.items() if place != hole}
            yield self._shot(now, self._rng.choice(holes), 100, 900)
            yield self._shot(away, hole, 200, MAX_HOVER_MS)
            yield self._shot(now, hole, 100, 400)
            yield Shot(dict(now), frozenset(), self._rng.choice([0, pace_ms]))

    def _stops_on_the_way(self, move: Move) -> dict[_Step, list[Hole]]:
        """The holes that each pawn of the move passes."""
        shape = self._shape
        return {
            (shape.hole_id(part.from_cell), shape.hole_id(part.to_cell)): [
                shape.hole_id(cell) for cell in cells_passed(shape, part)
            ]
            for part in move.parts
            if part.from_cell >= 0
        }

    def _parking(self, move: Move, start: Standing) -> Hole:
        """A hole that no pawn of the move needs: on the track, or in a camp."""
        used = {*start, *standing_on(move.result)}
        free = [hole for hole in map(Hole.track, range(self._shape.track_length)) if hole not in used]
        camps = [
            hole for seat in move.before.seats for hole in self._shape.camp_holes(seat) if hole not in used
        ]
        return self._rng.choice(self._rng.choice([free, camps or free]))

    def next_player(self, standing: Standing, seat: Seat) -> Iterator[Shot]:
        """Yield the film of a next player who picks a pawn up too early and puts it back."""
        own = [hole for hole, owner in standing.items() if owner is seat]
        if not own or self._rng.random() >= self._noise.early:
            return
        hole = self._rng.choice(own)
        away = {place: owner for place, owner in standing.items() if place != hole}
        yield Shot(dict(standing), frozenset(), self._rng.randint(20, 600))
        yield self._shot(away, hole, 200, 1200)
        yield self._shot(standing, hole, 100, 400)

    def _steps(self, move: Move, before: Standing) -> list[_Step]:
        """Movements of single pawns that make a move, in an order that never puts two pawns into one hole.

        Each pawn moves once, straight to its place after the whole move.
        """
        came_from = {hole: hole for hole in before}
        for index, part in enumerate(move.parts):
            source = self._hole(part.from_cell, part.seat, came_from)
            target = self._shape.hole_id(part.to_cell)
            going = came_from.pop(source)
            if part.kind is Kind.SWAP:
                came_from[source] = came_from.pop(target)
            taken = move.flat[PART * index + PART - 1]
            cells = [cell for cell in range(self._shape.cell_count) if taken >> cell & 1]
            for hole in sorted({*map(self._shape.hole_id, cells), target} & came_from.keys()):
                pawn = came_from.pop(hole)
                came_from[self._place_of_taken(before[pawn], move, came_from)] = pawn
            came_from[target] = going
        steps = sorted((source, target) for target, source in came_from.items() if source != target)
        self._rng.shuffle(steps)
        return _in_a_possible_order(steps, set(before))

    def _place_of_taken(self, seat: Seat, move: Move, standing: Container[Hole]) -> Hole:
        """A free hole of its camp, or the hole to which a game sends a partner's pawn."""
        if move.result.camp_count(seat) == move.before.camp_count(seat):
            stood = move.before.occupied()
            for hole, owner in move.result.occupied().items():
                if owner is seat and hole not in stood and hole not in standing:
                    return hole
        return next(camp for camp in self._shape.camp_holes(seat) if camp not in standing)

    def _hole(self, cell: int, seat: Seat, standing: Container[Hole]) -> Hole:
        if cell != CAMP:
            return self._shape.hole_id(cell)
        return next(camp for camp in self._shape.camp_holes(seat) if camp in standing)

    def _slide(
        self, now: Standing, seat: Seat, hole_from: Hole | None, hole_to: Hole | None
    ) -> Iterator[Shot]:
        """Push the pawn along, over every free hole on the way."""
        for hole in self._between(hole_from, hole_to):
            if hole not in now:
                yield self._shot({**now, hole: seat}, hole, 30, 90)
                yield self._shot(now, hole, 30, 90)

    def _between(self, hole_from: Hole | None, hole_to: Hole | None) -> list[Hole]:
        """Track holes between two, forwards; none for homes and the centre."""
        if hole_from is None or hole_to is None or not hole_from.kind is hole_to.kind is HoleKind.TRACK:
            return []
        length = self._shape.track_length
        first, last = hole_from.number, hole_to.number
        return [Hole.track((first + cell) % length) for cell in range(1, min((last - first) % length, 18))]

    def _stops(
        self, now: Standing, seat: Seat, hole_from: Hole | None, hole_to: Hole | None
    ) -> Iterator[Shot]:
        """Put the pawn down in some of the holes that it passes, as in counting aloud."""
        for hole in self._between(hole_from, hole_to):
            if hole not in now and self._rng.random() < 0.5:
                yield self._shot({**now, hole: seat}, hole, 80, 350)

    def _change_of_mind(self, now: Standing, seat: Seat) -> Iterator[Shot]:
        track = [Hole.track(cell) for cell in range(self._shape.track_length)]
        hole = self._rng.choice([hole for hole in track if hole not in now])
        yield self._shot({**now, hole: seat}, hole, 150, 700)
        yield self._shot(now, hole, 200, 600)

    def _bump(self, before: Standing) -> Iterator[Shot]:
        hole = self._rng.choice([hole for hole in before if not hole.in_camp] or list(before))
        away = {place: seat for place, seat in before.items() if place != hole}
        yield self._shot(away, hole, 300, 1500)
        yield self._shot(before, hole, 200, 600)

    def _shot(
        self, standing: Mapping[Hole, Seat], hole: Hole | None, shortest_ms: int, longest_ms: int
    ) -> Shot:
        return Shot(dict(standing), self._hand(hole), self._rng.randint(shortest_ms, longest_ms))

    def _hand(self, hole: Hole | None) -> frozenset[Hole]:
        """Holes under a hand: neighbours along the track, or the whole row of a home or camp."""
        if hole is None:
            return frozenset()
        if hole.kind is not HoleKind.TRACK:
            seat = hole.seat
            row = range(1, self._shape.pawns_per_seat + 1) if seat is not None else ()
            return frozenset(Hole(hole.kind, seat, number) for number in row)
        cell, length = hole.number, self._shape.track_length
        return frozenset(Hole.track((cell + off) % length) for off in range(-HAND_REACH, HAND_REACH + 1))


def _in_a_possible_order(steps: Iterable[tuple[Hole, Hole]], occupied: set[Hole | None]) -> list[_Step]:
    """Order movements so that each target is free; a swap lifts its second pawn through a free place."""
    ordered: list[_Step] = []
    waiting: list[_Step] = list(steps)
    while waiting:
        ready = next((step for step in waiting if step[1] not in occupied), None)
        if ready is None:
            # Two pawns change places: one waits in the other hand, which no camera sees.
            first = waiting.pop(0)
            ordered.append((first[0], None))
            occupied.discard(first[0])
            waiting.append((None, first[1]))
            continue
        waiting.remove(ready)
        ordered.append(ready)
        occupied.discard(ready[0])
        occupied.add(ready[1])
    return ordered
