"""Legal moves of every card on small integers: the part that must be fast."""

from functools import lru_cache
from itertools import combinations

from tock_rules.actions import (
    BLACK_JOKER,
    CENTRE_IN,
    CENTRE_OUT,
    COLOUR_JOKER,
    ONE_EYED_JACK,
    START,
    SWAP,
    TWO_OF_SPADES,
    FlatMove,
)
from tock_rules.geometry import SUMMIT, BoardShape
from tock_rules.mechanics import Mechanics
from tock_rules.ruleset import Ruleset
from tock_rules.seats import ZONE_LENGTH
from tock_rules.seven import seven_moves
from tock_rules.state import FULL, State
from tock_rules.tables import OWN, PUSHED
from tock_rules.ways import Way


class Engine(Mechanics):
    """The legal moves of one table."""

    def __init__(
        self, shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
    ) -> None:
        """Prepare what does not change during a game; use `engine_for`, which keeps engines."""
        super().__init__(shape, rules, seats, teams)
        self.known: list[list[list[Way | None] | None]] = [[None] * shape.zones for _ in range(18)]
        """By card code and seat the first way of a pawn on every cell, made on first use."""
        self.walks: list[list[list[Way | None] | None]] = [[None] * shape.zones for _ in range(18)]
        """Those of them that are all that a card offers to a seat that is not finished."""
        self.push_immune = rules.start_push_immune
        self.swap_end = shape.centre if rules.centre and rules.centre_jack_swap else shape.centre - 1
        """Last cell from which a Jack swaps (open point A-36)."""
        self.any_on_start_barred = rules.start_not_swapped == "any_on_start"
        self.owner_swaps = rules.owner_may_swap_protected
        self.jack_swap = rules.jack_swap

    def kind_of(self, code: int) -> int:
        """The plainest card code that does the same under these rules."""
        rules = self.rules
        if code == TWO_OF_SPADES and not rules.deux_de_pique:
            return 2
        if code == ONE_EYED_JACK and not rules.one_eyed_jack:
            return 11
        return BLACK_JOKER if code == COLOUR_JOKER and not rules.colour_joker_sweeps else code

    def moves(self, state: State, seat: int, code: int, no_line: int = 0) -> list[FlatMove]:
        """The legal moves of a card; pawns on `no_line` cells may not leave by a dotted line."""
        out: list[FlatMove] = []
        finished = state.occ[self.first_home + seat] == FULL
        rows = self.walks[code][seat]
        if rows is not None and not finished:
            # Most cards only walk; this short cut gives the same moves as the general case below.
            self._walk(out, state, seat, rows)
            return out
        action = self.actions[code]
        control = self.control(state, seat) if finished else self.alone[seat]
        if action.start:
            for own in control:
                self._start(out, state, own)
        if action.advance:
            for own in control:
                rows = self.known[code][own]
                if rows is None or self.lines:
                    rows = self._rows(code, own, no_line)
                self._walk(out, state, own, rows)
        elif action.push:
            self._pushes(out, state, seat)
        elif action.seven:
            out += seven_moves(self, state, seat, control, no_line)
        if action.swap:
            self._swaps(out, state, seat, control, action.any_two)
        if action.centre:
            for own in control:
                self._centre(out, state, own)
        return out

    def _rows(self, code: int, seat: int, no_line: int) -> list[Way | None]:
        """The first ways by cell, without lines from the cells of `no_line`."""
        action = self.actions[code]
        rows = self.known[code][seat]
        if rows is None:
            mode = PUSHED if action.push else OWN
            steps = 5 if action.push else action.advance
            rows = self.known[code][seat] = self.tables.rows(seat, steps, mode, action.sweep)
            if action.only_walks and not self.lines:
                self.walks[code][seat] = rows
        if no_line and self.lines:
            rows = rows.copy()
            for summit in self.shape.summits():
                if no_line >> summit & 1:
                    rows[summit] = self.tables.first(seat, summit, action.advance, OWN, action.sweep, False)
        return rows

    def _walk(self, out: list[FlatMove], state: State, seat: int, rows: list[Way | None]) -> None:
        """Add the moves of the seat's pawns; nearly all of their ways are plain and need no call."""
        # `protected_seats` without its call: this is the innermost loop.
        protected = state.own if self.any_own else state.fresh
        for cell in state.pawns[4 * seat : 4 * seat + 4]:
            # The last row, at -1, is that of pawns in their camp.
            way = rows[cell]
            if way is not None:
                if not way.plain:
                    self.add_ways(out, state, seat, way)
                elif not protected & way.blocking_starts:
                    out.append(way.move)

    def _start(self, out: list[FlatMove], state: State, seat: int) -> None:
        protected = self.protected_seats(state.own, state.fresh)
        if not protected >> seat & 1 and -1 in state.pawns[4 * seat : 4 * seat + 4]:
            start = ZONE_LENGTH * seat
            if not (self.spares_mates and self.partner_cells(state, seat) >> start & 1):
                out.append((START, seat, -1, start, -1, 0))

    def _pushes(self, out: list[FlatMove], state: State, seat: int) -> None:
        """A five advances an opponent's pawn (R004-19), also across that pawn's own start (R004-20)."""
        protected = self.protected_seats(state.own, state.fresh)
        for other in self.opponents[seat]:
            rows = self.known[5][other]
            if rows is None:
                rows = self._rows(5, other, 0)
            if self.push_immune and protected >> other & 1:
                # The rows are shared by all tables with these rules.
                rows = rows.copy()
                rows[ZONE_LENGTH * other] = None
            self._walk(out, state, other, rows)

    def _swaps(
        self, out: list[FlatMove], state: State, seat: int, control: tuple[int, ...], any_two: bool
    ) -> None:
        """A Jack swaps two pawns on the track or in the centre (R000-51, R001-16, R002-44, R003-27, R004-17)."""
        barred = state.own if self.any_on_start_barred else self.protected_seats(state.own, state.fresh)
        own = self._swappable(state, control, 0 if self.owner_swaps else barred)
        if not own and not any_two:
            return
        # Pawns of seats that this Jack does not swap with are left out from the start.
        only_opponents = self.jack_swap == "opponent" and not any_two
        with_whom = self.opponents[seat] if only_opponents else self.seats
        others = self._swappable(state, tuple([s for s in with_whom if s not in control]), barred)
        alike = any_two or self.jack_swap == "any"
        between_mates = alike or self.jack_swap == "other_player"
        for place, (one, a) in enumerate(own):
            if between_mates:
                out += [(SWAP, one, a, b, two, 0) for two, b in own[place + 1 :] if alike or one != two]
            out += [(SWAP, one, a, b, two, 0) for two, b in others]
        if any_two:
            out += [(SWAP, one, a, b, two, 0) for (one, a), (two, b) in combinations(others, 2)]

    def _swappable(self, state: State, seats: tuple[int, ...], barred: int) -> list[tuple[int, int]]:
        """Seat and cell of the pawns that may be swapped; not those on starts of `barred` seats."""
        found: list[tuple[int, int]] = []
        end = self.swap_end
        for seat in seats:
            start = ZONE_LENGTH * seat if barred >> seat & 1 else -1
            cells = state.pawns[4 * seat : 4 * seat + 4]
            found += [(seat, cell) for cell in cells if 0 <= cell <= end and cell != start]
        return found

    def _centre(self, out: list[FlatMove], state: State, seat: int) -> None:
        """Any 7 leads into the centre, the centre to any 7, with the whole card (R002-20 to R002-22)."""
        centre = self.centre
        land = self.partner_cells(state, seat) if self.spares_mates else 0
        for cell in state.pawns[4 * seat : 4 * seat + 4]:
            if cell == centre:
                summits = self.shape.summits()
                out += [
                    (CENTRE_OUT, seat, cell, summit, -1, 0) for summit in summits if not land >> summit & 1
                ]
            elif 0 <= cell < centre and cell % ZONE_LENGTH == SUMMIT and not land >> centre & 1:
                out.append((CENTRE_IN, seat, cell, centre, -1, 0))


@lru_cache(maxsize=64)
def engine_for(
    shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
) -> Engine:
    """The engine of a table, made once."""
    return Engine(shape, rules, seats, teams)
