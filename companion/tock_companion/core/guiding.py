"""Guidance for people while nothing is wrong: the rest of a move, holes out of sight, pawns beside their hole."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tock_companion.events.facts import PawnStep
from tock_companion.events.terms import Params, Term, pawn_term
from tock_companion.observation import LoosePawn
from tock_companion.referee.decision import Decision, Hidden, Missing, Unfinished
from tock_companion.referee.diagnosis.remaining import Remaining, remaining
from tock_companion.referee.tracking.watch import HAND_COVERS_HOLES
from tock_rules import Hole, Move, Position, Seat, camp_holes_of

PAIR = 2
"""A pawn between holes hides that many of them."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the board beside the holes, in the coordinates of the board file."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Guidance:
    """An instruction although nothing is wrong, with a stable code: `unfinished/…`, `loose/…`, `hidden/…`."""

    code: str
    phrase: str = ""
    """The code of its sentence, where that is another."""
    params: Params = field(default_factory=dict)
    breaks: tuple[str, ...] = ()
    """The statements of the rules behind it."""
    steps: tuple[PawnStep, ...] = ()
    places: tuple[Hole, ...] = ()
    """The holes that it is about."""
    spots: tuple[Spot, ...] = ()
    """The places of pawns beside the holes."""
    move: tuple[Seat, Move] | None = None
    """The move of that seat to copy, which then is the sentence."""


def guidance(decision: Decision, position: Position) -> Guidance | None:
    """The guidance to the rest of a move, as a decision leaves it; None when it leaves nothing."""
    match decision:
        case Unfinished(loose=loose):
            left = remaining(position, decision)
            given = _of_remaining(left)
            near = [pawn for pawn in loose if _is_nearly_there(pawn, left)]
            if near:
                return _of_loose(near, given)
            # Wherever a taken or swapped pawn was laid aside, people read where it goes.
            return replace(given, spots=_spots(loose))
        case Missing(loose=loose) if loose:
            seat, given = loose[0].seat, Guidance("loose/beside")
            return _of_loose(loose, given, taken=seat is not None and _may_be_taken(seat, position))
        case Missing(seats=seats, near=near) if len(seats) == 1 and 0 < len(near) < HAND_COVERS_HOLES:
            return _of_hidden(Hidden(near, seats), position)
        case Hidden():
            return _of_hidden(decision, position)
    return None


def _is_nearly_there(pawn: LoosePawn, left: Remaining) -> bool:
    """Whether a loose pawn lies beside a hole where the move takes it, or would take any pawn."""
    return pawn.seat in (None, left.seat) and (pawn.nearest in left.places or pawn.between in left.places)


def _may_be_taken(seat: Seat, position: Position) -> bool:
    """Whether a pawn out of its hole was probably laid aside: an own one has rather slipped."""
    return seat not in position.played_seats()


def _spots(loose: Sequence[LoosePawn]) -> tuple[Spot, ...]:
    return tuple(Spot(one.x_mm, one.y_mm) for one in loose)


def _of_remaining(left: Remaining) -> Guidance:
    place = Term("place", str(left.places[0])) if len(left.places) == 1 else ""
    phrase = left.code
    if left.holes:
        phrase = "unfinished/count_one" if left.holes == 1 else "unfinished/count"
    params: Params = {"pawn": pawn_term(left.seat), "place": place, "n": str(left.holes)}
    steps = tuple(step.to_json() for step in left.steps)
    places = tuple(place if isinstance(place, Hole) else camp_holes_of(left.seat)[0] for place in left.places)
    return Guidance(left.code, phrase, params, left.breaks, steps, places)


def _of_loose(loose: Sequence[LoosePawn], given: Guidance, *, taken: bool = False) -> Guidance:
    """Name the pawn that lies beside the holes; where it goes stays as told."""
    pawn = loose[0]
    params = {
        "pawn": pawn_term(pawn.seat) if pawn.seat is not None else Term("phrase", "a-pawn"),
        "near": Term("hole", pawn.nearest),
        "beside": Term("beside", pawn.nearest),
    }
    code = "loose/beside"
    if pawn.between is not None:
        code, params["other"] = "loose/between", Term("hole", pawn.between)
    return replace(
        given, code=code, phrase=f"{code}-taken" if taken else code, params=params, spots=_spots(loose)
    )


def _of_hidden(hidden: Hidden, position: Position) -> Guidance:
    """Name the pawn that may lie there, where only one seat is short of one and its colour is known."""
    holes = hidden.holes
    if len(holes) < HAND_COVERS_HOLES and len(hidden.seats) == 1:
        code = "hidden/between" if len(holes) == PAIR else "hidden/beside"
        params = {
            "pawn": pawn_term(hidden.seats[0]),
            "near": Term("hole", holes[0]),
            "other": Term("hole", holes[-1]),
            "beside": Term("beside", holes[0]),
        }
        taken = _may_be_taken(hidden.seats[0], position)
        return Guidance(code, f"{code}-taken" if taken else code, params, places=holes)
    if len(holes) >= HAND_COVERS_HOLES:
        return Guidance("hidden/many", places=tuple(holes))
    where = tuple(Term("hole", hole) for hole in holes)
    return Guidance("hidden/few", params={"holes": where}, places=tuple(holes))
