"""What a position looks like on the table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tock_companion.rules.board import Board
from tock_companion.rules.geometry import Seat


@dataclass(frozen=True, slots=True)
class Expectation:
    """A board as the camera would see it: pawns outside the camps by hole, pawns in camp by seat."""

    holes: Mapping[str, Seat]
    camps: Mapping[Seat, int]

    @staticmethod
    def of(board: Board, seats: Iterable[Seat]) -> "Expectation":
        """Return what a board looks like."""
        return Expectation(board.occupied(), {seat: board.camp_count(seat) for seat in seats})

    def changes(self, other: "Expectation") -> frozenset[str]:
        """Return the holes (camps excepted) in which the two differ."""
        return frozenset(
            hole
            for hole in self.holes.keys() | other.holes.keys()
            if self.holes.get(hole) is not other.holes.get(hole)
        )
