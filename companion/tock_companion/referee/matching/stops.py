"""The stops of a legal move: the places where its pawns may rest before they reach their holes.

A walking pawn is put down in the holes it passes while its player counts. A pawn that changes places waits anywhere
until the other one has made room. A captured pawn is laid aside anywhere once the capturing one is on its way. However
long a pawn rests there, the move breaks no rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tock_rules import CAMP, BoardShape, Hole, Kind, Move, Part, Seat, Setup, distance, path


@dataclass(frozen=True, slots=True)
class Stops:
    """The pawns of one move that rest on their way."""

    counted: Mapping[Hole, Part]
    """Walking pawns, in holes that they pass."""
    aside: Mapping[Hole, Seat]
    """Pawns that wait for another one, in holes that have nothing to do with the move."""
    in_camps: Mapping[Seat, int]
    """The same in camps, their own or another's: pawns too many, by the seat of the camp."""

    def __bool__(self) -> bool:
        return bool(self.counted or self.aside or self.in_camps)

    def lifted_from(self, seen: Setup) -> Setup:
        """The board as if these pawns were in the air."""
        holes = {hole: seat for hole, seat in seen.holes.items() if hole not in {*self.counted, *self.aside}}
        camps = {seat: count - self.in_camps.get(seat, 0) for seat, count in seen.camps.items()}
        return Setup(seen.shape, holes, camps)


def stops_of(move: Move, seen: Setup, *, taken_first: bool = False) -> Stops:
    """Find the pawns of the move that rest on their way on the board `seen`.

    With `taken_first` captured pawns may have been laid aside before the capturing one was touched.
    """
    aside, in_camps = dict[Hole, Seat](), dict[Seat, int]()
    for seat in _waiting(move, seen, taken_first):
        hole = _strange_hole(seat, move, seen)
        if hole is not None:
            aside[hole] = seat
            continue
        camp = next((camp for camp in _crowded_camps(move, seen) if camp not in in_camps), None)
        if camp is not None:
            in_camps[camp] = 1
    return Stops(dict(_counted(move, seen)), aside, in_camps)


def _counted(move: Move, seen: Setup) -> Iterator[tuple[Hole, Part]]:
    """Walking pawns between the holes they left and those they go to.

    One may rest in the hole of another pawn that moves too: a seat's pawns are alike.
    """
    shape = move.before.shape
    gone = {part.from_cell for part in move.parts}
    for part in move.parts:
        if _fills(part, move, seen) or part.from_cell < 0 or _stands(seen, shape, part.from_cell, part.seat):
            continue
        for cell in cells_passed(shape, part):
            stood = cell in move.before.cells_of(part.seat) and cell not in gone
            if not stood and _stands(seen, shape, cell, part.seat):
                yield shape.hole_id(cell), part


def cells_passed(shape: BoardShape, part: Part) -> list[int]:
    """Cells that a walking pawn touches on its way, in order, without the last one."""
    source, target, via = part.from_cell, part.to_cell, part.via
    if part.kind is Kind.LINE and via is not None:
        rest = distance(shape, Part(Kind.STEP, part.seat, via, target)) if via != target else None
        return [via, *path(shape, part.seat, via, rest, target)[:-1]] if rest else []
    steps = distance(shape, part) if part.kind in (Kind.STEP, Kind.JUMP) else None
    if not steps:
        return []
    if part.kind is Kind.JUMP and via is not None:
        return [*path(shape, part.seat, source, steps, via), *part.summits(shape)[1:-1]]
    return path(shape, part.seat, source, steps, target)[:-1]


def _waiting(move: Move, seen: Setup, taken_first: bool) -> Iterator[Seat]:
    """The seats of exchanged and captured pawns that have left their holes, one for each pawn."""
    shape, own = move.before.shape, {part.seat for part in move.parts}
    for part in move.parts:
        if part.kind is Kind.SWAP and part.other is not None:
            ways = ((part.seat, part.from_cell, part.to_cell), (part.other, part.to_cell, part.from_cell))
            for seat, source, target in ways:
                if not _stands(seen, shape, source, seat) and not _stands(seen, shape, target, seat):
                    yield seat
    if not taken_first and not any(_has_left(part, move, seen) for part in move.parts):
        return
    for seat, hole in move.captures:
        # Own pawns are alike: one elsewhere is rather a wrong count than a captured pawn laid aside.
        if seat not in own and seen.holes.get(hole) is not seat:
            yield seat


def _has_left(part: Part, move: Move, seen: Setup) -> bool:
    """Whether a part's pawn has left its hole or its camp."""
    if part.from_cell == CAMP:
        return seen.camps.get(part.seat, 0) < move.before.camp_count(part.seat)
    return not _stands(seen, move.before.shape, part.from_cell, part.seat)


def _strange_hole(seat: Seat, move: Move, seen: Setup) -> Hole | None:
    """A hole with a pawn of the seat that was empty before and stays so in the move."""
    before, after = move.before.occupied(), move.result.occupied()
    strange = (hole for hole in sorted(seen.holes) if hole not in before and hole not in after)
    return next((hole for hole in strange if seen.holes[hole] is seat), None)


def _crowded_camps(move: Move, seen: Setup) -> Iterator[Seat]:
    """The seats in whose camps there are more pawns than before and after the move."""
    for seat, count in seen.camps.items():
        if count > max(board.camp_count(seat) for board in (move.before, move.result)):
            yield seat


def _fills(part: Part, move: Move, seen: Setup) -> bool:
    """Whether the hole that a part goes to has a pawn of its seat now, and had none before."""
    shape = move.before.shape
    was_there = move.before.occupied().get(shape.hole_id(part.to_cell)) is part.seat
    return not was_there and _stands(seen, shape, part.to_cell, part.seat)


def _stands(seen: Setup, shape: BoardShape, cell: int, seat: Seat) -> bool:
    return cell != CAMP and seen.holes.get(shape.hole_id(cell)) is seat
