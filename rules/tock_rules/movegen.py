"""Legal moves of every card on small integers: the part that must be fast."""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations

from tock_rules.actions import (
    BLACK_JOKER,
    BURN,
    CENTRE_IN,
    CENTRE_OUT,
    COLOUR_JOKER,
    ONE_EYED_JACK,
    START,
    STEP,
    SWAP,
    THROW,
    TWO_OF_SPADES,
    CardAction,
    FlatMove,
)
from tock_rules.geometry import BoardShape
from tock_rules.mechanics import Mechanics
from tock_rules.rulebook import winners
from tock_rules.ruleset import Ruleset
from tock_rules.seven import seven_moves
from tock_rules.shared_steps import both_ways
from tock_rules.state import State
from tock_rules.tables import OWN, PUSHED
from tock_rules.walking import add_open_ways
from tock_rules.ways import Way

Rows = list[Way | None]
"""The first way of a pawn on every cell."""
Control = tuple[int, ...]
"""The seats whose pawns are played."""
Adder = Callable[[list[FlatMove], State, int, Control, CardAction, int], None]
"""Adds moves to a list: of a state, for a seat that plays those pawns, with a card, not by lines from some cells."""
_LIKE = {COLOUR_JOKER: BLACK_JOKER, ONE_EYED_JACK: 11, TWO_OF_SPADES: 2}


