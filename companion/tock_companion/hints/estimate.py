"""Static evaluation: the estimated chance that a seat's side wins, from the board and the seat's hand."""

import math
from functools import lru_cache

from tock_companion.hints.buckets import BUCKETS, bucket_shares
from tock_companion.hints.features import FEATURES, FIRST_STATE_FEATURE, ROLES, FeatureExtractor, kind_of
from tock_companion.hints.weights import weights_for
from tock_rules import PAWNS_PER_SEAT, deal_plan
from tock_rules.engine import PART, SWAP, Engine, FlatMove, State

_DANGER = {role: FEATURES.index(f"{role}_danger") for role in ROLES}
_SEAT_HOME = {role: FEATURES.index(f"{role}_blocked") - 4 for role in ROLES}
_KEEPS = FEATURES.index("keeps_ace")
_STORED = FEATURES.index("stored_me")


class SeatWeights:
    """The weights as they apply to one seat: a value for every seat's pawn in every cell."""

    __slots__ = ("cells", "danger", "homes", "kept", "stored")

    def __init__(self, extractor: FeatureExtractor, weights: list[float], seat: int) -> None:
        """Add up the weights of the buckets of every cell."""
        shape = extractor.engine.shape
        self.cells: list[list[float]] = []
        """By seat, the value of a pawn in a cell, at index cell + 1."""
        self.danger: list[tuple[float, float]] = []
        """By seat, the cost of a certain capture: a constant, and a factor of the share of the lap gone."""
        self.homes: list[list[float]] = []
        """By seat, the value of having that many pawns home."""
        for other in range(shape.zones):
            role = extractor.role(seat, other)
            first = role * len(BUCKETS)
            self.cells.append(
                [
                    sum(weights[first + index] * share for index, share in bucket_shares(shape, other, cell))
                    for cell in range(-1, shape.cell_count)
                ]
            )
            at = _DANGER[ROLES[role]]
            self.danger.append((weights[at], weights[at + 1]))
            at = _SEAT_HOME[ROLES[role]]
            self.homes.append([0.0, *weights[at : at + 4], weights[at + 3]])
        self.kept: list[float] = [weights[_KEEPS + kind_of(code)] for code in range(18)]
        self.stored = weights[_STORED]


class Estimate:
    """Evaluates positions of one table with the weights of its ruleset and form of play."""

    def __init__(self, engine: Engine, weights: list[float]) -> None:
        """Prepare the weights of every seat."""
        self.extractor = FeatureExtractor(engine, deal_plan(engine.rules, len(engine.seats)))
        self.weights = weights
        self.state_weights = weights[FIRST_STATE_FEATURE:]
        self.by_seat: dict[int, SeatWeights] = {
            seat: SeatWeights(self.extractor, weights, seat) for seat in self.extractor.seats
        }

    def logit(self, state: State, seat: int, to_move: int, hand: list[int], stored: list[int]) -> float:
        """Evaluate a position in log odds that the seat's side wins; `hand` holds card codes."""
        pawns = state.pawns
        total = 0.0
        cells, per_seat = self.by_seat[seat].cells, self.extractor.engine.per_seat
        for other in self.extractor.seats:
            worth = cells[other]
            first = per_seat * other
            if per_seat != PAWNS_PER_SEAT:
                total += sum(worth[cell + 1] for cell in pawns[first : first + per_seat])
                continue
            total += (
                worth[pawns[first] + 1]
                + worth[pawns[first + 1] + 1]
                + worth[pawns[first + 2] + 1]
                + worth[pawns[first + 3] + 1]
            )
        features = self.extractor.state_features(pawns, seat, to_move, hand, stored)
        for weight, feature in zip(self.state_weights, features, strict=True):
            if feature:
                total += weight * feature
        return total

    def chance(self, state: State, seat: int, to_move: int, hand: list[int], stored: list[int]) -> float:
        """Evaluate a position as the chance that the seat's side wins, 0 to 1."""
        return squash(self.logit(state, seat, to_move, hand, stored))

    def features(
        self, state: State, seat: int, to_move: int, hand: list[int], stored: list[int]
    ) -> list[float]:
        """Extract every feature of a position in the order of `FEATURES`, for training."""
        shape = self.extractor.engine.shape
        out = [0.0] * FIRST_STATE_FEATURE
        for other in self.extractor.seats:
            first = self.extractor.role(seat, other) * len(BUCKETS)
            for cell in state.pawns[self.extractor.engine.of_seat[other]]:
                for index, share in bucket_shares(shape, other, cell):
                    out[first + index] += share
        return out + self.extractor.state_features(state.pawns, seat, to_move, hand, stored)


