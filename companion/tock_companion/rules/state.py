"""The engine's own picture of a board: flat integers, made to be copied quickly.

Cells are numbered as in `BoardShape`; a set of cells is an integer with one bit per cell.
"""

from collections.abc import Sequence

PAWNS = 4


class State:
    """Where every pawn stands; the engine never changes a state that it handed out."""

    __slots__ = ("fresh", "occ", "own", "pawns")

    def __init__(self, pawns: list[int], occ: int, own: int, fresh: int) -> None:
        """Take the parts as they are; `State.of` works them out."""
        self.pawns = pawns
        """Cell of pawn k of seat s at index 4s + k; -1 in camp."""
        self.occ = occ
        """Cells with a pawn on them."""
        self.own = own
        """Start holes on which a pawn of that very seat stands."""
        self.fresh = fresh
        """Those of `own` whose pawn has not moved since it came out."""

    @classmethod
    def of(cls, pawns: Sequence[int], starts: Sequence[int], fresh: int) -> "State":
        """Return the state of these cells; `starts` has the start hole of every seat."""
        occ = 0
        own = 0
        for index, cell in enumerate(pawns):
            if cell >= 0:
                occ |= 1 << cell
                if cell == starts[index // PAWNS]:
                    own |= 1 << cell
        return cls(list(pawns), occ, own, fresh & own)

    def key(self) -> tuple[tuple[int, ...], int]:
        """Return what tells two states apart: pawns of one seat are interchangeable."""
        pawns = self.pawns
        cells: list[int] = []
        for first in range(0, len(pawns), PAWNS):
            cells.extend(sorted(pawns[first : first + PAWNS]))
        return tuple(cells), self.fresh
