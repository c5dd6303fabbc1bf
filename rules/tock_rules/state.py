"""The engine's own picture of a board: small integers, made to be copied quickly.

Cells are numbered as in `BoardShape`; `occ` tells which are occupied, in words of few bits: a word per zone (18 bits
on a Tock board, bit 0 its start hole), one for the centre, a word per home (4 bits).
"""

from collections.abc import Sequence
from functools import lru_cache

from tock_rules.seats import PAWNS_PER_SEAT, ZONE_LENGTH


class State:
    """The place of every pawn; the engine never changes a state that it handed out."""

    __slots__ = ("fresh", "occ", "own", "pawns")

    def __init__(self, pawns: list[int], occ: list[int], own: int, fresh: int) -> None:
        """Take the parts as they are; `State.of` works them out."""
        self.pawns = pawns
        """Cell of pawn k of seat s at index 4s + k, where a seat has 4; -1 in camp."""
        self.occ = occ
        """Occupied cells, a word per zone, for the centre, and per home."""
        self.own = own
        """Seats of which a pawn stands on its own start, a bit each."""
        self.fresh = fresh
        """Those of `own` whose pawn has not moved since it came out."""

    @classmethod
    def of(
        cls,
        pawns: Sequence[int],
        fresh: int = 0,
        zone_length: int = ZONE_LENGTH,
        per_seat: int = PAWNS_PER_SEAT,
    ) -> "State":
        """The state of these cells; of `fresh` only seats count that have a pawn on their start."""
        zones = len(pawns) // per_seat
        words, bits = words_of(zones, zone_length, per_seat), bits_of(zones, zone_length, per_seat)
        occ = [0] * (2 * zones + 1)
        own = 0
        for index, cell in enumerate(pawns):
            if cell >= 0:
                occ[words[cell]] |= bits[cell]
                if cell == zone_length * (index // per_seat):
                    own |= 1 << index // per_seat
        return cls(list(pawns), occ, own, fresh & own)

    def copy(self) -> "State":
        """A state with the same pawns that the caller may change."""
        return State(self.pawns.copy(), self.occ.copy(), self.own, self.fresh)

    def key(self, per_seat: int = PAWNS_PER_SEAT) -> tuple[tuple[int, ...], int]:
        """A key that equal states share: pawns of one seat are interchangeable."""
        pawns = self.pawns
        cells: list[int] = []
        for first in range(0, len(pawns), per_seat):
            cells.extend(sorted(pawns[first : first + per_seat]))
        return tuple(cells), self.fresh

    def occupied(self) -> int:
        """The set of all occupied cells as one integer, a bit per cell."""
        return sum(1 << cell for cell in self.pawns if cell >= 0)


@lru_cache(maxsize=8)
def words_of(zones: int, zone_length: int, per_seat: int) -> list[int]:
    """For every cell the index of its word in `State.occ`."""
    track = [cell // zone_length for cell in range(zone_length * zones)]
    return [*track, zones, *(zones + 1 + seat for seat in range(zones) for _ in range(per_seat))]


@lru_cache(maxsize=8)
def bits_of(zones: int, zone_length: int, per_seat: int) -> list[int]:
    """For every cell its bit in that word."""
    zone = [1 << place for place in range(zone_length)]
    home = [1 << place for place in range(per_seat)]
    return [*(zone * zones), 1, *(home * zones)]
