"""Follows each pawn through a game: how far it walked, who took whom, who came home with whom behind."""

from collections.abc import Iterable
from dataclasses import dataclass

from tock_rules import CAMP, BoardShape, Hole, HoleKind, Kind, Move, Part, Seat, distance

NEARLY_HOME_HOLES = 12
"""A pawn this near to its entrance was as good as home."""
IN_REACH_HOLES = 13
"""The longest card that walks forward."""


@dataclass(frozen=True, slots=True)
class March:
    """The way of one pawn from its camp to its home, or to where it was taken."""

    seat: Seat
    holes: int
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Capture:
    """A pawn that was taken, and how many holes were left to its home entrance."""

    number: int
    """Of the move in the game, from 1."""
    by: Seat
    seat: Seat
    left: int
    friendly: bool
    """It belonged to the side that took it."""


@dataclass(frozen=True, slots=True)
class Escape:
    """A pawn that came home with another side's pawn behind it."""

    number: int
    seat: Seat
    behind: Seat
    holes: int


@dataclass(frozen=True, slots=True)
class Ways:
    """Everything that happened to pawns, in the order of the game."""

    marches: tuple[March, ...]
    captures: tuple[Capture, ...]
    escapes: tuple[Escape, ...]
    first_out: tuple[tuple[Seat, int], ...]
    """The seats and the moves of their first pawns out, in this order."""


def ways_of(moves: Iterable[Move]) -> Ways:
    """Follow all pawns through the moves of a game; where people put pawns elsewhere, their way is lost."""
    walked: dict[Hole, int] = {}
    ended: list[March] = []
    captures: list[Capture] = []
    escapes: list[Escape] = []
    first_out: dict[Seat, int] = {}
    for number, move in enumerate(moves, 1):
        shape, standing = move.before.shape, move.before.occupied()
        walked = {hole: walked.get(hole, 0) for hole in standing}
        by = move.position.to_move
        for seat, hole in move.captures:
            ended.append(March(seat, walked.pop(hole, 0), taken=True))
            friendly = seat in move.position.team_of(by)
            captures.append(Capture(number, by, seat, _left(shape, seat, hole), friendly))
        for part in move.parts:
            if part.from_cell == CAMP:
                first_out.setdefault(part.seat, number)
            _follow(walked, shape, part)
        escapes += _escapes(number, move)
    seats = move.result.occupied() if walked else {}
    ended += [March(seats[hole], holes) for hole, holes in walked.items() if hole in seats]
    return Ways(tuple(ended), tuple(captures), tuple(escapes), tuple(first_out.items()))


def _follow(walked: dict[Hole, int], shape: BoardShape, part: Part) -> None:
    target = shape.hole_id(part.to_cell)
    if part.from_cell == CAMP:
        walked[target] = 0
        return
    source = shape.hole_id(part.from_cell)
    if part.kind is Kind.SWAP:
        walked[source], walked[target] = walked.get(target, 0), walked.get(source, 0)
        return
    walked[target] = walked.pop(source, 0) + max(0, holes_gone(shape, part))


def holes_gone(shape: BoardShape, part: Part) -> int:
    """Holes that a pawn went forward, those it jumped over too; the centre is no part of any way."""
    if part.kind in (Kind.CENTRE_IN, Kind.CENTRE_OUT):
        return 0
    walked = distance(shape, part) or 0
    if part.kind is Kind.JUMP and part.via is not None:
        walked += (part.to_cell - part.via) % shape.track_length
    return walked


def _left(shape: BoardShape, seat: Seat, hole: Hole) -> int:
    """Holes from a place of the track to the home entrance; a whole lap from anywhere else."""
    if hole.kind is not HoleKind.TRACK:
        return shape.track_length
    return (shape.track_length - shape.entrance_back - shape.progress(seat, hole.number)) % shape.track_length


def _escapes(number: int, move: Move) -> Iterable[Escape]:
    shape, position = move.before.shape, move.position
    length = shape.track_length
    for part in move.parts:
        if part.from_cell == CAMP or part.from_cell >= length or shape.home_of(part.to_cell) is None:
            continue
        own = position.team_of(part.seat)
        behind = [
            ((part.from_cell - hole.number) % length, seat)
            for hole, seat in move.before.occupied().items()
            if hole.kind is HoleKind.TRACK and seat not in own
        ]
        near = [one for one in behind if one[0] <= IN_REACH_HOLES]
        if near:
            holes, seat = min(near)
            yield Escape(number, part.seat, seat, holes)
