"""Legal moves of every card on small integers: the part that must be fast."""

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
from tock_rules.ruleset import Ruleset
from tock_rules.seven import seven_moves
from tock_rules.shared_steps import both_ways, every_order
from tock_rules.state import State
from tock_rules.tables import OWN, PUSHED
from tock_rules.walking import Closed, add_open_ways
from tock_rules.ways import Way

Rows = list[Way | None]
"""The first way of a pawn on every cell."""
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
        finished = state.occ[self.first_home + seat] == self.full
        rows = self.walks[code][seat]
        if rows is not None and not finished:
            # Most cards only walk; this short cut gives the same moves as the general case below.
            self._walk(out, state, seat, rows)
            return out
        action = self.actions[code]
        if action.wild:
            for other in self.plays_as[code]:
                out += self.moves(state, seat, other, no_line)
            return list(dict.fromkeys(out))
        control = self.control(state, seat) if finished else self.alone[seat]
        if action.start:
            for own in control:
                self._start(out, state, own)
        if action.steps:
            for own in control:
                known = self.known[code][own]
                for rows in self._rows(code, own, no_line) if known is None or self.lines else known:
                    self._walk(out, state, own, rows)
        if action.push:
            self._pushes(out, state, seat, control, action)
        if action.seven:
            if self.bumps_to_door and self.mates[seat]:
                out += every_order(self, state, seat, control)
            else:
                out += seven_moves(self, state, seat, control, no_line)
        if action.both_ways:
            out += both_ways(self, state, control, action.both_ways)
        if action.swap:
            self._swaps(out, state, seat, control, action.swap)
        if action.replace:
            self._replaces(out, state, control)
        if action.centre:
            for own in control:
                self._centre(out, state, own)
        if action.burn:
            out.append((BURN, seat, -1, -1, self.following[seat], 0))
        return out

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

    def _walk(self, out: list[FlatMove], state: State, seat: int, rows: Rows) -> None:
        """Add the moves of the seat's pawns; nearly all of their ways are plain and need no call."""
        # `protected_seats` without its call: this is the innermost loop.
        protected = state.own if self.any_own else 0 if self.unprotected else state.fresh
        if self.guards:
            self._guarded_walk(out, state, seat, rows, protected, self.closed(state, seat))
            return
        for cell in state.pawns[self.of_seat[seat]]:
            # The last row, at -1, is that of pawns in their camp.
            way = rows[cell]
            if way is not None:
                if not way.plain:
                    self.add_ways(out, state, seat, way)
                elif not protected & way.blocking_starts:
                    out.append(way.move)

    def _guarded_walk(
        self, out: list[FlatMove], state: State, seat: int, rows: Rows, protected: int, closed: Closed
    ) -> None:
        """The same where more than protected starts close a way."""
        landing, obstacles, _ = closed
        for cell in state.pawns[self.of_seat[seat]]:
            way = rows[cell]
            if way is None:
                continue
            if not way.plain:
                home, spared = state.occ[self.first_home + seat], protected if self.king_spares else 0
                add_open_ways(out, way, state.occ, protected, home, closed, spared)
            elif not (protected & way.blocking_starts or obstacles & way.over or landing & way.lands):
                out.append(way.move)

    def _start(self, out: list[FlatMove], state: State, seat: int) -> None:
        if -1 not in state.pawns[self.of_seat[seat]]:
            return
        start = self.starts[seat]
        if state.own >> seat & 1:
            protected = self.protected_seats(state.own, state.fresh) >> seat & 1
            if self.own_bars or (protected and not self.takes_own_fresh):
                return
        if not ((self.spares_mates or self.bumps_to_door) and self.partner_cells(state, seat) >> start & 1):
            out.append((START, seat, -1, start, -1, 0))

    def _pushes(
        self, out: list[FlatMove], state: State, seat: int, control: tuple[int, ...], action: CardAction
    ) -> None:
        """A five advances another player's pawn (R004-19), also across that pawn's own start (R004-20)."""
        protected = self.protected_seats(state.own, state.fresh)
        others = self.opponents[seat] if action.pushes == "opponent" else self.others[seat]
        for other in others:
            if other in control:
                continue
            rows = self.tables.rows(other, action.push, PUSHED, False)
            if self.push_immune and protected >> other & 1:
                # The rows are shared by all tables with these rules.
                rows = rows.copy()
                rows[self.starts[other]] = None
            if self.guards:
                closed = self.closed(state, other, control)
                self._guarded_walk(out, state, other, rows, protected, closed)
            else:
                self._walk(out, state, other, rows)

    def _swaps(
        self, out: list[FlatMove], state: State, seat: int, control: tuple[int, ...], kind: str
    ) -> None:
        """A Jack swaps two pawns on the track or in the centre (R000-51, R001-16, R002-44, R003-27, R004-17)."""
        barred = state.own if self.any_on_start_barred else self.protected_seats(state.own, state.fresh)
        own = self._swappable(state, control, 0 if self.owner_swaps else barred)
        any_two = kind == "any_two"
        if not own and not any_two:
            return
        # Pawns of seats that this Jack does not swap with are left out from the start.
        with_whom = self.opponents[seat] if kind == "opponents" else self.seats
        others = self._swappable(state, tuple([s for s in with_whom if s not in control]), barred)
        alike = any_two or kind == "any"
        between_mates = alike or kind == "others"
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
            start = self.starts[seat] if barred >> seat & 1 else -1
            cells = state.pawns[self.of_seat[seat]]
            found += [(seat, cell) for cell in cells if 0 <= cell <= end and cell != start]
        return found

    def _replaces(self, out: list[FlatMove], state: State, control: tuple[int, ...]) -> None:
        """An own pawn, from camp or track, takes the hole of a pawn of others on the track."""
        protected = self.protected_cells(state)
        others = tuple([seat for seat in self.seats if seat not in control])
        for seat in control:
            closed = protected | self.partner_cells(state, seat)
            holes = [cell for _, cell in self._swappable(state, others, 0) if not closed >> cell & 1]
            for cell in dict.fromkeys(state.pawns[self.of_seat[seat]]):
                if cell < self.centre:
                    out += [(THROW if cell < 0 else STEP, seat, cell, hole, -1, 0) for hole in holes]

    def _centre(self, out: list[FlatMove], state: State, seat: int) -> None:
        """Any 7 leads into the centre, the centre to any 7, with the whole card (R002-20 to R002-22)."""
        centre = self.centre
        land = self.partner_cells(state, seat) if self.spares_mates else 0
        for cell in state.pawns[self.of_seat[seat]]:
            if cell == centre:
                summits = self.shape.summits()
                out += [
                    (CENTRE_OUT, seat, cell, summit, -1, 0) for summit in summits if not land >> summit & 1
                ]
            elif self.shape.is_summit(cell) and not land >> centre & 1:
                out.append((CENTRE_IN, seat, cell, centre, -1, 0))


@lru_cache(maxsize=64)
def engine_for(
    shape: BoardShape, rules: Ruleset, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...]
) -> Engine:
    """The engine of a table, made once."""
    return Engine(shape, rules, seats, teams)
