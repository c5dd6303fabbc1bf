"""A seven shared by several pawns: every distinct result once (R004-18, open points A-20, A-21).

Four pawns share a seven in 120 ways, and in 916 when the order counts: one pawn may open the way for the next, close
it, or take a pawn that the other would have taken. Playing them all, as `seven_part_by_part` does, is slow and mostly
for nothing, because pawns are far apart. So the work is done in three degrees, each only for what needs it:

1. Pawns that cannot come near each other: every combination of their parts is a move, and no two are alike.
2. Pawns that come near: different shares may lead to the same board, so results are compared.
3. Parts that touch each other's ways (`Meetings`, worked out once for each pair of places) are *entangled*: only these
   are played in every order.

By hand, where passing is free and both pawns belong to P0, A and B:

    T5  T6  T7  T8  T9  T10 T11 T12          A7       and A3 + B4 fill the same holes: A7 has fewer parts and stays
    A           B                            B7, A1 + B6, A2 + B5, A4 + B3
                                             A5 + B2  whoever comes to T10 second takes the other, a result of its own
                                             A6 + B1

A3 ends on B's hole, so its order with any part of B matters: A first would take B, which then cannot walk. A6 + B1 is
the board of A4 + B3 with the pawns swapped, and pawns of one seat are alike. Six moves are left of eight shares:

>>> from tock_rules import Position
>>> here = Position.parse("diagonale 4 P0 P0/P1/P2/P3 P0:T5,T8 P1: P2: P3:")
>>> for move in here.legal_moves("7H"):
...     print(move)
7H P0:T5>T12
7H P0:T8>T15
7H P0:T5>T6 + P0:T8>T14
7H P0:T5>T7 + P0:T8>T13
7H P0:T5>T9 + P0:T8>T11
7H P0:T5>T10 + P0:T8>T10

Where passing is forbidden, B stands in the way of A's three steps and more, but A may take them once B has moved:

>>> here = Position.parse("joker-individuel 4 P0 P0/P1/P2/P3 P0:T5,T8 P1: P2: P3:")
>>> print(here.legal_moves("7H")[-3])
7H P0:T8>T12 + P0:T5>T8
"""

from typing import TYPE_CHECKING

from tock_rules.actions import TAKEN, TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.seats import ZONE_LENGTH
from tock_rules.seven_part_by_part import TOTAL, search
from tock_rules.state import FULL, State
from tock_rules.walking import add_open_ways
from tock_rules.ways import Shares

if TYPE_CHECKING:
    from mypy_extensions import i64

Begun = tuple[int, int, int, FlatMove]
"""Parts played so far: `mine`, fresh pawns, foreign pawns taken (as in `_Sharing`), and the move.

The first three say what the board has become, whatever the order was, and are much cheaper than a `State`.
"""


def seven_moves(
    engine: Mechanics, state: State, seat: int, control: tuple[int, ...], no_line: int
) -> list[FlatMove]:
    """One move per distinct result, with few parts and pawns in board order where that is possible."""
    # Both change in mid-move which pawns may get a part; everything below relies on that being known beforehand.
    if engine.rest_matters and (engine.rules.seven_same_pawn_twice or _may_finish(engine, state, control)):
        return search(engine, state, seat, no_line)
    walkers: list[_Walker] = []
    centre = engine.centre
    for own in control:
        for cell in state.pawns[4 * own : 4 * own + 4]:
            # A pawn in the centre leaves it with a whole card only, so it gets no part.
            if 0 <= cell < centre or (cell > centre and not _settled(engine, state, own, cell)):
                lines = engine.lines and not no_line >> cell & 1
                walkers.append(_Walker(own, cell, engine.tables.shares(own, cell, lines)))
    if len(walkers) > 1:
        return _Sharing(engine, state, control, walkers).moves()
    out: list[FlatMove] = []
    for walker in walkers:
        engine.add_ways(out, state, walker.seat, walker.shares.ways[TOTAL])
    return out


