"""The fit of a board to the observations: the cost of believing in it, in natural-log odds.

Each visible hole that contradicts the board costs the log odds of its belief; an occluded one costs nothing. Pawns of
one colour in a camp are interchangeable, so a camp is compared by count. With switches, the cost of the cheapest
hypothesis about the pawns carried is added.
"""

from collections.abc import Iterable, Sequence
from math import exp

from tock_companion.observation import HoleState
from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS, Expectation
from tock_companion.referee.tracking.watch import Watch
from tock_rules import BoardShape, Hole, Seat

DECISIVE_LOG_ODDS = 4.6
"""The margin by which the best explanation must beat the next one: 99 to 1."""
MAX_QUESTION_CHOICES = 4
"""A question with more choices cannot be answered at a glance."""


def posterior(cost: float, others: Iterable[float]) -> float:
    """The probability of an explanation of this cost against `others`, all equally likely beforehand."""
    return 1.0 / (1.0 + sum(exp(cost - other) for other in others))


def hole_cost(watch: Watch, hole: Hole, expected: Seat | None) -> float:
    """The cost of believing `expected` of one hole."""
    tracked = watch.hole(hole)
    if tracked.occluded or not tracked.belief.contradicts(expected):
        return 0.0
    return tracked.belief.log_odds


def seen_empty(watch: Watch, holes: Iterable[Hole]) -> list[Hole]:
    """Those of the holes that are seen to be empty, however weakly."""
    tracked = ((hole, watch.hole(hole)) for hole in holes)
    return [hole for hole, one in tracked if not one.occluded and one.belief.state is HoleState.EMPTY]


def camp_cost(watch: Watch, camp_holes: Sequence[Hole], seat: Seat, expected: int) -> float:
    """The cost of believing that `expected` pawns of `seat` stand in its camp, which may be partly occluded."""
    own: list[float] = []
    others: list[float] = []
    empty: list[float] = []
    for hole in camp_holes:
        tracked = watch.hole(hole)
        if tracked.occluded:
            continue
        belief = tracked.belief
        if not belief.contradicts(seat):
            own.append(belief.log_odds)
        else:
            (others if belief.state is HoleState.PAWN else empty).append(belief.log_odds)
    occluded = len(camp_holes) - len(own) - len(others) - len(empty)
    cost = sum(others)
    if len(own) > expected:
        # Too many: the least certain of them are disbelieved.
        cost += sum(sorted(own)[: len(own) - expected])
    # A pawn of another colour is disbelieved already: it may as well be one of the seat's own.
    missing = expected - len(own) - len(others) - occluded
    if missing > 0:
        cost += sum(sorted(empty)[:missing])
    return cost


class Fit:
    """Costs of boards against one watch, with the part of the table that is the same in all added up only once."""

    def __init__(self, watch: Watch, shape: BoardShape, base: Expectation) -> None:
        self._watch = watch
        self._base = base
        self._camps = {seat: shape.camp_holes(seat) for seat in base.camps}
        self._hole_costs = {
            hole: cost
            for hole in watch.contradicting(shape.cells_by_hole, base.holes)
            if (cost := watch.hole(hole).belief.log_odds) > 0
        }
        self._camp_costs = {
            seat: camp_cost(watch, holes, seat, base.camps[seat]) for seat, holes in self._camps.items()
        }
        self._seen_cost = sum(self._hole_costs.values()) + sum(self._camp_costs.values())
        self.base_cost = self._seen_cost + self._carried_cost(base)

    def cost(self, board: Expectation) -> float:
        """The cost of believing in `board`, computed only where it differs from the base."""
        cost = self._seen_cost + self._carried_cost(board)
        for hole in self._base.changes(board):
            cost -= self._hole_costs.get(hole, 0.0)
            cost += hole_cost(self._watch, hole, board.holes.get(hole))
        for seat, count in board.camps.items():
            if count != self._base.camps[seat]:
                cost -= self._camp_costs[seat]
                cost += camp_cost(self._watch, self._camps[seat], seat, count)
        return cost

    def _carried_cost(self, board: Expectation) -> float:
        tracker = self._watch.tracker
        return 0.0 if tracker is None else tracker.cost(board)

    @property
    def wrong_holes(self) -> tuple[Hole, ...]:
        """The visible holes outside the camps in which the table contradicts the base."""
        return tuple(self._hole_costs)

    @property
    def differing(self) -> tuple[Hole, ...]:
        """The same with the camps: one whose count is wrong stands for all its holes."""
        camps = [hole for seat, cost in self._camp_costs.items() if cost > 0 for hole in self._camps[seat]]
        return (*self._hole_costs, *camps)

    def camps_fading(self, board: Expectation) -> list[Hole]:
        """The hidden or weakly seen holes of camps into which `board` puts a pawn that is not seen there."""
        fading: list[Hole] = []
        for seat, count in board.camps.items():
            camp = {hole: self._watch.hole(hole) for hole in self._camps[seat]}
            seen = sum(one.belief.state is HoleState.PAWN and not one.occluded for one in camp.values())
            if count <= self._base.camps[seat] or seen >= count:
                continue
            for hole, one in camp.items():
                is_weak = one.belief.state is HoleState.EMPTY and one.weak_since_ms is not None
                if one.occluded or is_weak:
                    fading.append(hole)
        return fading

    def lacking(self, board: Expectation) -> list[float]:
        """The cost of each place that `board` newly fills but that is seen to be empty."""
        filled = self._base.changes(board) & board.holes.keys()
        costs = [self._watch.hole(hole).belief.log_odds for hole in seen_empty(self._watch, filled)]
        for seat, count in board.camps.items():
            if count > self._base.camps[seat]:
                costs.append(camp_cost(self._watch, self._camps[seat], seat, count))
        return [cost for cost in costs if cost > 0]


def undetected_moves(options: Options, fit: Fit, watch: Watch) -> list[Candidate]:
    """The legal moves of the laid card that explain the board except for one pawn that its switch does not detect.

    Empty if a source sees colours, which would see the pawn, or if the pawn may be in too many places.
    """
    if watch.tracker is None or watch.sees_colors or not options.card_known:
        return []
    found: dict[object, Candidate] = {}
    for candidate in options.candidates:
        lacking = fit.lacking(candidate.expected)
        if len(lacking) == 1 and fit.cost(candidate.expected) - lacking[0] < TOLERATED_LOG_ODDS:
            found.setdefault(candidate.move.result, candidate)
    return list(found.values()) if len(found) <= MAX_QUESTION_CHOICES else []
