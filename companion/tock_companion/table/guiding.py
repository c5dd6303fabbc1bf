"""What people are told while nothing is wrong: what is left of a move, what is out of sight, which pawn lies loose."""

from collections.abc import Sequence
from dataclasses import replace

from tock_companion.language import Text
from tock_companion.observation import LoosePawn
from tock_companion.referee.decision import Decision, Hidden, Missing, Unfinished
from tock_companion.referee.diagnosis.remaining import Remaining, remaining
from tock_companion.referee.diagnosis.repair import CAMP
from tock_companion.referee.tracking.watch import HAND_COVERS_HOLES
from tock_companion.rules import Position
from tock_companion.views.names import Names
from tock_companion.views.phrases import joined, phrase
from tock_companion.views.state import Guidance, Spot


def guidance(decision: Decision, position: Position, names: Names) -> Guidance | None:
    """Put into words what a decision leaves to be done; None when it leaves nothing."""
    match decision:
        case Unfinished(loose=loose):
            told = _of_remaining(remaining(position, decision), names)
            return _of_loose(loose, names, told) if loose else told
        case Missing(loose=loose) if loose:
            return _of_loose(loose, names, Guidance("loose/beside", Text(fr="", en="")))
        case Hidden(holes=holes):
            return _of_hidden(holes, names)
    return None


def _of_remaining(left: Remaining, names: Names) -> Guidance:
    place = names.place(left.places[0]) if len(left.places) == 1 else ""
    code = f"{left.code}_one" if left.code == "unfinished/seven" and left.holes == 1 else left.code
    sentence = phrase(code, pawn=names.pawn(left.seat), place=place, n=str(left.holes))
    steps = tuple(step.to_json() for step in left.steps)
    places = tuple(f"{left.seat.name}-C1" if place == CAMP else place for place in left.places)
    return Guidance(left.code, sentence, left.breaks, steps, places)


def _of_loose(loose: Sequence[LoosePawn], names: Names, told: Guidance) -> Guidance:
    """Name the pawn that lies beside the holes; where it goes stays as told."""
    pawn = loose[0]
    words = {"pawn": names.pawn(pawn.seat)} if pawn.seat is not None else {"pawn": phrase("a-pawn")}
    words["near"] = names.hole(pawn.nearest)
    code = "loose/beside"
    if pawn.between is not None:
        code, words["other"] = "loose/between", names.hole(pawn.between)
    spots = tuple(Spot(one.x_mm, one.y_mm) for one in loose)
    return replace(told, code=code, sentence=phrase(code, **words), spots=spots)


def _of_hidden(holes: Sequence[str], names: Names) -> Guidance:
    if len(holes) >= HAND_COVERS_HOLES:
        return Guidance("hidden/many", phrase("hidden/many"), places=tuple(holes))
    where = joined([names.hole(hole) for hole in holes], ", ")
    return Guidance("hidden/few", phrase("hidden/few", holes=where), places=tuple(holes))
