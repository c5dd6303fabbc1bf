"""Two turns at once: a turn that could not be settled in time is recovered when the next one is made."""

from dataclasses import dataclass

from tock_companion.referee.decision import Accepted, Ambiguous
from tock_companion.referee.matching.candidates import Candidate, Options, one_of_each_kind
from tock_companion.referee.matching.fit import Fit
from tock_companion.referee.matching.settle import MARGIN, TOLERANCE
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.watch import Watch

WORTH_A_LOOK = 10
"""So many first moves, those that fit best by themselves, are followed into the next turn."""


@dataclass(frozen=True, slots=True)
class _Pair:
    first: Candidate
    cost: float


def first_of_two(options: Options, watch: Watch) -> Accepted | Ambiguous | None:
    """Return the first of two moves that together explain the table; None when no pair does, or too many do."""
    fit = Fit(watch, options.position.shape, options.before)
    firsts: dict[object, tuple[float, Candidate]] = {}
    for candidate in options.candidates:
        board = candidate.move.result
        if board not in firsts:
            firsts[board] = (fit.cost(candidate.expected), candidate)
    ranked = sorted(firsts.values(), key=lambda item: item[0])[:WORTH_A_LOOK]
    pairs = sorted(
        (pair for _, first in ranked if (pair := _best_pair(options, first, watch)) is not None),
        key=lambda pair: pair.cost,
    )
    if not pairs or pairs[0].cost >= TOLERANCE:
        return None
    if len(pairs) > 1 and pairs[1].cost - pairs[0].cost < MARGIN:
        return None
    return _as_decision(options, pairs[0].first, watch)


def _best_pair(options: Options, first: Candidate, watch: Watch) -> _Pair | None:
    """Return the cost of the first move with the best one that the next seat may have made after it."""
    played = options.position.play(first.move)
    if played.outcome() is not None or played.must_play_more:
        return None
    following = played.end_turn()
    # The next move can only explain what the first one leaves unexplained; most moves do not touch it.
    fit = Fit(watch, following.shape, first.expected)
    wrong = frozenset(hole for hole in fit.differing() if "-C" not in hole)
    seconds = Options(following, one_of_each_kind(following), card_known=False)
    costs = [
        fit.cost(second.expected)
        for second in seconds.candidates
        if wrong <= second.changed and not _takes_on(options.before, first, second)
    ]
    return _Pair(first, min(costs)) if costs else None


def _takes_on(before: Expectation, first: Candidate, second: Candidate) -> bool:
    """Whether the second move takes a pawn of the first one on: rather that pawn went once, and wrongly."""
    for hole in first.changed:
        seat = first.expected.holes.get(hole)
        if seat is None or seat is before.holes.get(hole) or second.expected.holes.get(hole) is seat:
            continue
        if second.expected.camps[seat] <= first.expected.camps[seat]:
            return True
    return False


def _as_decision(options: Options, first: Candidate, watch: Watch) -> Accepted | Ambiguous:
    same = [c for c in options.candidates if c.move.result == first.move.result]
    if not options.card_known:
        return Ambiguous(tuple((candidate.move.card, candidate.move) for candidate in same))
    still_since = min((watch.hole(hole).since_ms for hole in first.changed), default=watch.t_ms)
    return Accepted(first.move.card, first.move, 1.0 - 1.0 / (1.0 + 2.718281828**MARGIN), still_since)
