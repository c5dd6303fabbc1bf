"""Pawns that walk: which of their ways, and which parts of a seven, are open on a board.

The two ways of `Way`'s example, on a board with H1 empty and with H1 filled. An open way is listed and followed by
`also`, a closed one by `otherwise`; in the first game
a pawn that can go home must, in the second it may also walk past:

>>> from tock_rules import Position
>>> for board in "mjc 4 P0 P0/P1/P2/P3 P0:T68", "gladius 4 P0 P0/P1/P2/P3 P0:T68", "mjc 4 P0 P0/P1/P2/P3 P0:T68,H1":
...     print(*Position.parse(board + " P1: P2: P3:").legal_moves("3H"), sep=", ")
3H P0:T68>H1
3H P0:T68>H1, 3H P0:T68>T71
3H P0:T68>T71, 3H P0:H1>H4
"""

from tock_rules.actions import FlatMove
from tock_rules.ways import Way, Word

Closed = tuple[int, int, int]
"""Cells that a pawn may not land on, cells that it may neither pass nor land on, seats with a fresh pawn."""
Deciding = tuple[list[int], int, int, Closed, int]
"""The parts of a board that decide about the ways of a pawn: see `add_open_ways`."""


def add_open_ways(
    out: list[FlatMove],
    first: Way | None,
    occ: list[int],
    protected: int,
    home: int,
    closed: Closed,
    spared: int,
) -> None:
    """Add the moves of a pawn whose first way is given.

    `occ` is the board, `protected` says on which seats' starts a pawn is protected, `home` is the word of the pawn's
    own home. On the starts of `spared` seats a pawn that sweeps takes nobody.
    """
    landing, obstacles, fresh = closed
    way = first
    while way is not None:
        # The cheapest questions first; only some rulesets ask the last ones.
        if (
            protected & way.blocking_starts
            or home & way.need
            or (way.free and _any_on(occ, way.free))
            or landing & way.lands
            or obstacles & way.over
            or fresh & way.leaves_fresh
        ):
            way = way.otherwise
        else:
            out.append(_taking(way, occ, spared) if way.takes else way.move)
            way = way.also


class Shares:
    """The parts of a shared card that one pawn may get: of a seven by their number of steps from 0 to 7."""

    __slots__ = (
        "_open",
        "blocking_starts",
        "depends_on",
        "lands",
        "leaves_fresh",
        "need",
        "over",
        "reach",
        "splits",
        "ways",
        "words",
    )

    def __init__(self, cell: int, ways: list[Way | None], splits: list[tuple[int, int]]) -> None:
        """Take the first way for each number of steps from the cell; there is none for 0."""
        self.ways = ways
        self.splits = splits
        """All ways to share the card with one other pawn: places in `ways` of this one and of the other."""
        self.depends_on = [1 << cell] + [0 if way is None else way.depends_on | 1 << cell for way in ways[1:]]
        """By the number of steps the cells that these depend on, with the pawn's own; none where it has no way."""
        self.reach = 0
        """All of them together."""
        self.blocking_starts = self.need = self.leaves_fresh = self.lands = self.over = 0
        """Those of all its ways together."""
        words: dict[int, int] = {}
        for first in ways:
            way = first
            # Along `otherwise` are all ways after the first.
            while way is not None:
                self.blocking_starts |= way.blocking_starts
                self.need |= way.need
                self.leaves_fresh |= way.leaves_fresh
                self.lands |= way.lands
                self.over |= way.over
                for word, bits, *_ in (*way.free, *way.takes):
                    words[word] = words.get(word, 0) | bits
                way = way.otherwise
        self.words = tuple(words.items())
        """Cells whose pawns close a way or are taken on it."""
        self._open: dict[int, list[list[FlatMove]]] = {}
        for cells in self.depends_on:
            self.reach |= cells

    def options(
        self, occ: list[int], protected: int, home: int, closed: Closed, spared: int
    ) -> list[list[FlatMove]]:
        """The open parts, by their number of steps; the arguments are those of `add_open_ways`. Never to be changed."""
        landing, obstacles, fresh = closed
        if landing & self.lands or obstacles & self.over or _any_on(occ, self.words):
            return self._options(occ, protected, home, closed, spared)
        # Only these few seats and holes matter, so the same parts are open again and again.
        key = home & self.need | (protected & self.blocking_starts) << 8 | (fresh & self.leaves_fresh) << 16
        options = self._open.get(key)
        if options is None:
            options = self._open[key] = self._options(occ, protected, home, closed, spared)
        return options

    def _options(
        self, occ: list[int], protected: int, home: int, closed: Closed, spared: int
    ) -> list[list[FlatMove]]:
        options: list[list[FlatMove]] = []
        for way in self.ways:
            found: list[FlatMove] = []
            add_open_ways(found, way, occ, protected, home, closed, spared)
            options.append(found)
        return options


def _any_on(occ: list[int], cells: tuple[Word, ...]) -> bool:
    # Nearly always one or two words: a generator would cost more than the loop.
    for word, bits in cells:
        if occ[word] & bits:
            return True
    return False


def _taking(way: Way, occ: list[int], spared_seats: int) -> FlatMove:
    """The move of a way with the pawns that stand there to be taken."""
    # `takes` are all cells where a pawn would be taken; the move lists those on which one stands.
    taken = 0
    for word, bits, first in way.takes:
        hit = occ[word] & bits
        # Bit 0 of a zone's word is its start hole, where this pawn is spared.
        if spared_seats >> word & 1:
            hit &= -2
        if hit:
            taken |= hit << first
    return (*way.move[:5], taken) if taken else way.move
