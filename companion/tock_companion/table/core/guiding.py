"""Guidance for people while nothing is wrong: what is left of a move, what is out of sight, which pawn lies loose."""

from collections.abc import Sequence
from dataclasses import replace

from tock_companion.language import Text
from tock_companion.observation import LoosePawn
from tock_companion.referee.decision import Decision, Hidden, Missing, Unfinished
from tock_companion.referee.diagnosis.remaining import Remaining, remaining
from tock_companion.referee.tracking.watch import HAND_COVERS_HOLES
from tock_companion.rules import Hole, Position, camp_holes_of
from tock_companion.views.names import Names
from tock_companion.views.phrases import joined, phrase
from tock_companion.views.state import Guidance, Spot

PAIR = 2
"""A pawn between holes hides that many of them."""


def guidance(decision: Decision, position: Position, names: Names) -> Guidance | None:
    """Put into words what a decision leaves to be done; None when it leaves nothing."""
    match decision:
        case Unfinished(loose=loose):
            told = _of_remaining(remaining(position, decision), names)
            return _of_loose(loose, names, told) if loose else told
        case Missing(loose=loose) if loose:
            return _of_loose(loose, names, Guidance("loose/beside", Text(fr="", en="")))
        case Missing(seats=seats, near=near) if len(seats) == 1 and 0 < len(near) < HAND_COVERS_HOLES:
            return _of_hidden(Hidden(near, seats), names)
        case Hidden():
            return _of_hidden(decision, names)
    return None


def _of_remaining(left: Remaining, names: Names) -> Guidance:
    place = names.place(left.places[0]) if len(left.places) == 1 else ""
    code = f"{left.code}_one" if left.code == "unfinished/seven" and left.holes == 1 else left.code
    sentence = phrase(code, pawn=names.pawn(left.seat), place=place, n=str(left.holes))
    steps = tuple(step.to_json() for step in left.steps)
    places = tuple(place if isinstance(place, Hole) else camp_holes_of(left.seat)[0] for place in left.places)
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


def _of_hidden(hidden: Hidden, names: Names) -> Guidance:
    """Name the pawn that may lie there, where only one seat is short of one and its colour is known."""
    holes = hidden.holes
    if len(holes) < HAND_COVERS_HOLES and len(hidden.seats) == 1:
        code = "hidden/between" if len(holes) == PAIR else "hidden/beside"
        near, other = names.hole(holes[0]), names.hole(holes[-1])
        sentence = phrase(code, pawn=names.pawn(hidden.seats[0]), near=near, other=other)
        return Guidance(code, sentence, places=holes)
    if len(holes) >= HAND_COVERS_HOLES:
        return Guidance("hidden/many", phrase("hidden/many"), places=tuple(holes))
    where = joined([names.hole(hole) for hole in holes], ", ")
    return Guidance("hidden/few", phrase("hidden/few", holes=where), places=tuple(holes))
