"""Two turns at once: a turn that was not settled in time is recovered when the next one is on the board.

The hand that makes the second move may cover the first one until both are done. Then no single move explains the
board, and pairs are tried: a move of the laid card, and one of any card of the seat that follows.
"""

from dataclasses import dataclass

from tock_companion.referee.decision import Accepted, Ambiguous
from tock_companion.referee.matching.candidates import Candidate, Options, one_of_each_kind
from tock_companion.referee.matching.fit import DECISIVE_LOG_ODDS, Fit, posterior, seen_empty
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS, Expectation
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Board

FIRST_MOVES_FOLLOWED = 10
"""Number of first moves, those that fit best by themselves, that are followed into the next turn."""


@dataclass(frozen=True, slots=True)
class _Explanation:
    """A first move, and the cost of believing in it alone or in the best pair that begins with it."""

    first: Candidate
    cost: float


def first_of_two(options: Options, watch: Watch) -> Accepted | Ambiguous | None:
    """The first of two moves that together explain the table; None if no pair does, or too many do."""
    fit = Fit(watch, options.position.shape, options.before)
    by_board: dict[Board, _Explanation] = {}
    for candidate in options.candidates:
        if candidate.move.result not in by_board:
            by_board[candidate.move.result] = _Explanation(candidate, fit.cost(candidate.expected))
    alone = sorted(by_board.values(), key=lambda single: single.cost)
    pairs = sorted(
        (
            pair
            for single in alone[:FIRST_MOVES_FOLLOWED]
            if (pair := _best_pair(options, single.first, watch)) is not None
        ),
        key=lambda pair: pair.cost,
    )
    if not pairs or pairs[0].cost >= TOLERATED_LOG_ODDS:
        return None
    best, *others = pairs
    if others and others[0].cost - best.cost < DECISIVE_LOG_ODDS:
        return None
    first = best.first
    if not options.card_known:
        same = [one.move for one in options.candidates if one.move.result == first.move.result]
        return Ambiguous(tuple((move.card, move) for move in same))
    still_since = min((watch.hole(hole).since_ms for hole in first.changed), default=watch.t_ms)
    # The rivals: any other pair, any single move, and no move at all.
    against = [fit.base_cost, *(explanation.cost for explanation in (*others, *alone))]
    return Accepted(first.move.card, first.move, posterior(best.cost, against), still_since)


def _best_pair(options: Options, first: Candidate, watch: Watch) -> _Explanation | None:
    """The first move with the best one that the next seat may have made after it; None if none fits."""
    played = options.position.play(first.move)
    if played.outcome() is not None or played.must_play_more or _left_untouched(options.before, first, watch):
        return None
    following = played.end_turn()
    fit = Fit(watch, following.shape, first.expected)
    # The second move must explain all that the first one leaves unexplained; most moves do not touch it.
    unexplained = frozenset(fit.wrong_holes)
    seconds = Options(following, one_of_each_kind(following), card_known=False)
    costs = [
        fit.cost(second.expected)
        for second in seconds.candidates
        # An unreported turn may not put a pawn into a hole that seems empty.
        if unexplained <= second.changed
        and not _continues(first, second)
        and not seen_empty(watch, second.targets)
        and not any(watch.hole(hole).occluded for hole in first.concerned | second.concerned)
    ]
    return _Explanation(first, min(costs)) if costs else None


def _left_untouched(before: Expectation, first: Candidate, watch: Watch) -> bool:
    """Whether a hole that `first` concerns shows the pawn that was there before, and no hand has been over it since."""
    arrived_ms = max((watch.hole(hole).since_ms for hole in first.targets), default=0)
    changed = watch.contradicting(first.move.before.shape.cells_by_hole, before.holes)
    begun_ms = min((watch.hole(hole).since_ms for hole in changed), default=0)
    return any(
        not tracked.occluded
        and not tracked.belief.contradicts(before.holes[hole])
        and max(tracked.since_ms, tracked.visible_since_ms) < max(arrived_ms, begun_ms)
        for hole in first.concerned & before.holes.keys()
        for tracked in [watch.hole(hole)]
    )


def _continues(first: Candidate, second: Candidate) -> bool:
    """Whether the second move takes a pawn of the first one further: then that pawn rather went once, and wrongly."""
    shape = second.move.before.shape
    left = {shape.hole_id(part.from_cell) for part in second.move.parts if part.from_cell >= 0}
    if left & first.targets:
        return True
    for hole in first.targets:
        seat = first.expected.holes[hole]
        if second.expected.holes.get(hole) is seat:
            continue
        # Gone from its new hole without being captured.
        if second.expected.camps[seat] <= first.expected.camps[seat]:
            return True
    return False
