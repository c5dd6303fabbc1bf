"""The engine's own picture of a board: small integers, made to be copied quickly.

Cells are numbered as in `BoardShape`; `occ` tells which are occupied, in words of few bits: a word of 18 bits per
zone (bit 0 its start hole), one for the centre, a word of 4 bits per home.
"""

from collections.abc import Sequence
from functools import lru_cache

from tock_rules.seats import PAWNS_PER_SEAT, ZONE_LENGTH

FULL = 15
"""The word of a home with all four pawns in."""


class State:
    """The place of every pawn; the engine never changes a state that it handed out."""

    __slots__ = ("fresh", "occ", "own", "pawns")

    def __init__(self, pawns: list[int], occ: list[int], own: int, fresh: int) -> None:
        """Take the parts as they are; `State.of` works them out."""
        self.pawns = pawns
        """Cell of pawn k of seat s at index 4s + k; -1 in camp."""
        self.occ = occ
        """Occupied cells, a word per zone, for the centre, and per home."""
        self.own = own
        """Seats of which a pawn stands on its own start, a bit each."""
        self.fresh = fresh
        """Those of `own` whose pawn has not moved since it came out."""

    @classmethod
    def of(cls, pawns: Sequence[int], fresh: int = 0) -> "State":
        """The state of these cells; of `fresh` only seats count that have a pawn on their start."""
        zones = len(pawns) // PAWNS_PER_SEAT
        words, bits = words_of(zones), bits_of(zones)
        occ = [0] * (2 * zones + 1)
        own = 0
        for index, cell in enumerate(pawns):
            if cell >= 0:
                occ[words[cell]] |= bits[cell]
                if cell == ZONE_LENGTH * (index // PAWNS_PER_SEAT):
                    own |= 1 << index // PAWNS_PER_SEAT
        return cls(list(pawns), occ, own, fresh & own)

    def copy(self) -> "State":
        """A state with the same pawns that the caller may change."""
        return State(self.pawns.copy(), self.occ.copy(), self.own, self.fresh)

    def key(self) -> tuple[tuple[int, ...], int]:
        """A key that equal states share: pawns of one seat are interchangeable."""
        pawns = self.pawns
        cells: list[int] = []
        for first in range(0, len(pawns), PAWNS_PER_SEAT):
            cells.extend(sorted(pawns[first : first + PAWNS_PER_SEAT]))
        return tuple(cells), self.fresh

    def occupied(self) -> int:
        """The set of all occupied cells as one integer, a bit per cell."""
        return sum(1 << cell for cell in self.pawns if cell >= 0)


@lru_cache(maxsize=3)
def words_of(zones: int) -> list[int]:
    """For every cell the index of its word in `State.occ`."""
    track = [cell // ZONE_LENGTH for cell in range(ZONE_LENGTH * zones)]
    return [*track, zones, *(zones + 1 + seat for seat in range(zones) for _ in range(PAWNS_PER_SEAT))]


@lru_cache(maxsize=3)
def bits_of(zones: int) -> list[int]:
    """For every cell its bit in that word."""
    zone = [1 << place for place in range(ZONE_LENGTH)]
    return [*(zone * zones), 1, *([1, 2, 4, 8] * zones)]


def starts_of(seats: int) -> int:
    """The start holes of some seats (a bit each) as a set of cells."""
    return sum(1 << ZONE_LENGTH * seat for seat in range(seats.bit_length()) if seats >> seat & 1)


def seats_on(cells: int) -> int:
    """The seats whose start holes are in a set of cells, a bit each."""
    seats = 0
    for seat in range(cells.bit_length() // ZONE_LENGTH + 1):
        seats |= (cells >> ZONE_LENGTH * seat & 1) << seat
    return seats
