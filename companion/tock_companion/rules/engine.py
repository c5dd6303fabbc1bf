"""Legal moves and their results on flat integers: the part that must be fast."""

from collections.abc import Sequence
from functools import lru_cache

from tock_companion.rules.actions import (
    BLACK_JOKER,
    CENTRE_IN,
    CENTRE_OUT,
    CODES,
    COLOUR_JOKER,
    JOKER_CODES,
    LINE,
    ONE_EYED_JACK,
    PART,
    START,
    SWAP,
    THROW,
    TWO_OF_SPADES,
    CardAction,
    FlatMove,
    code_of,
)
from tock_companion.rules.geometry import BoardShape
from tock_companion.rules.ruleset import Ruleset
from tock_companion.rules.seven import seven_moves
from tock_companion.rules.state import State
from tock_companion.rules.tables import OWN, PUSHED, Row, Tables
from tock_companion.rules.walking import walk, walk_lines

__all__ = [
    "CODES",
    "JOKER_CODES",
    "LINE",
    "PART",
    "SWAP",
    "THROW",
    "CardAction",
    "Engine",
    "FlatMove",
    "code_of",
    "engine_for",
]


class Engine:
    """The rules of one table: board, ruleset, who plays and in which teams."""

    def __init__(
        self, shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
    ) -> None:
        """Prepare what does not change during a game; use `engine_for`, which keeps engines."""
        self.shape = shape
        self.rules = rules
        self.seats = seats
        self.tables = Tables(shape, rules)
        zones = range(shape.zones)
        self.starts = [shape.start(seat) for seat in zones]
        self.homes = [sum(1 << shape.home(seat, i) for i in range(1, 5)) for seat in zones]
        self.alone = [(seat,) for seat in zones]
        sides = {seat: tuple(team) for team in teams for seat in team}
        self.mates = {seat: tuple(mate for mate in sides.get(seat, ()) if mate != seat) for seat in seats}
        self.opponents = {
            seat: tuple(s for s in seats if s not in sides.get(seat, (seat,))) for seat in seats
        }
        self.actions = [CardAction(rules, code) for code in range(18)]
        self.advances: list[list[list[Row | None] | None]] = [[None] * shape.zones for _ in range(18)]
        self.summits = shape.summits()
        self.summit_set = sum(1 << cell for cell in self.summits)
        self.any_own = rules.start_protection == "any_own"
        self.no_passing = rules.passing == "forbidden"
        self.start_blocks = rules.start_blocks
        self.push_immune = rules.start_push_immune
        self.spares_mates = rules.partner_landing == "forbidden"
        self.lines = rules.dotted_lines and shape.zones > 4
        self.special = self.lines or self.spares_mates
        """Walking needs more than the rows of one seat."""
        self.takes_first = rules.jump_takes_first
        self.swap_end = shape.centre if rules.centre and rules.centre_jack_swap else shape.track_length - 1
        """Last cell from which a Jack swaps (SPEC A-36)."""

    def kind_of(self, code: int) -> int:
        """Return the plainest card code that does the same under these rules."""
        rules = self.rules
        if code == TWO_OF_SPADES and not rules.deux_de_pique:
            return 2
        if code == ONE_EYED_JACK and not rules.one_eyed_jack:
            return 11
        return BLACK_JOKER if code == COLOUR_JOKER and not rules.colour_joker_sweeps else code

    def swaps_only_others(self, move: FlatMove, own: tuple[int, ...]) -> bool:
        """Whether the move swaps two pawns of which the seat plays neither (R002-45)."""
        return len(move) == PART and move[0] == SWAP and move[1] not in own and move[4] not in own

    def finished(self, state: State, seat: int) -> bool:
        """Whether all four pawns of the seat are home."""
        home = self.homes[seat]
        return state.occ & home == home

    def control(self, state: State, seat: int) -> tuple[int, ...]:
        """Return whose pawns the seat plays: its own, or its unfinished mates' once it is finished."""
        home = self.homes[seat]
        if state.occ & home != home:
            return self.alone[seat]
        if not self.rules.finished_plays_mates:
            return ()
        return tuple(mate for mate in self.mates[seat] if not self.finished(state, mate))

    def protected(self, state: State) -> int:
        """Return the start holes whose pawn is protected."""
        return state.own if self.any_own else state.fresh

    def barriers(self, state: State, sweep: bool) -> tuple[int, int, int]:
        """Return the cells a pawn cannot pass, those it cannot land on, and whose pawns it takes in passing."""
        protected = state.own if self.any_own else state.fresh
        if not sweep:
            return state.occ if self.no_passing else protected if self.start_blocks else 0, protected, 0
        meets = self.rules.king_at_protected
        if meets == "blocked":
            return protected, protected, state.occ
        return (0, protected, state.occ & ~protected) if meets == "passes" else (0, 0, state.occ)

    def partner_cells(self, state: State, seat: int) -> int:
        """Return the cells where the mates of a seat stand, if a house rule forbids landing there (SPEC A-27)."""
        if not self.spares_mates:
            return 0
        return sum(
            1 << c for mate in self.mates[seat] for c in state.pawns[4 * mate : 4 * mate + 4] if c >= 0
        )

    def moves(self, state: State, seat: int, code: int, no_line: int = 0) -> list[FlatMove]:
        """Return the legal moves of a card; pawns on `no_line` cells may not leave by a dotted line."""
        action = self.actions[code]
        home = self.homes[seat]
        control = self.alone[seat] if state.occ & home != home else self.control(state, seat)
        out: list[FlatMove] = []
        if action.start:
            self._starts(out, state, control)
        if action.advance:
            own = control[0] if len(control) == 1 and not self.special else -1
            rows = self.advances[code][own] if own >= 0 else None
            if rows is None:
                self._advances(out, state, control, action, no_line)
            else:
                # The common case without detours: this line of code runs for nearly every card.
                block, land, sweep = self.barriers(state, action.sweep)
                walk(self, out, state.pawns[4 * own : 4 * own + 4], own, rows, state.occ, block, land, sweep)
        elif action.push:
            self._pushes(out, state, seat)
        elif action.seven:
            out += seven_moves(self, state, seat, no_line)
        if action.swap:
            self._swaps(out, state, seat, control, action.any_two)
        if action.centre:
            self._centre(out, state, control)
        return out

    def _starts(self, out: list[FlatMove], state: State, control: tuple[int, ...]) -> None:
        protected = state.own if self.any_own else state.fresh
        for seat in control:
            if -1 in state.pawns[4 * seat : 4 * seat + 4]:
                start = self.starts[seat]
                if not protected >> start & 1 and not (
                    self.spares_mates and self.partner_cells(state, seat) >> start & 1
                ):
                    out.append((START, seat, -1, start, -1, 0))

    def _advances(
        self, out: list[FlatMove], state: State, control: tuple[int, ...], action: CardAction, no_line: int
    ) -> None:
        block, land, sweep = self.barriers(state, action.sweep)
        known = self.advances[action.code]
        for seat in control:
            rows = known[seat]
            if rows is None:
                rows = known[seat] = self.tables.rows(seat, action.advance, OWN)
            land_on = land | self.partner_cells(state, seat) if self.spares_mates else land
            cells = state.pawns[4 * seat : 4 * seat + 4]
            if self.lines:
                walk_lines(
                    self, out, cells, seat, action.advance, state.occ, (block, land_on, sweep), no_line
                )
            else:
                walk(self, out, cells, seat, rows, state.occ, block, land_on, sweep)

    def _pushes(self, out: list[FlatMove], state: State, seat: int) -> None:
        """A five advances an opponent's pawn (R004-19), also across that pawn's own start (R004-20)."""
        block, land, _ = self.barriers(state, False)
        known = self.advances[5]
        for other in self.opponents[seat]:
            rows = known[other]
            if rows is None:
                rows = known[other] = self.tables.rows(other, 5, PUSHED)
            cells: Sequence[int] = state.pawns[4 * other : 4 * other + 4]
            if self.push_immune and land >> self.starts[other] & 1:
                cells = [cell for cell in cells if cell != self.starts[other]]
            walk(self, out, cells, other, rows, state.occ, block, land, 0)

    def _swaps(
        self, out: list[FlatMove], state: State, seat: int, control: tuple[int, ...], any_two: bool
    ) -> None:
        rules, pawns, end = self.rules, state.pawns, self.swap_end
        barred = state.own if rules.start_not_swapped == "any_on_start" else self.protected(state)
        own = [(s, c) for s in control for c in pawns[4 * s : 4 * s + 4] if 0 <= c <= end]
        if not rules.owner_may_swap_protected:
            own = [(s, c) for s, c in own if not barred >> c & 1]
        if not own and not any_two:
            return
        # Pawns of seats that this Jack does not swap with are left out from the start.
        with_whom = self.opponents[seat] if rules.jack_swap == "opponent" and not any_two else self.seats
        others = [
            (s, c)
            for s in with_whom
            if s not in control
            for c in pawns[4 * s : 4 * s + 4]
            if 0 <= c <= end and not barred >> c & 1
        ]
        alike = any_two or rules.jack_swap == "any"
        between_mates = alike or rules.jack_swap == "other_player"
        for i, (a_seat, a) in enumerate(own):
            for b_seat, b in own[i + 1 :]:
                if alike or (between_mates and a_seat != b_seat):
                    out.append((SWAP, a_seat, a, b, b_seat, 0))
            out += [(SWAP, a_seat, a, b, b_seat, 0) for b_seat, b in others]
        if any_two:
            for i, (a_seat, a) in enumerate(others):
                out += [(SWAP, a_seat, a, b, b_seat, 0) for b_seat, b in others[i + 1 :]]

    def _centre(self, out: list[FlatMove], state: State, control: tuple[int, ...]) -> None:
        """Any 7 leads into the centre, the centre to any 7, with the whole card (R002-20 to R002-22)."""
        centre = self.shape.centre
        for seat in control:
            land = self.partner_cells(state, seat)
            for src in state.pawns[4 * seat : 4 * seat + 4]:
                if src >= 0 and self.summit_set >> src & 1 and not land >> centre & 1:
                    out.append((CENTRE_IN, seat, src, centre, -1, 0))
                elif src == centre:
                    out += [(CENTRE_OUT, seat, src, to, -1, 0) for to in self.summits if not land >> to & 1]

    def apply(self, state: State, move: FlatMove) -> State:
        """Return the state after a move of `moves`."""
        if len(move) == PART:
            return self._after_part(state, move)
        for i in range(0, len(move), PART):
            state = self._after_part(state, move[i : i + PART])
        return state

    def _after_part(self, state: State, part: FlatMove) -> State:
        kind, seat, src, dst, via, taken = part
        pawns = state.pawns.copy()
        occ, own, fresh = state.occ, state.own, state.fresh
        bit = 1 << dst
        if kind == SWAP:
            a, b = pawns.index(src), pawns.index(dst)
            pawns[a], pawns[b] = dst, src
            rest = ~(bit | 1 << src)
            own &= rest
            # A pawn swapped onto its own start is not fresh (SPEC A-37).
            if dst == self.starts[seat]:
                own |= bit
            if src == self.starts[via]:
                own |= 1 << src
            return State(pawns, occ, own, fresh & rest)
        taken |= occ & bit
        if taken:
            occ &= ~taken
            own &= ~taken
            fresh &= ~taken
            while taken:
                low = taken & -taken
                pawns[pawns.index(low.bit_length() - 1)] = -1
                taken ^= low
        if src < 0:
            index = pawns.index(-1, 4 * seat)
            if kind == START:
                own |= bit
                fresh |= bit
        else:
            index = pawns.index(src)
            rest = ~(1 << src)
            occ &= rest
            if own:
                own &= rest
                fresh &= rest
            if dst == self.starts[seat]:
                own |= bit
        pawns[index] = dst
        return State(pawns, occ | bit, own, fresh)


@lru_cache(maxsize=64)
def engine_for(
    shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
) -> Engine:
    """Return the engine of a table, made once."""
    return Engine(shape, rules, seats, teams)
