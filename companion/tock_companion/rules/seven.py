"""A seven shared by several pawns: every distinct result once (R004-18, SPEC A-20, A-21).

Shares whose pawns do not touch each other's ways are combined freely; only the others are tried in every order.
"""

from typing import TYPE_CHECKING

from tock_companion.rules.actions import JUMP, STEP, FlatMove
from tock_companion.rules.seven_search import search
from tock_companion.rules.state import State
from tock_companion.rules.tables import Row, way_of

if TYPE_CHECKING:
    from tock_companion.rules.engine import Engine

TOTAL = 7
Share = tuple[int, int]
"""A pawn's part: index of the walker and how many holes."""
Partial = tuple[int, tuple[Share, ...], int, int, bool]
"""Steps still to share, the parts so far, where those walkers stand, what they may touch, whether they meet."""
Option = tuple[int, int, int]
"""Where a part may end: cell, summit jumped from (-1 for none), cells taken on the way."""


def seven_moves(engine: "Engine", state: State, seat: int, no_line: int) -> list[FlatMove]:
    """Return one move per distinct result, with few parts and pawns in board order where that is possible."""
    control = engine.control(state, seat)
    rules = engine.rules
    if rules.seven_same_pawn_twice or rules.jump_chain or engine.lines or _may_finish(engine, state, control):
        return search(engine, state, seat, no_line)
    centre = engine.shape.centre
    pawns = state.pawns
    walkers = [(own, cell) for own in control for cell in pawns[4 * own : 4 * own + 4] if 0 <= cell != centre]
    return _Sharing(engine, state, control, walkers).moves() if walkers else []


def _may_finish(engine: "Engine", state: State, control: tuple[int, ...]) -> bool:
    """Whether the last own pawns may come home with some parts, so that the rest moves a mate's (SPEC A-21)."""
    for own in control:
        if engine.mates[own]:
            cells = state.pawns[4 * own : 4 * own + 4]
            home, centre, reach = engine.homes[own], engine.shape.centre, engine.tables.reach
            if -1 not in cells and centre not in cells and all(reach(own, cell) & home for cell in cells):
                return True
    return False