class Engine(Mechanics):
    """The legal moves of one table."""

    def __init__(
        self, shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
    ) -> None:
        """Prepare what does not change during a game; use `engine_for`, which keeps engines."""
        super().__init__(shape, rules, seats, teams)
        self.known: list[list[list[Rows] | None]] = [[None] * shape.zones for _ in range(18)]
        """By card code and seat the rows of each walk of the card, made on first use."""
        self.walks: list[list[Rows | None]] = [[None] * shape.zones for _ in range(18)]
        """Those of them that are all that a card offers to a seat that is not finished."""
        self.pushes: list[list[Rows | None]] = [[None] * shape.zones for _ in range(18)]
        """By card code and seat the rows of its pawns that another player moves."""
        self.adders = [self._adders(action) for action in self.actions]
        """By card code the methods that list its moves."""
        self.is_summit = [*map(shape.is_summit, range(shape.cell_count)), False]
        """By cell; the last, at -1, is the camp's."""
        self.push_immune = rules.start_push_immune
        self.swap_end = shape.centre if rules.centre and rules.centre_jack_swap else shape.centre - 1
        """Last cell from which a Jack swaps (open point A-36)."""
        self.any_on_start_barred = rules.start_not_swapped == "any_on_start"
        self.owner_swaps = rules.owner_may_swap_protected
        self.takes_own_fresh = rules.onto_own_fresh == "takes"
        self.others = [tuple(other for other in seats if other != seat) for seat in range(shape.zones)]

    def kind_of(self, code: int) -> int:
        """The plainest card code that does the same under these rules."""
        like = _LIKE.get(code, code)
        return like if self.actions[code].row == self.actions[like].row else code

    def moves(self, state: State, seat: int, code: int, no_line: int = 0) -> list[FlatMove]:
        """The legal moves of a card; pawns on `no_line` cells may not leave by a dotted line."""
        out: list[FlatMove] = []
        rows = self.walks[code][seat]
        if state.occ[self.first_home + seat] != self.full:
            # Most cards only walk; this short cut gives the same moves as the general case below.
            if rows is not None:
                self._walk(out, state, seat, rows)
                return out
            control: Control = self.alone[seat]
        else:
            control = self.control(state, seat)
        action = self.actions[code]
        for add in self.adders[code]:
            add(out, state, seat, control, action, no_line)
        return out

    def _adders(self, action: CardAction) -> list[Adder]:
        """The methods that list the parts of a card's moves, in order."""
        if action.wild:
            return [self._as_others]
        known = (
            (action.start, self._starts),
            (action.start_mate, self._mate_starts),
            (action.steps, self._walks),
            (action.push, self._pushes),
            (action.seven, self._sevens),
            (action.both_ways, self._both_ways),
            (action.swap, self._swaps),
            (action.replace, self._replaces),
            (action.centre, self._centres),
            (action.burn, self._burns),
        )
        return [add for offered, add in known if offered]

    def _as_others(
        self, out: list[FlatMove], state: State, seat: int, _: Control, action: CardAction, no_line: int
    ) -> None:
        """A wild card has the moves of every other card, each once."""
        for other in self.plays_as[action.code]:
            out += self.moves(state, seat, other, no_line)
        kept = dict.fromkeys(out)
        if not self.rules.joker_brings_last:
            kept = {move: None for move in kept if not winners(self, self.apply(state, move))}
        out[:] = kept

    def _rows(self, code: int, seat: int, no_line: int) -> list[Rows]:
        """The first ways by cell for each walk of the card, without lines from the cells of `no_line`."""
        action = self.actions[code]
        known = self.known[code][seat]
        if known is None:
            known = [self.tables.rows(seat, step.steps, OWN, step.takes) for step in action.steps]
            self.known[code][seat] = known
            if action.only_walks and not self.lines:
                self.walks[code][seat] = known[0]
        if no_line and self.lines:
            known = [rows.copy() for rows in known]
            for rows, step in zip(known, action.steps, strict=True):
                for summit in self.shape.summits():
                    if no_line >> summit & 1:
                        rows[summit] = self.tables.first(seat, summit, step.steps, OWN, step.takes, False)
        return known

    def _walks(
        self, out: list[FlatMove], state: State, _: int, control: Control, action: CardAction, no_line: int
    ) -> None:
        known = self.known[action.code]
        for own in control:
            rows_of_walks = known[own]
            if rows_of_walks is None or self.lines:
                rows_of_walks = self._rows(action.code, own, no_line)
            for rows in rows_of_walks:
                self._walk(out, state, own, rows)

    def _walk(
        self, out: list[FlatMove], state: State, seat: int, rows: Rows, players: Control | None = None
    ) -> None:
        """Add the moves of the seat's pawns; `players` are those of `bars`."""
        # `deciding` without its call: this is the innermost loop, and nearly all ways are plain and need no call.
        protected = (state.own if self.any_own else state.fresh) & self.protecting
        pawns = state.pawns[self.of_seat[seat]]
        landing = obstacles = 0
        if players is not None or (self.asks_mates and self.mates[seat]):
            landing, obstacles = self.bars(state, seat, players)
        elif self.own_bars:
            bits = self.cell_bits
            for cell in pawns:
                obstacles |= bits[cell]
        for cell in pawns:
            # The last row, at -1, is that of pawns in their camp.
            way = rows[cell]
            if way is not None:
                if not way.plain:
                    occ, spared = state.occ, protected if self.king_spares else 0
                    closed = landing, obstacles, state.fresh if self.fresh_stays_out else 0
                    add_open_ways(out, way, occ, protected, occ[self.first_home + seat], closed, spared)
                elif not (
                    protected & way.blocking_starts
                    or (obstacles and obstacles & way.over)
                    or (landing and landing & way.lands)
                ):
                    out.append(way.move)

    def _starts(
        self, out: list[FlatMove], state: State, _: int, control: Control, __: CardAction, ___: int
    ) -> None:
        """A pawn from its camp onto its start."""
        for seat in control:
            if -1 not in state.pawns[self.of_seat[seat]]:
                continue
            start = self.starts[seat]
            if state.own >> seat & 1:
                protected = self.protected_seats(state.own, state.fresh) >> seat & 1
                if self.own_bars or (protected and not self.takes_own_fresh):
                    continue
            if not (self.asks_mates and self.partner_cells(state, seat) >> start & 1):
                out.append((START, seat, -1, start, -1, 0))

    def _mate_starts(
        self, out: list[FlatMove], state: State, seat: int, control: Control, action: CardAction, no_line: int
    ) -> None:
        """A pawn of a partner from its camp onto its start."""
        mates = tuple(mate for mate in self.mates[seat] if mate not in control or not action.start)
        self._starts(out, state, seat, mates, action, no_line)

    def _pushes(
        self, out: list[FlatMove], state: State, seat: int, control: Control, action: CardAction, _: int
    ) -> None:
        """A five advances another player's pawn (R004-19), also across that pawn's own start (R004-20)."""
        immune = self.protected_seats(state.own, state.fresh) if self.push_immune else 0
        known = self.pushes[action.code]
        for other in self.opponents[seat] if action.pushes == "opponent" else self.others[seat]:
            if other in control:
                continue
            rows = known[other]
            if rows is None:
                rows = known[other] = self.tables.rows(other, action.push, PUSHED, False)
            if immune >> other & 1:
                # The rows are shared by all tables with these rules.
                rows = rows.copy()
                rows[self.starts[other]] = None
            self._walk(out, state, other, rows, control)

    def _sevens(
        self, out: list[FlatMove], state: State, seat: int, control: Control, _: CardAction, no_line: int
    ) -> None:
        sharers = self.sharers(state, seat) if self.split.mates else control
        out += seven_moves(self, state, seat, sharers, no_line)

    def _both_ways(
        self, out: list[FlatMove], state: State, _: int, control: Control, action: CardAction, __: int
    ) -> None:
        out += both_ways(self, state, control, action.both_ways)

    def _swaps(
        self, out: list[FlatMove], state: State, seat: int, control: Control, action: CardAction, _: int
    ) -> None:
        """A Jack swaps two pawns on the track or in the centre (R000-51, R001-16, R002-44, R003-27, R004-17)."""
        kind, any_two = action.swap, action.any_two
        barred = state.own if self.any_on_start_barred else self.protected_seats(state.own, state.fresh)
        own = self._swappable(state, control, 0 if self.owner_swaps else barred)
        if not own and not any_two:
            return
        # Pawns of seats that this Jack does not swap with are left out from the start.
        with_whom = self.opponents[seat] if kind == "opponents" else self.others[seat]
        others = self._swappable(state, tuple([one for one in with_whom if one not in control]), barred)
        alike = any_two or kind == "any"
        for place, (one, a) in enumerate(own, 1):
            if alike or kind == "others":
                for two, b in own[place:]:
                    if alike or one != two:
                        out.append((SWAP, one, a, b, two, 0))
            for two, b in others:
                out.append((SWAP, one, a, b, two, 0))
        if any_two:
            out += [(SWAP, one, a, b, two, 0) for (one, a), (two, b) in combinations(others, 2)]

    def _swappable(self, state: State, seats: Control, barred: int) -> list[tuple[int, int]]:
        """Seat and cell of the pawns that may be swapped; not those on starts of `barred` seats."""
        pawns, of_seat, end, starts = state.pawns, self.of_seat, self.swap_end, self.start_bits
        # Only an own pawn makes a seat one of `barred`, so no other stands on its start.
        return [
            (seat, cell)
            for seat in seats
            for cell in pawns[of_seat[seat]]
            if 0 <= cell <= end and not starts[cell] & barred
        ]

    def _replaces(
        self, out: list[FlatMove], state: State, _: int, control: Control, __: CardAction, ___: int
    ) -> None:
        """An own pawn, from camp or track, takes the hole of a pawn of others on the track."""
        protected = self.protected_cells(state)
        others = self._swappable(state, tuple([seat for seat in self.seats if seat not in control]), 0)
        for seat in control:
            closed = protected | self.partner_cells(state, seat)
            holes = [cell for _, cell in others if not closed >> cell & 1]
            for cell in dict.fromkeys(state.pawns[self.of_seat[seat]]):
                if cell < self.centre:
                    out += [(THROW if cell < 0 else STEP, seat, cell, hole, -1, 0) for hole in holes]

    def _centres(
        self, out: list[FlatMove], state: State, _: int, control: Control, __: CardAction, ___: int
    ) -> None:
        """Any 7 leads into the centre, the centre to any 7, with the whole card (R002-20 to R002-22)."""
        centre, is_summit = self.centre, self.is_summit
        for seat in control:
            land = self.partner_cells(state, seat) if self.spares_mates else 0
            for cell in state.pawns[self.of_seat[seat]]:
                if cell == centre:
                    summits = self.shape.summits()
                    out += [(CENTRE_OUT, seat, cell, to, -1, 0) for to in summits if not land >> to & 1]
                elif is_summit[cell] and not land >> centre & 1:
                    out.append((CENTRE_IN, seat, cell, centre, -1, 0))

    def _burns(
        self, out: list[FlatMove], _: State, seat: int, __: Control, ___: CardAction, ____: int
    ) -> None:
        out.append((BURN, seat, -1, -1, self.following[seat], 0))


@lru_cache(maxsize=64)
def engine_for(
    shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
) -> Engine:
    """The engine of a table, made once."""
    return Engine(shape, rules, seats, teams)
