"""A seven shared by several pawns: every distinct result once (R004-18, SPEC A-20, A-21).

Parts of pawns that stay apart are combined freely. A table says which pawns come near each other, so that equal results
must be looked for, and which of their parts matter to each other: only those are played in every order.
"""

from typing import TYPE_CHECKING

from tock_companion.rules.actions import TAKEN, TO, FlatMove
from tock_companion.rules.geometry import ZONE_LENGTH
from tock_companion.rules.mechanics import Mechanics
from tock_companion.rules.seven_search import TOTAL, search
from tock_companion.rules.state import FULL, State
from tock_companion.rules.tables import Shares
from tock_companion.rules.walking import follow

if TYPE_CHECKING:
    from mypy_extensions import i64

Begun = tuple[int, int, int, FlatMove]
"""Parts played so far: `mine`, fresh pawns, foreign pawns taken (as in `_Sharing`), and the move."""


def seven_moves(
    engine: Mechanics, state: State, seat: int, control: tuple[int, ...], no_line: int
) -> list[FlatMove]:
    """Return one move per distinct result, with few parts and pawns in board order where that is possible."""
    if engine.rest_matters and (engine.rules.seven_same_pawn_twice or _may_finish(engine, state, control)):
        return search(engine, state, seat, no_line)
    walkers: list[_Walker] = []
    centre = engine.centre
    for own in control:
        first: i64 = 4 * own
        for index in range(first, first + 4):
            cell: int = state.pawns[index]
            if 0 <= cell < centre or (cell > centre and not _settled(engine, state, own, cell)):
                lines = engine.lines and not no_line >> cell & 1
                walkers.append(_Walker(own, cell, engine.tables.shares(own, cell, lines)))
    if len(walkers) > 1:
        return _Sharing(engine, state, control, walkers).moves()
    out: list[FlatMove] = []
    for walker in walkers:
        engine.follow(out, state, walker.seat, walker.shares.ways[TOTAL])
    return out


def _settled(engine: Mechanics, state: State, seat: int, cell: int) -> bool:
    """Whether a pawn at home can never climb any more: only pawns are above it."""
    place = cell - engine.centre - 1 - 4 * seat
    return state.occ[engine.first_home + seat] >> place == FULL >> place


