"""Tables made before a game of how pawns move: their ways, their parts of a seven, and which of these meet."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tock_rules.actions import FROM, MOVER, TO, FlatMove

Word = tuple[int, int]
"""Some cells: the index of a word of `State.occ` and bits in it."""


@dataclass(slots=True, eq=False)
class Way:
    """One way for a pawn to go with a card, and the conditions under which it is open.

    Ways are tried one after the other: `also` leads on from an open way, `otherwise` from a closed one. So an optional
    jump and a home that must be entered where it can be are links between ways, not code in the generator.

    A pawn of P0 on T68 with three steps may go two holes to its entrance and into H1, or stay on the track:

        T68  T69  T70  T71  T0             T68>H1  need: H1 empty --otherwise--> T68>T71  plain
        pawn      |                           |
                  H1 H2 H3 H4                 also: nothing, a pawn that can go home must;
                                              T68>T71 where the rules let it walk past (`voluntary_bypass`)
    """

    move: FlatMove
    """The move if nothing is taken on the way."""
    blocking_starts: int
    """Seats whose protected pawn on its start stops the pawn or cannot be taken, a bit each."""
    need: int
    """Holes of the pawn's home that must be empty, as in its word of `State.occ`."""
    free: tuple[Word, ...]
    """Cells that must be empty."""
    takes: tuple[tuple[int, int, int], ...]
    """Cells whose pawns are taken on the way: words, each with the cell of its first bit."""
    depends_on: int
    """The cells whose pawns decide whether this way and those after it are open or whom they take, as a set."""
    passes_home: bool
    """The way leads past the entrance of the pawn's home."""
    lands: int = 0
    """Where the rules may forbid landing on a mate's pawn: the cells that the pawn lands on, as a set."""
    over: int = 0
    """Where own pawns are obstacles: the cells passed and landed on, as a set."""
    leaves_fresh: int = 0
    """The seat (a bit) whose pawn goes home from its start, which one that has just come out may not."""
    also: "Way | None" = None
    """The next way to try if this way is open."""
    otherwise: "Way | None" = None
    """The next way to try if it is not."""
    plain: bool = field(init=False)
    """Nothing but `blocking_starts`, `lands` and `over` decides, and nothing comes after it: tested first."""

    def __post_init__(self) -> None:
        """Work out whether the way is plain."""
        self.plain = not (
            self.leaves_fresh or self.need or self.free or self.takes or self.also or self.otherwise
        )

    def chain(self) -> "Iterator[Way]":
        """This way and all that may be tried after it."""
        way: Way | None = self
        while way is not None:
            yield way
            way = way.otherwise

    def may_come_before(self, following: "Way") -> bool:
        """Whether a part of these ways can open a way of another pawn's part, as far as both are obstacles."""
        if self.move[MOVER] != following.move[MOVER]:
            return True
        there = 1 << following.move[FROM]
        ends = [1 << way.move[TO] for way in self.chain() if not way.over & there]
        return any(not way.over & end for way in following.chain() for end in ends)


Meetings = tuple[list[int], list[int]]
"""The parts of a seven of two pawns whose order may matter: by the steps of the first pawn the numbers of steps of the
second, a bit each; and by the steps of the second those of the first.

Of the pawns A on T5 and B on T8, where passing is free, A's steps down and B's across:

       0  1  2  3  4
    3  x  x  x  x  x    A ends where B is, or was
    4     x             both end on T9
    5        x          both end on T10
"""
NEVER, APART, FIRST = 0, 1, 2
"""How a part goes with another pawn's: not before it, in either order, or before a part that depends on it."""


class Orders(NamedTuple):
    """How two pawns share a whole card; parts are named by their places in `Shares.ways`."""

    of_first: list[int]
    """By the part of the first pawn how it goes with the rest for the other."""
    apart: list[tuple[int, int]]
    """The two parts where the order does not matter."""
    meet: bool
    """There are others."""
