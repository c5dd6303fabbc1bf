"""A pawn that its switch does not feel: perhaps it stands where a legal move takes it, and somebody must say so."""

from tock_companion.referee.fit import Fit
from tock_companion.referee.options import Candidate, Options
from tock_companion.referee.watch import Watch

TOLERANCE = 3.0
"""Log odds of other readings that may contradict such a move."""
MOST_CHOICES = 4
"""More places than that are no question that somebody can answer at a glance."""


def unfelt_moves(options: Options, fit: Fit, watch: Watch) -> list[Candidate]:
    """Return the legal moves of the laid card that explain the board but for one pawn that is not felt.

    None where a source sees colours: it would see the pawn. None either when the pawn may be in many places.
    """
    if watch.carrying is None or not options.card_known:
        return []
    found: dict[object, Candidate] = {}
    for candidate in options.candidates:
        unfelt = fit.lacking(candidate.look)
        if len(unfelt) == 1 and fit.cost(candidate.look) - unfelt[0] < TOLERANCE:
            found.setdefault(candidate.move.result, candidate)
    return list(found.values()) if len(found) <= MOST_CHOICES else []
