"""A card shared by pawns that meet: parts are played in every order that can matter, and results compared.

Two parts depend on each other if either touches a hole that decides whether the other is open or whom it takes
(`Tables.meetings`). Of neighbouring parts that do not, one order is enough: that of the pawns. So A1 + B6 is played
only as A, B where the two are apart, and in both orders where B's way leads over A. A part that depends on none before
it is looked up as the board was at first; only the others need the board that the parts before have made. Two pawns are
the usual case: `Sharing` goes through the pairs, whose meetings are known before the game.

Pawns of a mate may walk once the last own pawn is home (open point A-21); they are listed after all own ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tock_rules.actions import TAKEN, TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.state import State
from tock_rules.walking import Shares
from tock_rules.ways import APART, FIRST

TOTAL = 7
ALL_STEPS = 255
"""The set of 0 to 7 steps, a bit each."""
AFTER_OWN = 1000
"""More than there are walkers: added to the order of a mate's."""
Sharer = tuple[int, int, Shares]
"""Seat and cell of a pawn, and its parts."""


@dataclass(slots=True, eq=False)
class _Walker:
    """A pawn on a hole, from where it may get a part of a seven."""

    seat: int
    cell: int
    bit: int
    """The cell as a set."""
    order: int
    """Of two parts whose order does not matter, that of the pawn with the lower number is listed first."""
    shares: Shares
    options: list[list[FlatMove]]
    """Its parts of 0 to 7 steps that are open before any pawn has moved."""
    shift: int
    """Shift of its cells in the first number of `Board`."""
    stays: int
    """The seats whose fresh pawns stay fresh when this one walks, a bit each."""
    again: bool
    """It had a part already (`seven_same_pawn_twice`)."""
    met: dict[int, list[int]] = field(default_factory=dict)
    """By the order of another pawn and its steps: numbers of own steps that depend on that part, a bit each."""


Waiting = list[tuple[_Walker, int, int]]
"""Pawns that may get a part, each with the numbers of steps to try and those that depend on a part before, a bit each.

Of parts that may change places without any effect only one order is tried: a part may follow that of a pawn of higher
order only where it depends on it or on a part after it.
"""
Board = tuple[int, int, int]
"""The changes of a board: cells of the pawns that share the seven, seats with a fresh pawn, other pawns taken.

The first has one bit for each cell of the board, for each seat in turn: where P0 is home and plays for P2 and P4 on 133
cells, P2's pawn on T5 is bit 5, P4's on T8 is bit 133 + 8.
"""