def squash(logit: float) -> float:
    """Turn log odds into a chance."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


class MoveScorer:
    """Scores the moves of one turn incrementally, without making them: fast and close to the full evaluation."""

    def __init__(self, estimate: Estimate, pawns: list[int], seat: int) -> None:
        """Note who stands where before any move."""
        extractor = estimate.extractor
        self.extractor = extractor
        self.seat = seat
        self.weights = estimate.by_seat[seat]
        sets = extractor.track_sets(pawns)
        self.enemies = extractor.enemies_of(sets, seat)
        self.owner: dict[int, int] = {}
        for other in extractor.seats:
            for cell in pawns[extractor.engine.of_seat[other]]:
                if cell >= 0:
                    self.owner[cell] = other
        self.pawns = pawns

    def score(self, move: FlatMove) -> float:
        """Approximate by how much the move raises the log odds."""
        if len(move) == PART:
            return self._part(move, 0)
        return sum(self._part(move, at) for at in range(0, len(move), PART))

    def _part(self, move: FlatMove, at: int) -> float:
        kind, seat, src, dst, via, taken = move[at : at + PART]
        cells = self.weights.cells
        own = cells[seat]
        gain = own[dst + 1] - own[src + 1]
        if kind == SWAP:
            other = cells[via]
            gain += other[src + 1] - other[dst + 1]
            return gain + self._danger(seat, src, dst)
        hit = self.owner.get(dst, -1)
        if hit >= 0 and src != dst:
            # A captured pawn goes back to camp, which is index 0 of its cells.
            lost = cells[hit]
            gain += lost[0] - lost[dst + 1]
        # Pawns captured in passing, as bits; the one at the end of the way is counted above.
        while taken:
            low = taken & -taken
            taken ^= low
            cell = low.bit_length() - 1
            hit = self.owner.get(cell, -1)
            if hit >= 0 and cell != dst:
                lost = cells[hit]
                gain += lost[0] - lost[cell + 1]
        centre = self.extractor.centre
        if dst > centre >= src:
            # At home nothing threatens the pawn: the danger it stood in falls away.
            at_home = sum(1 for cell in self.pawns[self.extractor.engine.of_seat[seat]] if cell > centre)
            worth = self.weights.homes[seat]
            return gain + worth[min(at_home + 1, len(worth) - 1)] - worth[at_home] - self._at(seat, src)
        # The safety of an opponent's pawn matters too little to be computed for every move.
        if seat in self.extractor.sides[self.seat]:
            gain += self._danger(seat, src, dst)
        return gain

    def _danger(self, seat: int, src: int, dst: int) -> float:
        return self._at(seat, dst) - self._at(seat, src)

    def _at(self, seat: int, cell: int) -> float:
        """Price the danger to a pawn of the seat's side on a cell."""
        extractor = self.extractor
        if not 0 <= cell < extractor.length or cell == extractor.starts[seat]:
            return 0.0
        chance = extractor.danger.chance(self.enemies, extractor.length, cell)
        if not chance:
            return 0.0
        always, far = self.weights.danger[seat]
        return chance * (always + far * extractor.gone[seat][cell + 1])


@lru_cache(maxsize=32)
def estimate_for(engine: Engine) -> Estimate:
    """Give the evaluation of a table, made once."""
    return Estimate(engine, weights_for(engine.rules, len(engine.seats), any(engine.mates)))
