"""Legal moves and their results on flat integers: the part that must be fast.

A move is a flat tuple of six integers per part: kind, seat of the pawn, from, to, via, cells taken on the
way. `via` is the
summit a jump starts from, the first cell after a dotted line, the seat of the other pawn of a swap, else -1.
"""

from collections.abc import Sequence
from functools import lru_cache

from tock_companion.rules.cards import Card, Rank, Suit
from tock_companion.rules.geometry import BoardShape
from tock_companion.rules.ruleset import Ruleset
from tock_companion.rules.state import State
from tock_companion.rules.tables import OWN, PUSHED, Row, Tables

FlatMove = tuple[int, ...]
PART = 6
START, STEP, JUMP, LINE, SWAP, CENTRE_IN, CENTRE_OUT, THROW = range(8)

BLACK_JOKER, COLOUR_JOKER, ONE_EYED_JACK, TWO_OF_SPADES = 14, 15, 16, 17
JOKER_CODES = (BLACK_JOKER, COLOUR_JOKER)
CODES = range(1, 18)
"""Card codes: 1 to 13 by rank, then the four cards that a ruleset may treat differently from their rank."""


def code_of(card: Card) -> int:
    """Return what the card counts as for every ruleset."""
    if card.rank is Rank.JOKER:
        return COLOUR_JOKER if card.suit is Suit.COLOUR else BLACK_JOKER
    if card.one_eyed:
        return ONE_EYED_JACK
    return TWO_OF_SPADES if card.rank is Rank.TWO and card.suit is Suit.SPADES else int(card.rank)


