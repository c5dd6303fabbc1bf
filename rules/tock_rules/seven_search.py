"""A seven shared by pawns that meet: parts are played in every order that can matter, and results compared.

Two parts depend on each other if either touches a hole that decides whether the other is open or whom it takes
(`Tables.meetings`). Of neighbouring parts that do not, one order is enough: that of the pawns. So A1 + B6 is played
only as A, B where the two are apart, and in both orders where B's way leads over A. A part that depends on none before
it is looked up as the board was at first; only the others need the board that the parts before have made.

Pawns of a mate may walk once the last own pawn is home (open point A-21); they are listed after all own ones.
"""

from dataclasses import dataclass, field

from tock_rules.actions import TAKEN, TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.state import State
from tock_rules.ways import Shares, Way

TOTAL = 7
ALL_STEPS = 255
"""The set of 0 to 7 steps, a bit each."""
AFTER_OWN = 1000
"""More than there are walkers: added to the order of a mate's."""
Pawn = tuple[int, int]
"""Seat and cell."""


def open_parts(engine: Mechanics, state: State, seat: int, shares: Shares) -> list[list[FlatMove]]:
    """List the parts of 0 to 7 steps that are open now: usually all, straight from the table."""
    if shares.sure and not engine.protected_seats(state.own, state.fresh) & shares.blocking_starts:
        return shares.options
    options: list[list[FlatMove]] = []
    for way in shares.ways:
        found: list[FlatMove] = []
        if way is not None:
            engine.add_ways(found, state, seat, way)
        options.append(found)
    return options


@dataclass(slots=True, eq=False)
class _Walker:
    """A pawn on a hole, from where it may get a part of a seven."""

    seat: int
    cell: int
    bit: int
    """The cell as a set."""
    order: int
    """Of two parts whose order does not matter, that of the pawn with the lower number is listed first."""
    ways: list[Way | None]
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
    """One seven, shared in every way among pawns that meet."""

    def __init__(
        self,
        engine: Mechanics,
        state: State,
        seats: tuple[int, ...],
        no_line: int,
        pawns: list[Pawn],
        finishing: int,
    ) -> None:
        """Take the seats whose pawns may walk; `finishing` is the one that may go on with its mates' pawns, else -1."""
        self.engine = engine
        self.state = state
        self.seats = seats
        self.no_line = no_line
        self.twice = engine.repeats
        self.finishing = finishing
        self.homes = engine.full << engine.shape.home(finishing, 1) if finishing >= 0 else 0
        self.all = 0
        """Cells of all pawns."""
        for zone in range(engine.zones):
            self.all |= state.occ[zone] << engine.shape.zone_length * zone
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
        for own, cell in pawns:
            walker = self._walker(own, cell, no_line, False)
            self.walkers.append(walker)
            self.foreign &= ~walker.bit
            mine |= walker.bit << walker.shift
        self.before: Board = mine, state.fresh, 0
        self.results: dict[Board, FlatMove] = {}

    def _walker(self, seat: int, cell: int, no_line: int, again: bool) -> _Walker:
        engine, state, tables = self.engine, self.state, self.engine.tables
        # All own parts come before a mate's.
        order = len(self.seen) + (AFTER_OWN if self.homes and seat != self.finishing else 0)
        shares = tables.shares(seat, cell, engine.lines and not no_line >> cell & 1)
        shift = self.seats.index(seat) * engine.cell_count
        options, stays = open_parts(engine, state, seat, shares), ~engine.start_bits[cell]
        walker = _Walker(seat, cell, 1 << cell, order, shares.ways, options, shift, stays, again)
        for other in self.seen:
            met = tables.meetings(other.seat, other.cell, seat, cell)
            if met is not None:
                walker.met[other.order], other.met[order] = met
        self.seen.append(walker)
        return walker

    def moves(self) -> list[FlatMove]:
        """List the moves, fewest parts first: of moves with the same result the plainest is listed."""
        pawns = self.engine.seven_pawns
        waiting: Waiting = [(walker, ALL_STEPS, 0) for walker in self.walkers]
        for parts in range(1, (TOTAL if self.twice else min(len(self.walkers), pawns)) + 1):
            self._extend(waiting, pawns, parts, TOTAL, self.before, ())
        return list(self.results.values())

    def _extend(
        self, waiting: Waiting, pawns: int, parts: int, rest: int, board: Board, move: FlatMove
    ) -> None:
        """Add every share of the rest in `parts` parts to `move`; `pawns` more may get their first part."""
        engine, results, homes = self.engine, self.results, self.homes
        mine, fresh, taken = board
        here: State | None = None
        for walker, worth, depends in waiting:
            # The mates' pawns may go when all own ones are home.
            if (pawns == 0 and not walker.again) or (
                homes and walker.seat != self.finishing and mine & homes != homes
            ):
                continue
            # The last part takes all that is left; each part before it leaves at least one step for every later one.
            for steps in range(rest if parts == 1 else 1, rest - parts + 2):
                if not worth >> steps & 1:
                    continue
                options, touched = walker.options[steps], depends >> steps & 1
                if touched:
                    here = here or engine.apply(self.state, move)
                    options = []
                    engine.add_ways(options, here, walker.seat, walker.ways[steps])
                for part in options:
                    dst = 1 << part[TO]
                    hit = part[TAKEN] | dst
                    # The hole is nearly always empty; then one bit moves.
                    if touched or hit & self.all:
                        after = self._taking(board, walker, part[TO], hit)
                    else:
                        after = mine ^ (walker.bit | dst) << walker.shift, fresh & walker.stays, taken
                    if parts == 1:
                        results.setdefault(after, move + part)
                        continue
                    others = _still_waiting(waiting, walker, steps, hit, rest - steps if parts == 2 else 0)
                    if self.twice:
                        others.append((self._moved_on(walker, part[TO]), ALL_STEPS, ALL_STEPS))
                    if others:
                        left = pawns - (not walker.again)
                        self._extend(others, left, parts - 1, rest - steps, after, move + part)

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
            moved = self._walker(walker.seat, cell, self.no_line | 1 << cell, True)
            self.moved[walker.seat, cell] = moved
        return moved


def _still_waiting(waiting: Waiting, moved: _Walker, steps: int, hit: int, last: int) -> Waiting:
    """Return those that wait after a part of `moved` that took any pawns on the cells of `hit`.

    If `last` steps are left for one pawn, only those that may walk them.
    """
    found: Waiting = []
    for walker, worth, depends in waiting:
        if walker is not moved and not hit & walker.bit:
            met = walker.met.get(moved.order)
            meets = 0 if met is None else met[steps]
            now = meets | worth if moved.order < walker.order else meets
            if not last or now >> last & 1:
                found.append((walker, now, depends | meets))
    return found