def _settled(engine: Mechanics, state: State, seat: int, cell: int) -> bool:
    """Whether a pawn at home can climb no further, whatever the others do: all holes above it are filled for good."""
    place = cell - engine.centre - 1 - 4 * seat
    return state.occ[engine.first_home + seat] >> place == FULL >> place


def _may_finish(engine: Mechanics, state: State, control: tuple[int, ...]) -> bool:
    """Whether a part of the seven may bring the last own pawn home, so that the rest moves a mate's (open point A-21).

    The estimate is on the safe side: it takes every way for open. A wrong yes costs time, a wrong no would lose moves.
    """
    for own in control:
        if engine.mates[own]:
            steps = 0
            for cell in state.pawns[4 * own : 4 * own + 4]:
                steps += engine.tables.to_home(own, cell) if cell >= 0 else TOTAL
            if steps < TOTAL:
                return True
    return False


class _Walker:
    """A pawn that may get a part of a seven."""

    __slots__ = ("bit", "cell", "options", "seat", "shares", "shift", "stays", "worth")

    def __init__(self, seat: int, cell: int, shares: Shares) -> None:
        self.seat: int = seat
        self.cell: int = cell
        self.shares = shares
        self.bit = 0
        """Its cell as a set."""
        self.shift = 0
        """Shift of its cells in `_Sharing.mine`."""
        self.stays = -1
        """The seats whose fresh pawns stay fresh when this one walks, a bit each."""
        self.options: list[list[FlatMove]] = shares.options
        """Its parts of 0 to 7 steps that are open before anybody has moved."""
        self.worth: i64 = 0
        """Numbers of steps worth trying, a bit each: a part is open, or may open once another pawn has left its way.

        0b11111110 for A above in both games, though `options[3]` to `options[7]` are empty in the second.
        """


