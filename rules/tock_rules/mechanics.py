"""The base of every kind of move: whose pawns a seat plays, which are protected, and the changes of a move.

The generators of moves (`movegen`, `seven`) stand above this, so that each of them may use it.
"""

from collections.abc import Sequence

from tock_rules.actions import BURN, PART, START, SWAP, CardAction, FlatMove, split_parts
from tock_rules.geometry import CAMP, BoardShape
from tock_rules.ruleset import Ruleset
from tock_rules.start_holes import forbids_passing_protected_start, forbids_taking_protected_start
from tock_rules.state import State, bits_of, words_of
from tock_rules.tables import tables_for
from tock_rules.walking import Deciding, Shares, add_open_ways
from tock_rules.ways import Way


class Layout:
    """The places of a board's cells and pawns in a `State`."""

    def __init__(self, shape: BoardShape) -> None:
        """Look them up once."""
        zones = range(shape.zones)
        self.shape = shape
        self.words = words_of(shape.zones, shape.zone_length, shape.pawns_per_seat)
        self.bits = bits_of(shape.zones, shape.zone_length, shape.pawns_per_seat)
        self.cell_bits = [*(1 << cell for cell in range(shape.cell_count)), 0]
        """By cell the set of it alone; the last, at -1, is that of a camp."""
        self.start_bits = [shape.seats_on(1 << cell) for cell in range(shape.cell_count)]
        """For a start hole the bit of its seat."""
        self.starts = [shape.start(seat) for seat in zones]
        self.per_seat = shape.pawns_per_seat
        self.of_seat = [slice(self.per_seat * seat, self.per_seat * (seat + 1)) for seat in zones]
        """The places of the pawns of a seat in `State.pawns`."""
        self.full = (1 << self.per_seat) - 1
        """The word of a home with all pawns in."""
        self.zones = shape.zones
        self.centre = shape.centre
        self.cell_count = shape.cell_count
        self.first_home = shape.zones + 1
        """Index of seat 0's home in `State.occ`."""