def _may_finish(engine: Mechanics, state: State, control: tuple[int, ...]) -> bool:
    """Whether the last own pawns may come home with some parts, so that the rest moves a mate's (SPEC A-21)."""
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
        """By how much its cells are shifted in `mine`."""
        self.stays = -1
        """The seats whose fresh pawns stay fresh when this one walks, a bit each."""
        self.options: list[list[FlatMove]] = shares.options
        """Its parts of 0 to 7 steps that are open on the board as it is."""
        self.worth: i64 = 0
        """Steps (a bit each) with a part that is open, or may become so when an own pawn leaves its way."""


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
        """Meetings of every walker with every earlier one."""
        self.who: list[i64] = []
        self.steps: list[i64] = []
        """The parts chosen so far: numbers of walkers and their steps."""
        self.foreign = 0
        """Cells of pawns that do not share the seven."""
        self.all = 0
        """Cells of all pawns."""
        self.mine = 0
        """Cells of those that do, shifted by seat so that pawns of different seats are told apart."""
        self.results: dict[tuple[int, int, int], FlatMove] = {}
        """Moves by what they lead to: `mine`, fresh pawns, foreign pawns taken."""

    def moves(self) -> list[FlatMove]:
        """Return the moves, fewest parts first."""
        for walker in self.walkers:
            self._open(walker)
        mixed = self._find_meetings()
        if mixed:
            self._look_around()
        for parts in range(1, min(len(self.walkers), self.engine.seven_pawns) + 1):
            if mixed:
                self._choose(0, parts, TOTAL, 0, [(self.mine, self.state.fresh, 0, ())])
            elif parts == 1:
                for walker in self.walkers:
                    self.out += walker.options[TOTAL]
            else:
                self._combine(0, parts, TOTAL, ())
        return list(self.results.values()) if mixed else self.out

    def _open(self, walker: _Walker) -> None:
        """Find the parts that are open now; most often they are all."""
        engine, state, shares = self.engine, self.state, walker.shares
        protected: i64 = engine.protected_seats(state.own, state.fresh)
        if shares.sure and not protected & shares.blocking_starts:
            walker.worth = shares.worth
            return
        walker.options = [[]]
        for steps in range(1, TOTAL + 1):
            found: list[FlatMove] = []
            self._follow(found, walker, steps, state.occ, protected)
            walker.options.append(found)
            if found:
                walker.worth |= 1 << steps

    def _follow(
        self, out: list[FlatMove], walker: _Walker, steps: "i64", occ: list[int], protected: "i64"
    ) -> None:
        home = occ[self.engine.first_home + walker.seat]
        spared = self.spared[self.control.index(walker.seat)] if self.spared else 0
        follow(out, walker.shares.ways[steps], occ, protected, home, spared, False)

    def _find_meetings(self) -> bool:
        """Look up which parts matter to which; say whether any pawns come near each other."""
        tables = self.engine.tables
        mixed = False
        earlier: list[_Walker] = []
        for b in self.walkers:
            row: list[int] = []
            for a in earlier:
                meets = tables.meetings(a.seat, a.cell, b.seat, b.cell)
                row.append(meets.parts)
                # A part that matters the other pawn's cell may open when that pawn leaves it.
                a.worth |= meets.first
                b.worth |= meets.second
                mixed = mixed or meets.near
            self.meets.append(row)
            earlier.append(b)
        return mixed

    def _combine(self, first: int, parts: int, rest: int, move: FlatMove) -> None:
        """Add every share of the rest among that many of the walkers from `first` on, who do not meet."""
        walkers, out = self.walkers, self.out
        last = len(walkers)
        for index in range(first, last - parts + 1):
            options = walkers[index].options
            for steps in range(1, rest - parts + 2):
                for part in options[steps]:
                    begun = move + part if move else part
                    if parts > 2:
                        self._combine(index + 1, parts - 1, rest - steps, begun)
                        continue
                    for other in range(index + 1, last):
                        for end in walkers[other].options[rest - steps]:
                            out.append(begun + end)

    def _look_around(self) -> None:
        """Note where all pawns stand."""
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

    def _choose(self, first: "i64", parts: "i64", rest: "i64", tangled: "i64", begun: list[Begun]) -> None:
        """Try every share of the rest among that many walkers; those of `tangled` (a bit each) in every order."""
        walkers, who, results = self.walkers, self.who, self.results
        last: i64 = len(walkers) - parts + 1
        least: i64 = rest if parts == 1 else 1
        for index in range(first, last):
            walker = walkers[index]
            for steps in range(least, rest - parts + 2):
                if not walker.worth >> steps & 1:
                    continue
                matters = tangled | self._met(index, steps)
                if not walker.options[steps]:
                    matters |= 1 << index
                played = [] if matters else self._join(begun, walker, steps)
                if parts == 1 and not matters:
                    for mine, fresh, taken, move in played:
                        results.setdefault((mine, fresh, taken), move)
                    continue
                who.append(index)
                self.steps.append(steps)
                if parts > 1:
                    self._choose(index + 1, parts - 1, rest - steps, matters, played)
                else:
                    self._untangle(matters)
                who.pop()
                self.steps.pop()

    def _met(self, index: "i64", steps: "i64") -> "i64":
        """Return those chosen before to whose parts these steps of a walker matter, and itself, a bit each."""
        row, who, chosen = self.meets[index], self.who, self.steps
        met: i64 = 0
        for place in range(len(who)):
            if row[who[place]] >> 8 * chosen[place] + steps & 1:
                met |= 1 << who[place] | 1 << index
        return met

    def _join(self, begun: list[Begun], walker: _Walker, steps: "i64") -> list[Begun]:
        """Add a part to others, which in whatever order come to the same."""
        out: list[Begun] = []
        for mine, fresh, taken, move in begun:
            for part in walker.options[steps]:
                dst = 1 << part[TO]
                hit = part[TAKEN] | dst
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

    def _untangle(self, tangled: "i64") -> None:
        """Play the chosen parts of some walkers in every order, those of the others in any."""
        state = self.state
        waiting = 0
        begun: list[Begun] = [(self.mine, state.fresh, 0, ())]
        for place, index in enumerate(self.who):
            walker = self.walkers[index]
            if tangled >> index & 1:
                waiting |= walker.bit
            else:
                begun = self._join(begun, walker, self.steps[place])
        for mine, fresh, taken, move in begun:
            self._play(waiting, state.occ, state.own, fresh, mine, taken, move)

    def _play(
        self, waiting: int, occ: list[int], own: int, fresh: int, mine: int, taken: int, move: FlatMove
    ) -> None:
        """Play the chosen parts of the pawns on the cells of `waiting` in every order; keep every new result."""
        engine = self.engine
        for place, index in enumerate(self.who):
            walker = self.walkers[index]
            if not walker.bit & waiting:
                continue
            rest = waiting & ~walker.bit
            found: list[FlatMove] = []
            self._follow(found, walker, self.steps[place], occ, engine.protected_seats(own, fresh))
            for part in found:
                dst, hit = part[TO], part[TAKEN] | 1 << part[TO]
                if hit & rest:
                    continue
                after = self._moved(mine, walker, 1 << dst, hit)
                all_taken = taken | hit & self.foreign
                gone = walker.stays & ~engine.start_bits[dst]
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