class _Sharing:
    """All ways to share a seven between pawns that stay under the same control."""

    def __init__(
        self, engine: "Engine", state: State, control: tuple[int, ...], walkers: list[tuple[int, int]]
    ) -> None:
        self.state = state
        self.walkers = walkers
        self.starts = engine.starts
        self.rows: list[list[Row | None]] = [engine.tables.shares(own, cell) for own, cell in walkers]
        self.land = [engine.partner_cells(state, own) for own, _ in walkers]
        # In `mine` pawns of different seats are told apart by shifting their cells.
        self.shifts = [engine.shape.cell_count * place for place in range(len(control))]
        self.shift = [self.shifts[control.index(own)] for own, _ in walkers]
        self.most = engine.rules.seven_pawns
        self.takes_first = engine.rules.jump_takes_first
        self.passing = engine.rules.passing == "forbidden"
        self.blocks = engine.rules.start_blocks
        self.any_own = engine.any_own
        self.options = [
            [self._options(index, row, state.occ, state.own, state.fresh) for row in rows]
            for index, rows in enumerate(self.rows)
        ]
        self.free: list[tuple[Share, ...]] = []
        self.entangled: list[tuple[Share, ...]] = []

    def moves(self) -> list[FlatMove]:
        """Return the moves, fewest parts first."""
        self._share()
        out: list[FlatMove] = []
        for shares in self.free:
            self._combine(shares, 0, (), out)
        if self.entangled or self._takes_own():
            results: dict[tuple[int, int, int], FlatMove] = {}
            mine = 0
            for (_, cell), shift in zip(self.walkers, self.shift, strict=True):
                mine |= 1 << (cell + shift)
            for move in out:
                results.setdefault(self._result(move, mine), move)
            state = self.state
            for shares in sorted(self.entangled, key=len):
                self._order(shares, (state.occ, state.own, state.fresh, mine), (), results)
            out = list(results.values())
        out.sort(key=len)
        return out

    def _takes_own(self) -> bool:
        """Whether some part ends on an own pawn: pawns of a colour being alike, results may then coincide."""
        own = {cell for _, cell in self.walkers}
        return any(dst in own for options in self.options for option in options for dst, _, _ in option)

    def _options(self, index: int, row: Row | None, occ: int, own: int, fresh: int) -> list[Option]:
        """Return where the walker may end with the steps of this row on a board with these pawns."""
        if row is None:
            return []
        dst, path, bit, more = row
        protected = own if self.any_own else fresh
        block = occ if self.passing else protected if self.blocks else 0
        land = protected | self.land[index]
        if more is None:
            return [] if block & path or land & bit else [(dst, -1, 0)]
        home, need, home_path, jump, jump_bit, may_stay, may_pass = more
        out: list[Option] = []
        if home >= 0 and not occ & need and not block & home_path:
            out.append((home, -1, 0))
            if not may_pass:
                return out
        if dst < 0 or block & path or land & bit:
            return out
        if may_stay:
            out.append((dst, -1, 0))
        if jump >= 0 and not land & jump_bit:
            out.append((jump, dst, bit & occ if self.takes_first else 0))
        return out

    def _share(self) -> None:
        """Find every way to share the seven, walker after walker, and tell the free ones from the entangled."""
        most, last = self.most, len(self.walkers) - 1
        own = 0
        for _, cell in self.walkers:
            own |= 1 << cell
        partial: list[Partial] = [(TOTAL, (), 0, 0, False)]
        for index, (_, cell) in enumerate(self.walkers):
            here = 1 << cell
            ways: list[tuple[int, int]] = []
            for steps, row in enumerate(self.rows[index], 1):
                if row is not None:
                    way = way_of(row)
                    # A blocked part can only become free when an own pawn leaves its way.
                    if self.options[index][steps - 1] or way & own:
                        ways.append((steps, way))
            following: list[Partial] = [] if index == last else partial.copy()
            for rest, shares, cells, touched, entangled in partial:
                final = index == last or len(shares) + 1 == most
                for steps, way in ways:
                    if steps > rest or (final and steps < rest):
                        continue
                    meets = entangled or bool(way & (cells | touched) or touched & here)
                    now = (*shares, (index, steps))
                    if steps < rest:
                        following.append((rest - steps, now, cells | here, touched | way, meets))
                    elif meets:
                        self.entangled.append(now)
                    elif all(self.options[walker][count - 1] for walker, count in now):
                        self.free.append(now)
            partial = following

    def _combine(self, shares: tuple[Share, ...], done: int, move: FlatMove, out: list[FlatMove]) -> None:
        """Add every combination of the parts' endings; the order does not matter here."""
        if done == len(shares):
            out.append(move)
            return
        index, steps = shares[done]
        seat, cell = self.walkers[index]
        for dst, via, taken in self.options[index][steps - 1]:
            part = (STEP if via < 0 else JUMP, seat, cell, dst, via, taken)
            self._combine(shares, done + 1, move + part, out)

    def _order(
        self,
        shares: tuple[Share, ...],
        board: tuple[int, int, int, int],
        move: FlatMove,
        results: dict[tuple[int, int, int], FlatMove],
    ) -> None:
        """Play the shares in every order and keep each new result; `board` is occ, own, fresh and mine."""
        occ, own, fresh, mine = board
        if not shares:
            results.setdefault((occ, fresh, mine), move)
            return
        for place, (index, steps) in enumerate(shares):
            others = shares[:place] + shares[place + 1 :]
            waiting = 0
            for other, _ in others:
                waiting |= 1 << self.walkers[other][1]
            seat, cell = self.walkers[index]
            for dst, via, taken in self._options(index, self.rows[index][steps - 1], occ, own, fresh):
                hit = taken | occ & 1 << dst
                if hit & waiting:
                    continue
                part = (STEP if via < 0 else JUMP, seat, cell, dst, via, taken)
                self._order(others, self._after(board, index, cell, dst, hit), move + part, results)

    def _after(
        self, board: tuple[int, int, int, int], index: int, cell: int, dst: int, hit: int
    ) -> tuple[int, int, int, int]:
        """Return occ, own, fresh and mine after the walker went from `cell` to `dst` and took what it hit."""
        occ, own, fresh, mine = board
        gone = hit | 1 << cell
        bit = 1 << dst
        for shift in self.shifts:
            mine &= ~(hit << shift)
        shift = self.shift[index]
        mine = mine & ~(1 << (cell + shift)) | bit << shift
        own &= ~gone
        if dst == self.starts[self.walkers[index][0]]:
            own |= bit
        return occ & ~gone | bit, own, fresh & ~gone, mine

    def _result(self, move: FlatMove, mine: int) -> tuple[int, int, int]:
        """Return what tells the result of a freely combined move apart."""
        state = self.state
        board = (state.occ, state.own, state.fresh, mine)
        for i in range(0, len(move), 6):
            _, seat, cell, dst, _, taken = move[i : i + 6]
            index = self.walkers.index((seat, cell))
            board = self._after(board, index, cell, dst, taken | board[0] & 1 << dst)
        return board[0], board[2], board[3]
