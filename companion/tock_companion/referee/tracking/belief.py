"""Beliefs about holes, in natural-log odds, and expectations from a position, which the referee compares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, log

from tock_companion.observation import HoleReading, HoleState
from tock_rules import PAWNS_PER_SEAT, Board, Hole, Seat

TOLERATED_LOG_ODDS = 3.0
"""Contradicting readings that a board may carry and still be believed: one reading at 95 %."""
MAX_CONFIDENCE = 0.9999
"""Upper limit of confidence: a certainty could never be outweighed."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Empty or a pawn, and of whom, as far as that is known."""

    state: HoleState
    seat: Seat | None
    log_odds: float
    """The cost of disbelieving it, never below 0."""

    def agrees(self, other: "Belief") -> bool:
        """Whether both agree; a pawn of unknown colour agrees with every pawn."""
        if self.state is not other.state:
            return False
        return self.seat is other.seat or self.seat is None or other.seat is None

    def contradicts(self, expected: Seat | None) -> bool:
        """Whether it contradicts a pawn of `expected`, or an empty hole (None)."""
        if self.state is HoleState.EMPTY:
            return expected is not None
        if self.state is HoleState.PAWN:
            return expected is None or (self.seat is not None and self.seat is not expected)
        return False

    def reading(self) -> HoleReading:
        """The same with a probability in place of log odds."""
        return HoleReading(self.state, self.seat, 1.0 / (1.0 + exp(-self.log_odds)))


NOTHING = Belief(HoleState.UNKNOWN, None, 0.0)


def believe(reading: HoleReading, limit: float = MAX_CONFIDENCE) -> Belief:
    """Turn a reading into a belief, with a confidence of `limit` at most."""
    return Belief(reading.state, reading.seat, log_odds_of(reading.confidence, limit))


def log_odds_of(confidence: float, limit: float = MAX_CONFIDENCE) -> float:
    """The log odds of a confidence, never below 0."""
    if confidence <= 0.5:
        return 0.0
    confidence = min(confidence, limit)
    return log(confidence / (1.0 - confidence))


@dataclass(frozen=True, slots=True)
class Expectation:
    """A board as a camera would see it: pawns outside the camps by hole, pawns in camp by seat."""

    holes: Mapping[Hole, Seat]
    camps: Mapping[Seat, int]
    camp_size: int = PAWNS_PER_SEAT

    @staticmethod
    def of(board: Board, seats: Iterable[Seat]) -> "Expectation":
        """The expectation from a board with these seats at the table."""
        camps = {seat: board.camp_count(seat) for seat in seats}
        return Expectation(board.occupied(), camps, board.shape.pawns_per_seat)

    def changes(self, other: "Expectation") -> frozenset[Hole]:
        """The holes outside the camps in which the two differ."""
        return frozenset(
            hole
            for hole in self.holes.keys() | other.holes.keys()
            if self.holes.get(hole) is not other.holes.get(hole)
        )