class Sharing:
    """One card, shared in every way among pawns that meet."""

    def __init__(
        self,
        engine: Mechanics,
        state: State,
        seats: tuple[int, ...],
        pawns: list[Sharer],
        finishing: int = -1,
    ) -> None:
        """Take the seats whose pawns may walk; `finishing` is the one that may go on with its mates' pawns, else -1."""
        self.engine = engine
        self.state = state
        self.seats = seats
        self.twice = engine.repeats
        self.finishing = finishing
        self.homes = engine.full << engine.shape.home(finishing, 1) if finishing >= 0 else 0
        self.all = engine.cells_of(state, engine.seats)
        """Cells of all pawns."""
        self.foreign = self.all
        """Cells of the pawns that do not share the seven."""
        mine = 0
        if finishing >= 0:
            for cell in state.pawns[engine.of_seat[finishing]]:
                mine |= 1 << cell
        self.walkers: list[_Walker] = []
        self.seen: list[_Walker] = []
        """All walkers by their order, with those on holes reached in mid-seven."""
        self.moved: dict[tuple[int, int], _Walker] = {}
        for own, cell, shares in pawns:
            walker = self._walker(own, cell, shares, False)
            self.walkers.append(walker)
            self.foreign &= ~walker.bit
            mine |= walker.bit << walker.shift
        self.before: Board = mine, state.fresh, 0
        self.results: dict[Board, FlatMove] = {}
        self.here: dict[FlatMove, State] = {}
        """Boards that were played, by the move to them."""

    def _walker(self, seat: int, cell: int, shares: Shares, again: bool) -> _Walker:
        engine = self.engine
        # All own parts come before a mate's.
        order = len(self.seen) + (AFTER_OWN if self.homes and seat != self.finishing else 0)
        shift = self.seats.index(seat) * engine.cell_count
        options = shares.options(*engine.deciding(self.state, seat))
        walker = _Walker(
            seat, cell, 1 << cell, order, shares, options, shift, ~engine.start_bits[cell], again
        )
        self.seen.append(walker)
        return walker

    def moves(self) -> list[FlatMove]:
        """List the moves, fewest parts first: of moves with the same result the plainest is listed."""
        for walker in self.walkers:
            self._end(walker, TOTAL, 0, self.before, ())
        least, most = 2, TOTAL if self.twice else min(len(self.walkers), self.engine.seven_pawns)
        if most >= least and not self.twice and not self.homes:
            self._by_two()
            least = 3
        if least <= most:
            for place, walker in enumerate(self.walkers):
                for other in self.walkers[:place]:
                    _introduce(self.engine, walker, other)
            waiting: Waiting = [(walker, ALL_STEPS, 0) for walker in self.walkers]
            for parts in range(least, most + 1):
                self._extend(waiting, self.engine.seven_pawns, parts, TOTAL, self.before, ())
        return list(self.results.values())

    def _by_two(self) -> None:
        """Add the shares between two pawns."""
        for place, one in enumerate(self.walkers):
            partners = self._partners(place)
            for steps in range(1, TOTAL):
                for part in one.options[steps]:
                    after, hit = self._after(self.before, one, part), part[TAKEN] | 1 << part[TO]
                    for other, orders, later in partners:
                        order = orders[steps]
                        # Of parts that may be played in either order that of the first pawn comes first.
                        if order == FIRST:
                            if not hit & other.bit:
                                self._end(other, TOTAL - steps, 1, after, part)
                        elif later and order == APART:
                            self._end(other, TOTAL - steps, 0, after, part)

    def in_turn(self) -> list[FlatMove]:
        """List the shares between two pawns of which one part depends on the other; pawns may go back."""
        for place, one in enumerate(self.walkers):
            partners = self._partners(place)
            for steps, rest in one.shares.splits:
                for part in one.options[steps]:
                    hit = part[TAKEN] | 1 << part[TO]
                    for other, orders, _ in partners:
                        if orders[steps] == FIRST and not hit & other.bit:
                            self._end(other, rest, 1, self._taking(self.before, one, part[TO], hit), part)
        return list(self.results.values())

    def _partners(self, place: int) -> list[tuple[_Walker, list[int], bool]]:
        """List the other pawns, how their parts and those of the pawn at `place` meet, and whether they come later."""
        one, orders_of = self.walkers[place], self.engine.tables.orders
        return [
            (other, orders_of(one.shares, other.shares).of_first, number > place)
            for number, other in enumerate(self.walkers)
            if number != place
        ]

    def _extend(
        self, waiting: Waiting, pawns: int, parts: int, rest: int, board: Board, move: FlatMove
    ) -> None:
        """Add every share of the rest in two `parts` or more to `move`; `pawns` more may get their first part."""
        pawns_of_all, (mine, fresh, taken) = self.all, board
        for walker, worth, depends in waiting:
            if (pawns == 0 and not walker.again) or (self.homes and self._is_early(walker, mine)):
                continue
            left = pawns - (not walker.again)
            # Each part leaves at least one step for every later one.
            for steps in range(1, rest - parts + 2):
                if not worth >> steps & 1:
                    continue
                touched = depends >> steps & 1
                for part in self._parts(walker, steps, move) if touched else walker.options[steps]:
                    dst = 1 << part[TO]
                    hit = part[TAKEN] | dst
                    # `_after` without its call: the hole is nearly always empty, and then one bit moves.
                    if touched or hit & pawns_of_all:
                        after = self._taking(board, walker, part[TO], hit)
                    else:
                        after = mine ^ (walker.bit | dst) << walker.shift, fresh & walker.stays, taken
                    so_far = move + part
                    if parts == 2:
                        last = rest - steps
                        for other, _, depend in _still_waiting(waiting, walker, steps, hit, left == 0, last):
                            self._end(other, last, depend >> last & 1, after, so_far)
                        if self.twice:
                            self._end(self._moved_on(walker, part[TO]), last, 1, after, so_far)
                        continue
                    others = list(_still_waiting(waiting, walker, steps, hit, left == 0, 0))
                    if self.twice:
                        others.append((self._moved_on(walker, part[TO]), ALL_STEPS, ALL_STEPS))
                    if others:
                        self._extend(others, left, parts - 1, rest - steps, after, so_far)

    def _end(self, walker: _Walker, rest: int, touched: int, board: Board, move: FlatMove) -> None:
        """Add every last part of a pawn, which takes all that is left, to `move`."""
        results, (mine, fresh, taken) = self.results, board
        if self.homes and self._is_early(walker, mine):
            return
        for part in self._parts(walker, rest, move) if touched else walker.options[rest]:
            dst = 1 << part[TO]
            hit = part[TAKEN] | dst
            if touched or hit & self.all:
                after = self._taking(board, walker, part[TO], hit)
            else:
                after = mine ^ (walker.bit | dst) << walker.shift, fresh & walker.stays, taken
            if after not in results:
                results[after] = move + part

    def _is_early(self, walker: _Walker, mine: int) -> bool:
        """Whether it is a mate's pawn, which may go when all own ones are home."""
        return walker.seat != self.finishing and mine & self.homes != self.homes

    def _parts(self, walker: _Walker, steps: int, move: FlatMove) -> list[FlatMove]:
        """List the parts of a pawn that are open after `move`."""
        here = self.here.get(move)
        if here is None:
            here = self.here[move] = self.engine.apply(self.state, move)
        found: list[FlatMove] = []
        self.engine.add_ways(found, here, walker.seat, walker.shares.ways[steps])
        return found

    def _after(self, board: Board, walker: _Walker, part: FlatMove) -> Board:
        """Return the board after a part that depends on none before it."""
        dst = 1 << part[TO]
        hit = part[TAKEN] | dst
        if hit & self.all:
            return self._taking(board, walker, part[TO], hit)
        return board[0] ^ (walker.bit | dst) << walker.shift, board[1] & walker.stays, board[2]

    def _taking(self, board: Board, walker: _Walker, to: int, hit: int) -> Board:
        """Return the board after a part that took any pawns on the cells of `hit`."""
        mine, fresh, taken = board
        mine &= ~(walker.bit << walker.shift)
        for place in range(len(self.seats)):
            mine &= ~(hit << place * self.engine.cell_count)
        fresh &= walker.stays & ~self.engine.start_bits[to]
        return mine | 1 << to << walker.shift, fresh, taken | hit & self.foreign

    def _moved_on(self, walker: _Walker, cell: int) -> _Walker:
        """Return the pawn on its new hole, from where it may get another part, but not by a dotted line."""
        moved = self.moved.get((walker.seat, cell))
        if moved is None:
            shares = self.engine.tables.shares(walker.seat, cell, False)
            before = self.seen.copy()
            moved = self.moved[walker.seat, cell] = self._walker(walker.seat, cell, shares, True)
            for other in before:
                _introduce(self.engine, moved, other)
        return moved


def _introduce(engine: Mechanics, one: _Walker, other: _Walker) -> None:
    """Note which parts of two pawns depend on each other."""
    met = engine.tables.meetings(one.shares, other.shares)
    if met is not None:
        other.met[one.order], one.met[other.order] = met


def _still_waiting(
    waiting: Waiting, moved: _Walker, steps: int, hit: int, again_only: bool, last: int
) -> Iterator[tuple[_Walker, int, int]]:
    """Yield those that wait after a part of `moved` that took any pawns on the cells of `hit`.

    If `last` steps are left for one pawn, only those that may walk them; `again_only` if no other pawn may start.
    """
    order = moved.order
    for walker, worth, depends in waiting:
        if walker is not moved and not hit & walker.bit and (walker.again or not again_only):
            met = walker.met.get(order)
            meets = 0 if met is None else met[steps]
            now = meets | worth if order < walker.order else meets
            if not last or now >> last & 1:
                yield walker, now, depends | meets
