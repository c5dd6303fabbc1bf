"""How well a position fits what is seen: the cost of believing it, in natural-log odds.

Each visible hole that contradicts the position costs the log odds of what is believed of it; hidden holes cost
nothing. Pawns of one colour in a camp are interchangeable, so a camp is compared by count.
"""

from collections.abc import Iterable

from tock_companion.observation import HoleState
from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules.geometry import BoardShape, Seat, camp_holes_of

TOLERANCE = 3.0
"""Log odds of other readings that may contradict such a move."""
MAX_QUESTION_CHOICES = 4
"""More places than that are no question that somebody can answer at a glance."""


def hole_cost(watch: Watch, hole: str, expected: Seat | None) -> float:
    """Return the cost of believing `expected` of one hole."""
    tracked = watch.hole(hole)
    if tracked.occluded or not tracked.belief.contradicts(expected):
        return 0.0
    return tracked.belief.log_odds


def camp_cost(watch: Watch, camp_holes: Iterable[str], seat: Seat, expected: int) -> float:
    """Return the cost of believing that `expected` pawns of `seat` stand in its camp, which may be partly hidden."""
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
    hidden = 4 - len(own) - len(others) - len(empty)
    cost = sum(others)
    if len(own) > expected:
        cost += sum(sorted(own)[: len(own) - expected])
    # A pawn of another colour is disbelieved already: it may as well be one of the seat's own.
    missing = expected - len(own) - len(others) - hidden
    if missing > 0:
        cost += sum(sorted(empty)[:missing])
    return cost


class Fit:
    """Costs of boards against one watch, with the unchanged part of the table added up only once."""

    def __init__(self, watch: Watch, shape: BoardShape, base: Expectation) -> None:
        self._watch = watch
        self._base = base
        self._camps = {seat: camp_holes_of(seat) for seat in base.camps}
        self._hole_costs = {
            hole: cost
            for hole in watch.contradicting(shape.cells_by_hole, base.holes)
            if (cost := watch.hole(hole).belief.log_odds) > 0
        }
        self._camp_costs = {
            seat: camp_cost(watch, holes, seat, base.camps[seat]) for seat, holes in self._camps.items()
        }
        self._seen_cost = sum(self._hole_costs.values()) + sum(self._camp_costs.values())
        self.base_cost = self._seen_cost + self._felt_cost(base)

    def cost(self, board: Expectation) -> float:
        """Return the cost of believing in `board`."""
        cost = self._seen_cost + self._felt_cost(board)
        for hole in self._base.changes(board):
            cost -= self._hole_costs.get(hole, 0.0)
            cost += hole_cost(self._watch, hole, board.holes.get(hole))
        for seat, count in board.camps.items():
            if count != self._base.camps[seat]:
                cost -= self._camp_costs[seat]
                cost += camp_cost(self._watch, self._camps[seat], seat, count)
        return cost

    def lacking(self, board: Expectation) -> list[float]:
        """Return the cost of each place that `board` fills anew and that is seen to be empty."""
        holes = [hole for hole in self._base.changes(board) if hole in board.holes]
        empty = [self._watch.hole(hole) for hole in holes]
        costs = [
            tracked.belief.log_odds
            for tracked in empty
            if not tracked.occluded and tracked.belief.state is HoleState.EMPTY
        ]
        for seat, count in board.camps.items():
            if count > self._base.camps[seat]:
                costs.append(camp_cost(self._watch, self._camps[seat], seat, count))
        return [cost for cost in costs if cost > 0]

    def _felt_cost(self, board: Expectation) -> float:
        hypotheses = self._watch.hypotheses
        return 0.0 if hypotheses is None else hypotheses.cost(board)

    def differing(self) -> tuple[str, ...]:
        """Return the visible holes in which the table contradicts the base board; a camp stands for its holes."""
        camps = [hole for seat, cost in self._camp_costs.items() if cost > 0 for hole in self._camps[seat]]
        return (*self._hole_costs, *camps)


def undetected_moves(options: Options, fit: Fit, watch: Watch) -> list[Candidate]:
    """Return the legal moves of the laid card that explain the board but for one pawn that is not felt.

    None where a source sees colours: it would see the pawn. None either when the pawn may be in many places.
    """
    if watch.hypotheses is None or not options.card_known:
        return []
    found: dict[object, Candidate] = {}
    for candidate in options.candidates:
        unfelt = fit.lacking(candidate.expected)
        if len(unfelt) == 1 and fit.cost(candidate.expected) - unfelt[0] < TOLERANCE:
            found.setdefault(candidate.move.result, candidate)
    return list(found.values()) if len(found) <= MAX_QUESTION_CHOICES else []
