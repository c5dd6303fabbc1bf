"""A seven shared by several pawns: every distinct result once (R004-18, SPEC A-20, A-21).

Pawns that cannot meet are combined freely; those that can are taken together, and only shares in which they touch each
other's ways are tried in every order.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tock_companion.rules.actions import JUMP, STEP, FlatMove
from tock_companion.rules.seven_search import part_moves, search
from tock_companion.rules.state import State
from tock_companion.rules.tables import Row, way_of

if TYPE_CHECKING:
    from tock_companion.rules.engine import Engine

TOTAL = 7
EVERY = (1, 2, 3, 4, 5, 6, 7)
Share = tuple[int, int]
"""A pawn's part: index of the walker and how many holes."""
Partial = tuple[int, tuple[Share, ...], int, int, bool]
"""Steps used, the parts so far, where those walkers stand, what they may touch, whether they meet."""
Option = tuple[int, int, int]
"""Where a part may end: cell, summit jumped from (-1 for none), cells taken on the way."""
ByTotal = list[list[FlatMove]]
"""Moves for every number of steps from 0 to 7."""


def seven_moves(engine: "Engine", state: State, seat: int, no_line: int) -> list[FlatMove]:
    """Return one move per distinct result, with few parts and pawns in board order where that is possible."""
    control = engine.control(state, seat)
    rules = engine.rules
    if rules.seven_same_pawn_twice or rules.jump_chain or engine.lines or _may_finish(engine, state, control):
        return search(engine, state, seat, no_line)
    centre = engine.shape.centre
    pawns = state.pawns
    walkers = [
        (own, cell)
        for own in control
        for cell in pawns[4 * own : 4 * own + 4]
        if 0 <= cell < centre or (cell > centre and not _settled(engine, state.occ, own, cell))
    ]
    if len(walkers) == 1:
        return part_moves(engine, state, walkers[0][0], walkers[0][1], TOTAL, no_line)
    return _Sharing(engine, state, control, walkers).moves() if walkers else []


