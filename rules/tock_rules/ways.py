"""Tables made before a game of how pawns move: their ways, their parts of a seven, and which of these meet."""

from dataclasses import dataclass, field

from tock_rules.actions import FlatMove

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


class Shares:
    """The parts of a seven that one pawn may get, by their number of steps from 0 to 7."""

    __slots__ = ("blocking_starts", "depends_on", "options", "reach", "sure", "ways")

    def __init__(self, cell: int, ways: list[Way | None]) -> None:
        """Take the first way for each number of steps from the cell; there is none for 0."""
        self.ways = ways
        self.options: list[list[FlatMove]] = []
        """The parts that are open while no protected start blocks any."""
        self.blocking_starts = 0
        """All `blocking_starts` of the ways."""
        self.depends_on = [1 << cell] + [0 if way is None else way.depends_on | 1 << cell for way in ways[1:]]
        """By the number of steps the cells that these depend on, with the pawn's own; none where it has no way."""
        self.reach = 0
        """All of them together."""
        self.sure = True
        """Nothing but `blocking_starts` decides whether `options` are open."""
        # If all ways are open the parts are those along `also`; `sure`: only protected starts can close one.
        for first in ways:
            found: list[FlatMove] = []
            way = first
            while way is not None:
                closed = way.lands or way.over or way.leaves_fresh
                self.sure = self.sure and not (closed or way.need or way.free or way.takes)
                self.blocking_starts |= way.blocking_starts
                found.append(way.move)
                way = way.also
            self.options.append(found)
        for cells in self.depends_on:
            self.reach |= cells


Meetings = tuple[list[int], list[int]]
"""The parts of a seven of two pawns whose order may matter: by the steps of the first pawn the numbers of steps of the
second, a bit each; and by the steps of the second those of the first.

Of the pawns A on T5 and B on T8, where passing is free, A's steps down and B's across:

       0  1  2  3  4
    3  x  x  x  x  x    A ends where B is, or was
    4     x             both end on T9
    5        x          both end on T10
"""
