"""The next gesture of a move that is under way."""

from dataclasses import dataclass, replace
from typing import Literal

from tock_companion.referee.decision import Unfinished
from tock_companion.referee.diagnosis.mistakes import find_mistake
from tock_companion.referee.diagnosis.repair import RepairStep, plan
from tock_companion.referee.matching.stops import stops_of
from tock_rules import CAMP_PLACE, Hole, Kind, Move, Part, Position, Rank, Seat, Setup, distance

SEVEN = 7

CampOrHole = Hole | Literal["camp"]
"""A hole, or any hole of the pawn's camp."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """The next gesture, with a stable code that becomes a sentence.

    `unfinished/capture`: a taken pawn goes to its camp; `seven`, `count`: holes of a seven or of another walk are left;
    `put`: a pawn in the air, or one that still stands where it was, goes to a place; `put_any`: to one of several;
    `swap`: it changes places.
    """

    code: str
    seat: Seat
    """The seat whose pawn moves next."""
    places: tuple[CampOrHole, ...] = ()
    """The places where it may go."""
    holes: int = 0
    """Holes of a seven or of another walk that are left."""
    steps: tuple[RepairStep, ...] = ()
    """All movements that are left, where only one move is under way."""
    breaks: tuple[str, ...] = ()
    """The statements of the rules that would be broken if nothing followed."""


def remaining(position: Position, decision: Unfinished) -> Remaining:
    """Find the next gesture of the move nearest to completion."""
    nearest, seen = decision.moves[0], decision.seen
    way = plan(seen, nearest.result)
    steps = way if len(decision.moves) == 1 else ()
    if way and all(step.to_hole == CAMP_PLACE for step in way):
        refs = position.ruleset.refs(*_why_taken(nearest, seen, way[0].seat))
        return Remaining("unfinished/capture", way[0].seat, (CAMP_PLACE,), steps=way, breaks=refs)
    left = None if decision.short else _left_to_count(nearest, seen)
    if left is not None and nearest.card.rank is Rank.SEVEN:
        refs = position.ruleset.refs("seven")
        return Remaining("unfinished/seven", position.to_move, (), left, steps, refs)
    refs = _broken_by_stopping(position, decision)
    if left is not None:
        return Remaining("unfinished/count", position.to_move, (), left, steps, refs)
    seat = _next_pawn(position, decision, way)
    places = tuple(sorted({place for move in decision.moves for place in _places_of(seat, move, seen)}))
    if len(places) > 1 and all(part.kind is Kind.SWAP for move in decision.moves for part in move.parts):
        return Remaining("unfinished/swap", seat, places, breaks=refs)
    code = "unfinished/capture" if places == (CAMP_PLACE,) else "unfinished/put"
    return Remaining(
        code if len(places) == 1 else "unfinished/put_any", seat, places, steps=steps, breaks=refs
    )


def _broken_by_stopping(position: Position, decision: Unfinished) -> tuple[str, ...]:
    """The statements that the pawns break if they stay at a stop; none while one is in the air or no card is laid."""
    card = decision.moves[0].card
    if decision.short or any(move.card != card for move in decision.moves):
        return ()
    if not stops_of(decision.moves[0], decision.seen):
        return ()
    moves = position.legal_moves(card)
    return find_mistake(position, card, (card,), moves, decision.seen).breaks


def _why_taken(move: Move, seen: Setup, seat: Seat) -> tuple[str, ...]:
    """The part that sends a pawn of the seat home: it was passed, or landed on."""
    landed = {move.before.shape.hole_id(part.to_cell) for part in move.parts}
    swept = {hole for owner, hole in move.captures if owner is seat} - landed
    by_passing = any(seen.holes.get(hole) is seat for hole in swept)
    return ("joker_sweep", "sweep", "capture") if by_passing else ("capture",)


def _left_to_count(move: Move, seen: Setup) -> int | None:
    """Holes still to be counted of a seven, or of a pawn that rests in a hole it passes; None for any other move."""
    shape = move.before.shape
    stops = stops_of(move, seen)
    if move.card.rank is not Rank.SEVEN:
        walks = [
            (
                distance(shape, part),
                distance(shape, replace(part, kind=Kind.STEP, to_cell=shape.cells_by_hole[hole])),
            )
            for hole, part in stops.counted.items()
        ]
        return sum(abs(whole) - abs(done) for whole, done in walks if whole and done) or None
    # A hole in which a pawn rests may be the one that another pawn of the seven has left.
    arrived, resting = stops.lifted_from(seen), stops.counted
    walked = [
        distance(shape, part) if part.from_cell >= 0 else None
        for part in move.parts
        if part not in resting.values() and _is_done(part, move, arrived)
    ]
    walked += [
        distance(shape, replace(part, to_cell=shape.cells_by_hole[hole])) for hole, part in resting.items()
    ]
    if not walked or None in walked:
        return None
    left = SEVEN - sum(abs(one) for one in walked if one is not None)
    return left if 0 < left < SEVEN else None


def _is_done(part: Part, move: Move, seen: Setup) -> bool:
    """Whether the pawn of a part has left its hole and arrived."""
    shape, before = move.before.shape, move.before.occupied()
    target = shape.hole_id(part.to_cell)
    has_left = (
        part.from_cell < 0
        or seen.holes.get(shape.hole_id(part.from_cell)) is not part.seat
        or part.from_cell in {other.to_cell for other in move.parts}
    )
    return (
        has_left and seen.holes.get(target) is part.seat and (before.get(target) is not part.seat or has_left)
    )


def _next_pawn(position: Position, decision: Unfinished, way: tuple[RepairStep, ...]) -> Seat:
    """The seat whose pawn comes next: one in the air before one that stands, the mover's before others'."""
    own = position.played_seats()
    if decision.short:
        return next((seat for seat in decision.short if seat in own), decision.short[0])
    return next((step.seat for step in way if step.to_hole != CAMP_PLACE), position.to_move)


def _places_of(seat: Seat, move: Move, seen: Setup) -> set[CampOrHole]:
    """The places where pawns of a seat are still to go in a move."""
    places: set[CampOrHole] = {
        hole
        for hole, owner in move.result.occupied().items()
        if owner is seat and seen.holes.get(hole) is not seat
    }
    if move.result.camp_count(seat) > seen.camps.get(seat, 0):
        places.add(CAMP_PLACE)
    return places