class Mechanics(Layout):
    """The moving parts of one table: board, ruleset, who plays and in which teams."""

    def __init__(
        self, shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
    ) -> None:
        """Prepare what does not change during a game."""
        super().__init__(shape)
        self.rules = rules
        self.seats = seats
        self.tables = tables_for(shape, rules)
        zones = range(shape.zones)
        self.alone = [(seat,) for seat in zones]
        self.following = list(zones)
        """The next seat to move, by seat."""
        for place, seat in enumerate(seats):
            self.following[seat] = seats[(place + 1) % len(seats)]
        sides = {seat: tuple(team) for team in teams for seat in team}
        self.mates = [tuple(mate for mate in sides.get(seat, ()) if mate != seat) for seat in zones]
        self.opponents = [tuple(s for s in seats if s not in sides.get(seat, (seat,))) for seat in zones]
        alliances = {tuple(sorted((seat, *self.mates[seat]))) for seat in seats}
        self.sides: list[tuple[int, ...]] = sorted(alliances)
        """The seats that win together: teams, or everybody alone."""
        self.actions = [CardAction(rules, code) for code in range(18)]
        plain = [code for code in range(1, 14) if not self.actions[code].wild]
        self.plays_as = [plain if action.wild else [code] for code, action in enumerate(self.actions)]
        """By code the codes that a card may be played as: a wild one as every plain card."""
        self.split = self.tables.split
        self.repeats = self.split.repeat and not self.split.takes
        """Several parts for one pawn: where a seven takes in passing they give no other results."""
        self.rest_matters = bool(sides) or self.repeats
        """The first parts of a seven may change whose pawns get the rest."""
        self.seven_pawns = self.split.pawns
        self.any_own = rules.start_protection == "any_own"
        self.protecting = 0 if rules.start_protection == "none" else -1
        """The seats that are protected at all, a bit each."""
        self.spares_mates = rules.partner_landing == "forbidden"
        self.bumps_to_door = rules.bumped_partner_to_door
        self.has_doors = self.bumps_to_door and bool(sides)
        """A pawn that is bumped may go elsewhere than to its camp."""
        self.asks_mates = self.spares_mates or self.bumps_to_door
        """Some pawns of mates may not be landed on."""
        self.own_bars = rules.own_pawns == "forbidden"
        self.fresh_stays_out = not rules.fresh_enters
        self.has_bars = self.asks_mates or self.own_bars
        """Some ways are closed by more pawns than those on protected starts."""
        self.king_spares = rules.king_at_protected != "takes"
        self.lines = rules.dotted_lines and shape.zones > 4
        self.lines_end_card = self.lines and rules.dotted_line_cost == "whole_card"

    def finished(self, state: State, seat: int) -> bool:
        """Whether all pawns of the seat are home."""
        return state.occ[self.first_home + seat] == self.full

    def control(self, state: State, seat: int) -> tuple[int, ...]:
        """Seats whose pawns the seat plays: its own, or its unfinished mates' once it is finished (R004-40)."""
        if state.occ[self.first_home + seat] != self.full:
            return self.alone[seat]
        if not self.rules.finished_plays_mates:
            return ()
        mates = [mate for mate in self.mates[seat] if not self.finished(state, mate)]
        if self.rules.mates_in_turn and mates:
            mates = [min(mates, key=lambda mate: (mate - seat) % self.zones)]
        return tuple(mates)

    def sharers(self, state: State, seat: int) -> tuple[int, ...]:
        """Seats whose pawns may share a seven that the seat plays."""
        control = self.control(state, seat)
        if not self.split.mates:
            return control
        mates = (mate for mate in self.mates[seat] if not self.finished(state, mate))
        return tuple(dict.fromkeys((*control, *mates)))

    def protected_seats(self, own: int, fresh: int) -> int:
        """Seats whose pawn on its own start is protected (open point A-05), of `State.own` and `State.fresh`."""
        return (own if self.any_own else fresh) & self.protecting

    def protected_cells(self, state: State) -> int:
        """The start holes of `protected_seats`, as a set of cells."""
        return self.shape.starts_of(self.protected_seats(state.own, state.fresh))

    def barriers(self, state: State, sweep: bool) -> tuple[int, int]:
        """Sets of the cells that a pawn cannot pass and of those it cannot land on; for explanations."""
        protected = self.protected_cells(state)
        closed = protected if forbids_passing_protected_start(self.rules, sweep) else 0
        if self.rules.passing == "forbidden" and not sweep:
            closed = state.occupied()
        return closed, protected if forbids_taking_protected_start(self.rules, sweep) else 0

    def partner_cells(self, state: State, seat: int) -> int:
        """Cells of the seat's mates where it may not land, as a set.

        A house rule spares them everywhere (open point A-27); a pawn that would be sent to its door stays there.
        """
        cells = 0
        if self.spares_mates:
            cells = self.cells_of(state, self.mates[seat])
        elif self.bumps_to_door:
            for mate in self.mates[seat]:
                door = self.shape.entrance(mate)
                if door in state.pawns[self.of_seat[mate]]:
                    cells |= 1 << door
        return cells

    def cells_of(self, state: State, seats: tuple[int, ...]) -> int:
        """The holes of the pawns of some seats, as a set."""
        cells, bits = 0, self.cell_bits
        for seat in seats:
            for cell in state.pawns[self.of_seat[seat]]:
                cells |= bits[cell]
        return cells

    def may_bump_to_door(self, state: State, pawns: Sequence[tuple[int, int, Shares]]) -> bool:
        """Whether one of these pawns of a seat, with its parts, may bump a mate's pawn to its door."""
        return self.has_doors and any(
            self.cells_of(state, self.mates[seat]) & parts.reach for seat, _, parts in pawns
        )

    def bars(self, state: State, seat: int, players: tuple[int, ...] | None = None) -> tuple[int, int]:
        """Sets of the cells where a pawn of `seat` may not land, and that it may neither pass nor land on.

        Where own pawns are in the way, they are those of `players`, the seats that play the card.
        """
        own = self.cells_of(state, self.alone[seat] if players is None else players) if self.own_bars else 0
        return self.partner_cells(state, seat) if self.mates[seat] else 0, own

    def part_moves(self, state: State, seat: int, cell: int, steps: int, no_line: int) -> list[FlatMove]:
        """Moves of one pawn with one part of a seven."""
        out: list[FlatMove] = []
        shares = self.tables.shares(seat, cell, self.lines and not no_line >> cell & 1)
        self.add_ways(out, state, seat, shares.ways[steps])
        return out

    def add_ways(self, out: list[FlatMove], state: State, seat: int, way: Way | None) -> None:
        """Add the moves of a pawn whose first way is given."""
        if way is not None:
            add_open_ways(out, way, *self.deciding(state, seat))

    def deciding(self, state: State, seat: int) -> Deciding:
        """The parts of a board that decide about the ways of a seat's pawns."""
        protected = self.protected_seats(state.own, state.fresh)
        landing, obstacles = self.bars(state, seat) if self.has_bars else (0, 0)
        closed = landing, obstacles, state.fresh if self.fresh_stays_out else 0
        home = state.occ[self.first_home + seat]
        return state.occ, protected, home, closed, protected if self.king_spares else 0

    def apply(self, state: State, move: FlatMove) -> State:
        """The state after a legal move."""
        after = state.copy()
        self.change(after, move)
        return after

    def change(self, state: State, move: FlatMove) -> None:
        """Carry out a legal move in place; the caller owns the state."""
        if len(move) > PART:
            for part in split_parts(move):
                self.change(state, part)
            return
        kind, seat, src, dst, _, taken = move
        if kind >= SWAP:
            if kind == SWAP:
                self._swap(state, move)
                return
            if kind == BURN:
                return
        pawns, occ, words, bits = state.pawns, state.occ, self.words, self.bits
        gone = self.start_bits[dst]
        if taken:
            gone |= self._send_home(state, taken)
        word = words[dst]
        there = occ[word]
        bit = bits[dst]
        # Where a pawn is captured the hole stays occupied: only its owner changes.
        bumped = -1
        if there & bit:
            bumped = pawns.index(dst)
            pawns[bumped] = CAMP
        else:
            occ[word] = there | bit
        # Pawns of a seat are alike: whichever is found first in its camp goes.
        pawns[pawns.index(src, self.per_seat * seat)] = dst
        if src >= 0:
            occ[words[src]] ^= bits[src]
            gone |= self.start_bits[src]
        # A pawn that left a start, or was captured there, loses its protection; one that reaches its own may gain it.
        if gone:
            state.own &= ~gone
            state.fresh &= ~gone
            if dst == self.starts[seat]:
                state.own |= 1 << seat
                if kind == START:
                    state.fresh |= 1 << seat
        if self.bumps_to_door and bumped >= 0:
            self._to_door(state, seat, bumped)

    def _to_door(self, state: State, seat: int, bumped: int) -> None:
        """Put a pawn that `seat` bumped, and that is in camp, onto its door if it is a mate's; it bumps in turn."""
        owner = bumped // self.per_seat
        if owner not in self.mates[seat]:
            return
        door = self.shape.entrance(owner)
        word, bit = self.words[door], self.bits[door]
        if not state.occ[word] & bit:
            state.occ[word] |= bit
            state.pawns[bumped] = door
            if door == self.starts[owner]:
                state.own |= 1 << owner
            return
        there = state.pawns.index(door)
        # A pawn of the same colour keeps the door, and the bumped one stays in camp.
        if there // self.per_seat != owner:
            state.pawns[there] = CAMP
            state.pawns[bumped] = door
            self._to_door(state, owner, there)

    def _send_home(self, state: State, cells: int) -> int:
        """Put the pawns on these cells into their camps; return the seats whose start holes are among them."""
        starts = 0
        while cells:
            cell = (cells & -cells).bit_length() - 1
            cells &= cells - 1
            state.pawns[state.pawns.index(cell)] = CAMP
            state.occ[self.words[cell]] &= ~self.bits[cell]
            starts |= self.start_bits[cell]
        return starts

    def _swap(self, state: State, move: FlatMove) -> None:
        _, seat, src, dst, other, _ = move
        pawns = state.pawns
        a, b = pawns.index(src), pawns.index(dst)
        pawns[a], pawns[b] = dst, src
        # A pawn swapped onto its own start is not fresh (open point A-37).
        rest = ~(self.start_bits[src] | self.start_bits[dst])
        state.own &= rest
        state.fresh &= rest
        if dst == self.starts[seat]:
            state.own |= 1 << seat
        if src == self.starts[other]:
            state.own |= 1 << other