def _settled(engine: "Engine", occ: int, seat: int, cell: int) -> bool:
    """Whether a pawn at home can never climb any more: only pawns are above it."""
    above = engine.homes[seat] >> cell << cell
    return occ & above == above


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
        self.engine = engine
        self.state = state
        self.walkers = walkers
        self.starts = engine.starts
        self.land = [engine.partner_cells(state, own) if engine.spares_mates else 0 for own, _ in walkers]
        # In `mine` pawns of different seats are told apart by shifting their cells.
        self.shifts = [engine.shape.cell_count * place for place in range(len(control))]
        self.shift = [self.shifts[control.index(own)] for own, _ in walkers]
        self.most = engine.rules.seven_pawns

    def moves(self) -> list[FlatMove]:
        """Return the moves, fewest parts first."""
        known: ByTotal = [[()], [], [], [], [], [], [], []]
        groups = self._groups()
        last = len(groups) - 1
        for place, group in enumerate(groups):
            # With the last group the seven must be used up.
            wanted = [7 - used for used in range(TOTAL) if known[used]] if place == last else EVERY
            parts = self._alone(group[0], wanted) if len(group) == 1 else self._together(group, wanted)
            joined: ByTotal = (
                [[], [], [], [], [], [], [], known[TOTAL].copy()]
                if place == last
                else [m.copy() for m in known]
            )
            for steps in wanted:
                if parts[steps]:
                    for used in (7 - steps,) if place == last else range(TOTAL + 1 - steps):
                        if known[used]:
                            joined[used + steps] += [
                                move + part for move in known[used] for part in parts[steps]
                            ]
            known = joined
        out = known[TOTAL]
        if len(self.walkers) > self.most:
            out = [move for move in out if len(move) <= 6 * self.most]
        out.sort(key=len)
        return out

    def _groups(self) -> list[list[int]]:
        """Return the walkers in groups: no pawn of one group can come near a pawn of another."""
        reach = self.engine.tables.reach
        groups: list[tuple[int, list[int]]] = []
        for index, (own, cell) in enumerate(self.walkers):
            mask, members = reach(own, cell), [index]
            apart: list[tuple[int, list[int]]] = []
            for other, others in groups:
                if other & mask:
                    mask |= other
                    members = others + members
                else:
                    apart.append((other, others))
            groups = [*apart, (mask, members)]
        # Those that take longest come last: then one knows which totals are of use.
        return sorted((members for _, members in groups), key=len)

    def _alone(self, index: int, wanted: Sequence[int]) -> ByTotal:
        """Return the parts of a walker that meets no other."""
        own, cell = self.walkers[index]
        state = self.state
        rows = self.engine.tables.shares(own, cell)
        out: ByTotal = [[], [], [], [], [], [], [], []]
        for steps in wanted:
            options = self._options(index, rows[steps - 1], state.occ, state.own, state.fresh)
            out[steps] = [
                (STEP if via < 0 else JUMP, own, cell, dst, via, taken) for dst, via, taken in options
            ]
        return out

    def _options(self, index: int, row: Row | None, occ: int, own: int, fresh: int) -> list[Option]:
        """Return where the walker may end with the steps of this row on a board with these pawns."""
        if row is None:
            return []
        engine = self.engine
        dst, path, bit, more = row
        protected = own if engine.any_own else fresh
        block = occ if engine.no_passing else protected if engine.start_blocks else 0
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
            out.append((jump, dst, bit & occ if engine.takes_first else 0))
        return out

    def _together(self, group: list[int], wanted: Sequence[int]) -> ByTotal:
        """Return the moves of walkers that may meet, each result once for every number of steps."""
        state = self.state
        rows = {index: self.engine.tables.shares(*self.walkers[index]) for index in group}
        options = {
            index: [self._options(index, row, state.occ, state.own, state.fresh) for row in rows[index]]
            for index in group
        }
        mine = 0
        for index in group:
            mine |= 1 << (self.walkers[index][1] + self.shift[index])
        out: ByTotal = [[], [], [], [], [], [], [], []]
        by_total = self._shares(group, rows, options)
        if not any(meets for total in wanted for _, meets in by_total[total]) and not self._takes_own(
            group, options
        ):
            for total in wanted:
                out[total] = [move for shares, _ in by_total[total] for move in self._plain(shares, options)]
            return out
        for total in wanted:
            results: dict[tuple[int, int, int], FlatMove] = {}
            for shares, entangled in by_total[total]:
                if entangled:
                    self._order(shares, rows, (state.occ, state.own, state.fresh, mine), (), results)
                else:
                    self._combine(shares, options, (state.occ, state.own, state.fresh, mine), (), results)
            out[total] = list(results.values())
        return out

    def _takes_own(self, group: list[int], options: dict[int, list[list[Option]]]) -> bool:
        """Whether some part ends on an own pawn: pawns of a colour being alike, results may then coincide."""
        own = {self.walkers[index][1] for index in group}
        return any(dst in own for index in group for option in options[index] for dst, _, _ in option)

    def _plain(self, shares: tuple[Share, ...], options: dict[int, list[list[Option]]]) -> list[FlatMove]:
        """Return every combination of the endings of parts that do not meet."""
        moves: list[FlatMove] = [()]
        for index, steps in shares:
            seat, cell = self.walkers[index]
            parts = [
                (STEP if via < 0 else JUMP, seat, cell, dst, via, taken)
                for dst, via, taken in options[index][steps - 1]
            ]
            moves = [move + part for move in moves for part in parts]
        return moves

    def _shares(
        self, group: list[int], rows: dict[int, list[Row | None]], options: dict[int, list[list[Option]]]
    ) -> list[list[tuple[tuple[Share, ...], bool]]]:
        """Return for every number of steps the ways to share it, few parts first, and whether the pawns then meet."""
        own = 0
        for index in group:
            own |= 1 << self.walkers[index][1]
        partial: list[Partial] = [(0, (), 0, 0, False)]
        for index in group:
            here = 1 << self.walkers[index][1]
            ways: list[tuple[int, int, bool]] = []
            for steps, row in enumerate(rows[index], 1):
                if row is not None:
                    way, open_now = way_of(row), bool(options[index][steps - 1])
                    # A blocked part can only become free when an own pawn leaves its way.
                    if open_now or way & own & ~here:
                        ways.append((steps, way, not open_now))
            for used, shares, cells, touched, meets in partial.copy():
                for steps, way, waits in ways:
                    if used + steps > TOTAL or len(shares) == self.most:
                        break
                    clash = meets or waits or bool(way & (cells | touched) or touched & here)
                    partial.append(
                        (used + steps, (*shares, (index, steps)), cells | here, touched | way, clash)
                    )
        out: list[list[tuple[tuple[Share, ...], bool]]] = [[] for _ in range(TOTAL + 1)]
        for used, shares, _, _, meets in sorted(partial[1:], key=_parts):
            out[used].append((shares, meets))
        return out

    def _combine(
        self,
        shares: tuple[Share, ...],
        options: dict[int, list[list[Option]]],
        board: tuple[int, int, int, int],
        move: FlatMove,
        results: dict[tuple[int, int, int], FlatMove],
    ) -> None:
        """Keep every new result of parts whose order does not matter."""
        if not shares:
            results.setdefault((board[0], board[2], board[3]), move)
            return
        index, steps = shares[0]
        seat, cell = self.walkers[index]
        for dst, via, taken in options[index][steps - 1]:
            part = (STEP if via < 0 else JUMP, seat, cell, dst, via, taken)
            after = self._after(board, index, cell, dst, taken | board[0] & 1 << dst)
            self._combine(shares[1:], options, after, move + part, results)

    def _order(
        self,
        shares: tuple[Share, ...],
        rows: dict[int, list[Row | None]],
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
            for dst, via, taken in self._options(index, rows[index][steps - 1], occ, own, fresh):
                hit = taken | occ & 1 << dst
                if hit & waiting:
                    continue
                part = (STEP if via < 0 else JUMP, seat, cell, dst, via, taken)
                self._order(others, rows, self._after(board, index, cell, dst, hit), move + part, results)

    def _after(
        self, board: tuple[int, int, int, int], index: int, cell: int, dst: int, hit: int
    ) -> tuple[int, int, int, int]:
        """Return occ, own, fresh and mine after the walker went from `cell` to `dst` and took what it hit."""
        occ, own, fresh, mine = board
        rest = ~(hit | 1 << cell)
        bit = 1 << dst
        if hit:
            for shift in self.shifts:
                mine &= ~(hit << shift)
        shift = self.shift[index]
        mine = mine & ~(1 << (cell + shift)) | bit << shift
        own &= rest
        if dst == self.starts[self.walkers[index][0]]:
            own |= bit
        return occ & rest | bit, own, fresh & rest, mine


def _parts(partial: Partial) -> int:
    return len(partial[1])