class CardAction:
    """What one card may do under a ruleset; zero and False for what it may not."""

    __slots__ = ("advance", "centre", "push", "seven", "start", "swap", "sweep")

    def __init__(self, rules: Ruleset, code: int) -> None:
        """Read the switches that concern the card."""
        rank = {BLACK_JOKER: 14, COLOUR_JOKER: 14, ONE_EYED_JACK: 11, TWO_OF_SPADES: 2}.get(code, code)
        starters = {1: rules.ace_starts, 13: rules.king_starts, 14: rules.joker_starts}
        values = {
            1: rules.ace_value,
            4: -4,
            11: rules.jack_value,
            12: rules.queen_value,
            13: rules.king_value,
            14: rules.joker_value,
        }
        self.start = starters.get(rank, False) or (code == TWO_OF_SPADES and rules.deux_de_pique)
        self.push = 5 if rank == 5 and rules.five == "opponent" else 0
        self.seven = rank == 7
        self.advance = 0 if self.push or self.seven else values.get(rank, rank)
        self.sweep = (rank == 13 and rules.king_sweeps) or (
            code == COLOUR_JOKER and rules.colour_joker_sweeps
        )
        self.swap = rank == 11
        self.centre = rules.centre and rank in (1, 7, 13, 14)


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
        self.starts = [shape.start(seat) for seat in range(shape.zones)]
        self.homes = [sum(1 << shape.home(seat, i) for i in range(1, 5)) for seat in range(shape.zones)]
        sides = {seat: tuple(team) for team in teams for seat in team}
        self.mates = {seat: tuple(mate for mate in sides.get(seat, ()) if mate != seat) for seat in seats}
        self.opponents = {
            seat: tuple(s for s in seats if s not in sides.get(seat, (seat,))) for seat in seats
        }
        self.actions = [CardAction(rules, code) for code in range(18)]
        self.summits = shape.summits()
        self.summit_set = sum(1 << cell for cell in self.summits)
        self.track_set = (1 << (shape.track_length + 1)) - 1
        self.any_own = rules.start_protection == "any_own"
        self.must_enter = not rules.voluntary_bypass
        self.lines = rules.dotted_lines and shape.zones > 4
        self.chain = rules.jump_chain

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
            return (seat,)
        if not self.rules.finished_plays_mates:
            return ()
        return tuple(mate for mate in self.mates[seat] if not self.finished(state, mate))

    def protected(self, state: State) -> int:
        """Return the start holes whose pawn is protected."""
        return state.own if self.any_own else state.fresh

    def barriers(self, state: State, sweep: bool) -> tuple[int, int, int]:
        """Return the cells a pawn cannot pass, cannot land on, and those whose pawns it takes when
        passing.
        """
        rules = self.rules
        protected = state.own if self.any_own else state.fresh
        if sweep:
            if rules.king_at_protected == "blocked":
                return protected, protected, state.occ
            return (
                (0, protected, state.occ & ~protected)
                if rules.king_at_protected == "passes"
                else (0, 0, state.occ)
            )
        if rules.passing == "forbidden":
            return state.occ, protected, 0
        return protected if rules.start_blocks else 0, protected, 0

    def moves(self, state: State, seat: int, code: int, no_line: int = 0) -> list[FlatMove]:
        """Return the legal moves of a card, each result once; pawns on `no_line` cells may not leave by a
        dotted line.
        """
        action = self.actions[code]
        out: list[FlatMove] = []
        control = self.control(state, seat)
        if action.start:
            self._starts(out, state, control)
        if action.seven:
            from tock_companion.rules.seven import seven_moves

            out += seven_moves(self, state, seat, no_line)
        elif action.push:
            self._pushes(out, state, seat)
        elif action.advance:
            block, land, sweep = self.barriers(state, action.sweep)
            pawns = state.pawns
            for own in control:
                rows = self.tables.rows(own, action.advance)
                cells = pawns[4 * own : 4 * own + 4]
                land_on = land | self.partner_cells(state, own)
                if self.lines:
                    self.walk_lines(
                        out, cells, own, action.advance, OWN, state.occ, (block, land_on, sweep), no_line
                    )
                else:
                    self.walk(out, cells, own, rows, state.occ, block, land_on, sweep)
        if action.swap:
            self._swaps(out, state, seat, control, code == ONE_EYED_JACK)
        if action.centre:
            self._centre(out, state, control)
        return out

    def partner_cells(self, state: State, seat: int) -> int:
        """Return the cells where the mates of a seat stand, if a house rule forbids landing there (SPEC
        A-27).
        """
        if self.rules.partner_landing == "sent_back":
            return 0
        return sum(
            1 << c for mate in self.mates[seat] for c in state.pawns[4 * mate : 4 * mate + 4] if c >= 0
        )

    def walk(
        self,
        out: list[FlatMove],
        cells: Sequence[int],
        seat: int,
        rows: list[Row | None],
        occ: int,
        block: int,
        land: int,
        sweep: int,
    ) -> None:
        """Add the steps and jumps of these pawns of one seat; the last three are those of `barriers`."""
        for src in cells:
            if src < 0:
                continue
            row = rows[src]
            if row is None:
                continue
            home, need, home_path, dst, path, bit, jump, jump_bit, may_stay, may_pass = row
            if home >= 0 and not occ & need and not block & home_path:
                out.append((STEP, seat, src, home, -1, home_path & sweep))
                if not may_pass:
                    continue
            if dst < 0 or block & path or land & bit:
                continue
            if may_stay:
                out.append((STEP, seat, src, dst, -1, path & sweep))
            if jump >= 0 and not land & jump_bit:
                self._jumps(out, seat, src, row, occ, path & sweep, sweep)

    def _jumps(
        self, out: list[FlatMove], seat: int, src: int, row: Row, occ: int, taken: int, sweep: int
    ) -> None:
        """Add the jump from the summit just reached, and those that go on from there if the house allows
        them.
        """
        dst, bit, jump, jump_bit = row[3], row[5], row[6], row[7]
        if sweep or self.rules.jump_takes_first:
            taken |= bit & occ
        out.append((JUMP, seat, src, jump, dst, taken))
        if self.chain:
            span = jump - dst
            length = self.shape.track_length
            while True:
                if self.rules.jump_takes_first:
                    taken |= jump_bit & occ
                crosses = self.shape.progress(seat, jump) + abs(span) % length >= length
                jump = (jump + span) % length
                if jump == dst or (crosses and not self.rules.jump_over_own_start):
                    return
                jump_bit = 1 << jump
                out.append((JUMP, seat, src, jump, dst, taken))

    def walk_lines(
        self,
        out: list[FlatMove],
        cells: Sequence[int],
        seat: int,
        steps: int,
        mode: int,
        occ: int,
        bars: tuple[int, int, int],
        no_line: int,
    ) -> None:
        """Add the steps of these pawns where dotted lines may be used (R000-18, R000-36 to R000-38)."""
        block, land, sweep = bars
        rows = self.tables.rows(seat, steps, mode)
        routes = self.tables.routes(seat, steps)
        for src in cells:
            found: list[FlatMove] = []
            self.walk(found, (src,), seat, rows, occ, block, land, sweep)
            kept: list[FlatMove] = []
            enters = any(move[3] > self.shape.centre for move in found)
            if src in routes and not no_line >> src & 1:
                for via, landing, passed, need, past in routes[src]:
                    if block & passed or land >> landing & 1 or occ & need:
                        continue
                    move = (LINE, seat, src, landing, via, passed & sweep)
                    if landing > self.shape.centre:
                        enters = True
                        found.append(move)
                    elif past:
                        kept.append(move)
                    else:
                        found.append(move)
            # A pawn that could go home with this card may not walk past its entrance (SPEC A-03).
            out += found if enters and self.must_enter else found + kept

    def _starts(self, out: list[FlatMove], state: State, control: tuple[int, ...]) -> None:
        protected = state.own if self.any_own else state.fresh
        for seat in control:
            start = self.starts[seat]
            if (
                -1 in state.pawns[4 * seat : 4 * seat + 4]
                and not (protected | self.partner_cells(state, seat)) >> start & 1
            ):
                out.append((START, seat, -1, start, -1, 0))

    def _pushes(self, out: list[FlatMove], state: State, seat: int) -> None:
        """A five advances an opponent's pawn (R004-19), also across that pawn's own start (R004-20)."""
        block, land, sweep = self.barriers(state, False)
        immune = self.protected(state) if self.rules.start_push_immune else 0
        for other in self.opponents[seat]:
            cells = [
                cell
                for cell in state.pawns[4 * other : 4 * other + 4]
                if cell >= 0 and not immune >> cell & 1
            ]
            self.walk(out, cells, other, self.tables.rows(other, 5, PUSHED), state.occ, block, land, sweep)

    def _swaps(
        self, out: list[FlatMove], state: State, seat: int, control: tuple[int, ...], one_eyed: bool
    ) -> None:
        rules = self.rules
        barred = state.own if rules.start_not_swapped == "any_on_start" else self.protected(state)
        where = self.track_set if rules.centre and rules.centre_jack_swap else self.track_set >> 1
        pawns = state.pawns
        own = [(s, c) for s in control for c in pawns[4 * s : 4 * s + 4] if c >= 0 and where >> c & 1]
        if not rules.owner_may_swap_protected:
            own = [(s, c) for s, c in own if not barred >> c & 1]
        others = [
            (s, c)
            for s in self.seats
            if s not in control
            for c in pawns[4 * s : 4 * s + 4]
            if c >= 0 and where >> c & 1 and not barred >> c & 1
        ]
        any_two = one_eyed and rules.one_eyed_jack
        against = self.opponents[seat] if rules.jack_swap == "opponent" else None
        for i, (a_seat, a) in enumerate(own):
            for b_seat, b in own[i + 1 :]:
                if (
                    any_two
                    or rules.jack_swap == "any"
                    or (rules.jack_swap == "other_player" and a_seat != b_seat)
                ):
                    out.append((SWAP, a_seat, a, b, b_seat, 0))
            for b_seat, b in others:
                if any_two or against is None or b_seat in against:
                    out.append((SWAP, a_seat, a, b, b_seat, 0))
        if any_two:
            for i, (a_seat, a) in enumerate(others):
                for b_seat, b in others[i + 1 :]:
                    out.append((SWAP, a_seat, a, b, b_seat, 0))

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
        pawns = state.pawns.copy()
        occ, own, fresh = state.occ, state.own, state.fresh
        for i in range(0, len(move), PART):
            kind, seat, src, dst, via, taken = move[i : i + PART]
            bit = 1 << dst
            if kind == SWAP:
                a, b = pawns.index(src), pawns.index(dst)
                pawns[a], pawns[b] = dst, src
                rest = ~(bit | 1 << src)
                own &= rest
                fresh &= rest
                # A pawn swapped onto its own start is not fresh (SPEC A-37).
                if dst == self.starts[seat]:
                    own |= bit
                if src == self.starts[via]:
                    own |= 1 << src
                continue
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
                own &= rest
                fresh &= rest
                if dst == self.starts[seat]:
                    own |= bit
            pawns[index] = dst
            occ |= bit
        return State(pawns, occ, own, fresh)


@lru_cache(maxsize=64)
def engine_for(
    shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
) -> Engine:
    """Return the engine of a table, made once."""
    return Engine(shape, rules, seats, teams)
