"""Pawns that walk: which of their ways are open on a board.

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
OPEN: Closed = (0, 0, 0)


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