class _Sharing:
    """All ways to share a seven between several pawns that stay under the same control."""

    def __init__(
        self, engine: Mechanics, state: State, control: tuple[int, ...], walkers: list[_Walker]
    ) -> None:
        self.engine = engine
        self.state = state
        self.control = control
        self.walkers = walkers
        self.out: list[FlatMove] = []
        self.spared = [engine.partner_cells(state, own) for own in control] if engine.spares_mates else []
        self.meets: list[list[int]] = []
        """For every walker, which parts of it and of every earlier one depend on each other (`Meetings.parts`)."""
        self.chosen: list[i64] = []
        self.steps: list[i64] = []
        """The share chosen so far: numbers of walkers, and how many steps each of them gets."""
        self.foreign = 0
        """Cells of the pawns that do not share the seven."""
        self.all = 0
        """Cells of all pawns."""
        self.mine = 0
        """Cells of the pawns that do: one bit for each cell of the board, for each seat in `control` in turn.

        Where P0 is home and plays for P2 and P4 on 133 cells, P2's pawn on T5 is bit 5, P4's on T8 is bit 133 + 8.
        The seats are kept apart because a board on which two pawns of theirs have changed places is another one.
        """
        self.results: dict[tuple[int, int, int], FlatMove] = {}
        """Moves by the board they lead to: `mine`, fresh pawns, foreign pawns taken. The first move found stays."""

    def moves(self) -> list[FlatMove]:
        """The moves, fewest parts first: of moves with the same result the plainest is listed."""
        for walker in self.walkers:
            self._find_open_parts(walker)
        mixed = self._find_meetings()
        if mixed:
            self._note_pawns()
        for parts in range(1, min(len(self.walkers), self.engine.seven_pawns) + 1):
            if mixed:
                self._choose(0, parts, TOTAL, 0, [(self.mine, self.state.fresh, 0, ())])
            elif parts == 1:
                for walker in self.walkers:
                    self.out += walker.options[TOTAL]
            else:
                self._combine(0, parts, TOTAL, ())
        return list(self.results.values()) if mixed else self.out

    def _find_open_parts(self, walker: _Walker) -> None:
        """Find the parts that are open now: most often all of them, as the table has them."""
        engine, state, shares = self.engine, self.state, walker.shares
        protected: i64 = engine.protected_seats(state.own, state.fresh)
        # The common case: no hole of the board matters to any of its parts.
        if shares.sure and not protected & shares.blocking_starts:
            walker.worth = shares.worth
            return
        walker.options = [[]]
        for steps in range(1, TOTAL + 1):
            found: list[FlatMove] = []
            self._add_open_parts(found, walker, steps, state.occ, protected)
            walker.options.append(found)
            if found:
                walker.worth |= 1 << steps

    def _add_open_parts(
        self, out: list[FlatMove], walker: _Walker, steps: "i64", occ: list[int], protected: "i64"
    ) -> None:
        home = occ[self.engine.first_home + walker.seat]
        spared = self.spared[self.control.index(walker.seat)] if self.spared else 0
        add_open_ways(out, walker.shares.ways[steps], occ, protected, home, spared, False)

    def _find_meetings(self) -> bool:
        """Look up which parts depend on each other; say whether any two pawns come near each other."""
        tables = self.engine.tables
        mixed = False
        earlier: list[_Walker] = []
        for b in self.walkers:
            row: list[int] = []
            for a in earlier:
                meets = tables.meetings(a.seat, a.cell, b.seat, b.cell)
                row.append(meets.parts)
                # A part blocked by the other pawn may open when that pawn moves on.
                a.worth |= meets.first
                b.worth |= meets.second
                mixed = mixed or meets.near
            self.meets.append(row)
            earlier.append(b)
        return mixed

    def _combine(self, first: int, parts: int, rest: int, move: FlatMove) -> None:
        """Add every share of the rest among `parts` of the walkers from `first` on, none of which come near another."""
        walkers, out = self.walkers, self.out
        last = len(walkers)
        for index in range(first, last - parts + 1):
            options = walkers[index].options
            for steps in range(1, rest - parts + 2):
                for part in options[steps]:
                    begun = move + part if move else part
                    # The last two parts are combined in place: a call for each would cost more than the loop.
                    if parts > 2:
                        self._combine(index + 1, parts - 1, rest - steps, begun)
                        continue
                    for other in range(index + 1, last):
                        for end in walkers[other].options[rest - steps]:
                            out.append(begun + end)

    def _note_pawns(self) -> None:
        """Write down where all pawns stand, as sets of cells: results are compared by these, without playing them."""
        occ, engine = self.state.occ, self.engine
        for zone in range(engine.zones):
            self.all |= occ[zone] << ZONE_LENGTH * zone
        self.foreign = self.all
        for walker in self.walkers:
            walker.bit = 1 << walker.cell
            walker.stays = ~engine.start_bits[walker.cell]
            walker.shift = self.control.index(walker.seat) * engine.cell_count
            self.foreign &= ~walker.bit
            self.mine |= walker.bit << walker.shift

    def _choose(self, first: "i64", parts: "i64", rest: "i64", entangled: "i64", begun: list[Begun]) -> None:
        """Try every share of the rest among `parts` of the walkers from `first` on.

        `begun` holds the results of the parts chosen so far, while their order does not matter. Once the order of a
        part matters it is empty, and `entangled` names the walkers (a bit each) to be played in every order.
        """
        walkers, chosen, results = self.walkers, self.chosen, self.results
        last: i64 = len(walkers) - parts + 1
        # The last part takes all that is left; each part before it leaves at least one step for every later one.
        least: i64 = rest if parts == 1 else 1
        for index in range(first, last):
            walker = walkers[index]
            for steps in range(least, rest - parts + 2):
                if not walker.worth >> steps & 1:
                    continue
                now_entangled = entangled | self._entangled_by(index, steps) if chosen else entangled
                if not walker.options[steps]:
                    # Closed as the board is: only after another pawn's part can it be played at all.
                    now_entangled |= 1 << index
                played = [] if now_entangled else self._join(begun, walker, steps)
                if parts == 1 and not now_entangled:
                    for mine, fresh, taken, move in played:
                        results.setdefault((mine, fresh, taken), move)
                    continue
                chosen.append(index)
                self.steps.append(steps)
                if parts > 1:
                    self._choose(index + 1, parts - 1, rest - steps, now_entangled, played)
                else:
                    self._play_in_every_order(now_entangled)
                chosen.pop()
                self.steps.pop()

    def _entangled_by(self, index: "i64", steps: "i64") -> "i64":
        """The walkers chosen before whose parts meet these steps, and the walker itself, a bit each; 0 if none does."""
        row, chosen, steps_of = self.meets[index], self.chosen, self.steps
        met: i64 = 0
        for place in range(len(chosen)):
            if row[chosen[place]] >> 8 * steps_of[place] + steps & 1:
                met |= 1 << chosen[place] | 1 << index
        return met

    def _join(self, begun: list[Begun], walker: _Walker, steps: "i64") -> list[Begun]:
        """Add a part to others that come to the same in any order."""
        out: list[Begun] = []
        for mine, fresh, taken, move in begun:
            for part in walker.options[steps]:
                dst = 1 << part[TO]
                hit = part[TAKEN] | dst
                # The hole is nearly always empty; then one bit moves.
                if hit & self.all:
                    mine_after = self._moved(mine, walker, dst, hit)
                    taken_after = taken | hit & self.foreign
                else:
                    mine_after, taken_after = mine ^ (walker.bit | dst) << walker.shift, taken
                out.append((mine_after, fresh & walker.stays, taken_after, move + part))
        return out

    def _moved(self, mine: int, walker: _Walker, dst: int, hit: int) -> int:
        """Return `mine` after a part to the cell of `dst` that took the pawns on the cells of `hit`."""
        for place in range(len(self.control)):
            mine &= ~(hit << place * self.engine.cell_count)
        return mine ^ (walker.bit | dst) << walker.shift

    def _play_in_every_order(self, entangled: "i64") -> None:
        """Play the chosen parts of the entangled walkers in every order, after those of the others in any."""
        state = self.state
        waiting = 0
        begun: list[Begun] = [(self.mine, state.fresh, 0, ())]
        for place, index in enumerate(self.chosen):
            walker = self.walkers[index]
            if entangled >> index & 1:
                waiting |= walker.bit
            else:
                begun = self._join(begun, walker, self.steps[place])
        # Parts of the others meet none of these, so they may be joined first without changing any result.
        for mine, fresh, taken, move in begun:
            self._play(waiting, state.occ, state.own, fresh, mine, taken, move)

    def _play(
        self, waiting: int, occ: list[int], own: int, fresh: int, mine: int, taken: int, move: FlatMove
    ) -> None:
        """Play the chosen parts of the pawns on the cells of `waiting` in every order; keep every new result.

        Only what decides whether a way is open is kept up to date: `occ`, `own` and `fresh`, as in a `State`.
        """
        engine = self.engine
        for place, index in enumerate(self.chosen):
            walker = self.walkers[index]
            if not walker.bit & waiting:
                continue
            rest = waiting & ~walker.bit
            found: list[FlatMove] = []
            self._add_open_parts(found, walker, self.steps[place], occ, engine.protected_seats(own, fresh))
            for part in found:
                dst, hit = part[TO], part[TAKEN] | 1 << part[TO]
                # A pawn that is still to move has been taken: this order does not play the whole share.
                if hit & rest:
                    continue
                after = self._moved(mine, walker, 1 << dst, hit)
                all_taken = taken | hit & self.foreign
                gone = walker.stays & ~engine.start_bits[dst]
                # The last part: the board after it matters no more, only what tells results apart.
                if not rest:
                    self.results.setdefault((after, fresh & gone, all_taken), move + part)
                    continue
                board = occ.copy()
                for zone in range(engine.zones if part[TAKEN] else 0):
                    board[zone] &= ~(part[TAKEN] >> ZONE_LENGTH * zone)
                board[engine.words[walker.cell]] &= ~engine.bits[walker.cell]
                board[engine.words[dst]] |= engine.bits[dst]
                arrived = 1 << walker.seat if dst == ZONE_LENGTH * walker.seat else 0
                self._play(rest, board, own & gone | arrived, fresh & gone, after, all_taken, move + part)
