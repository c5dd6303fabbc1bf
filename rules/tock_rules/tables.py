"""Ready-made answers to "where can this pawn go with this many steps?", one table for each seat and card action.

Built once for a ruleset and a board shape, when they are first asked for. Sets of cells are integers here, a bit per
cell; during a game the generator compares only the few bits of a `Way`.
"""

from dataclasses import replace
from functools import lru_cache

from tock_rules.actions import JUMP, KIND, LINE, STEP, TO, FlatMove
from tock_rules.card_actions import Split
from tock_rules.geometry import BoardShape
from tock_rules.ruleset import Ruleset
from tock_rules.start_holes import (
    crosses_own_start,
    forbids_crossing_own_start,
    forbids_jumping_over_own_start,
    forbids_passing_protected_start,
    forbids_taking_protected_start,
)
from tock_rules.walking import Shares
from tock_rules.ways import APART, FIRST, NEVER, Meetings, Orders, Way, Word

OWN = 0
PUSHED = 1
IN_SEVEN = 2
"""Modes: the player's pawn walks, an opponent's is pushed by a five, the player's gets a part of a seven."""
SEVENS = [(steps, 7 - steps) for steps in range(1, 7)]
NOWHERE = 99
"""More steps home than any seven has."""


class Tables:
    """The ways of every card action, made on first use."""

    def __init__(self, shape: BoardShape, rules: Ruleset) -> None:
        """Make nothing yet."""
        self.shape = shape
        self.rules = rules
        self.cell_count = shape.cell_count
        self.starts = shape.starts_of((1 << shape.zones) - 1)
        self.split = rules.row("7").split or Split()
        self._rows: dict[tuple[int, int, int, bool], list[Way | None]] = {}
        self._shares: dict[int, Shares] = {}
        self._both_ways: dict[tuple[int, int], list[Shares | None]] = {}
        self._meetings: dict[tuple[Shares, Shares], Meetings | None] = {}
        self._orders: dict[tuple[Shares, Shares], Orders] = {}

    def rows(self, seat: int, steps: int, mode: int, sweep: bool) -> list[Way | None]:
        """For every cell the first way of a pawn of the seat, None where it has none, and last None for its camp (-1).

        Shared, never to be changed.
        """
        key = (seat, steps, mode, sweep)
        rows = self._rows.get(key)
        if rows is None:
            cells = range(self.shape.cell_count)
            rows = [self.first(seat, cell, steps, mode, sweep, True) for cell in cells]
            self._rows[key] = rows = [*rows, None]
        return rows

    def shares(self, seat: int, cell: int, lines: bool) -> Shares:
        """The parts of a seven of one pawn; without `lines` it may not leave by a dotted line."""
        key = 2 * (seat * self.cell_count + cell) + lines
        shares = self._shares.get(key)
        if shares is None:
            ways: list[Way | None] = [None]
            ways += [
                self.first(seat, cell, steps, IN_SEVEN, self.split.takes, lines) for steps in range(1, 8)
            ]
            shares = self._shares[key] = Shares(cell, ways, SEVENS)
        return shares

    def both_ways(self, seat: int, total: int) -> list[Shares | None]:
        """For every cell the parts of up to `total` - 1 steps of a pawn of the seat, forward and back.

        They are listed by their signed number of steps. None where the pawn has none, as in its camp (-1).
        """
        found = self._both_ways.get((seat, total))
        if found is None:
            steps = (*range(1, total), *range(1 - total, 0))
            splits = [(one, total - 1 + one) for one in range(1, total)]
            splits += [(rest, one) for one, rest in splits]
            rows = [self.rows(seat, one, OWN, False) for one in steps]
            found = self._both_ways[seat, total] = [None] * (self.cell_count + 1)
            for cell in range(self.cell_count):
                ways = [row[cell] for row in rows]
                if any(ways):
                    found[cell] = Shares(cell, [None, *ways], splits)
        return found

    def meetings(self, one: Shares, other: Shares) -> "Meetings | None":
        """The meetings of the parts of two pawns, None if they never meet."""
        key = (one, other)
        if key not in self._meetings:
            mine, theirs = one.depends_on, other.depends_on
            first, second = [0] * len(mine), [0] * len(theirs)
            for i, cells in enumerate(mine):
                for j, cells_there in enumerate(theirs):
                    if cells & cells_there:
                        first[i] |= 1 << j
                        second[j] |= 1 << i
            self._meetings[key] = (first, second) if any(first) else None
        return self._meetings[key]

    def orders(self, one: Shares, other: Shares) -> Orders:
        """How two pawns may share a whole card."""
        orders = self._orders.get((one, other))
        if orders is None:
            of_first, apart, meet = [NEVER] * len(one.ways), [], False
            for steps, rest in one.splits:
                mine, theirs = one.ways[steps], other.ways[rest]
                if mine is None or theirs is None:
                    continue
                if not one.depends_on[steps] & other.depends_on[rest]:
                    of_first[steps] = APART
                    apart.append((steps, rest))
                elif mine.may_come_before(theirs):
                    of_first[steps], meet = FIRST, True
                elif theirs.may_come_before(mine):
                    meet = True
            orders = self._orders[one, other] = Orders(of_first, apart, meet)
        return orders

    def to_home(self, seat: int, cell: int) -> int:
        """The fewest steps of one part of a seven that bring the pawn home, 0 when it is there."""
        if cell > self.shape.centre:
            return 0
        for steps, first in enumerate(self.shares(seat, cell, True).ways):
            way = first
            while way is not None:
                if way.move[TO] > self.shape.centre:
                    return steps
                way = way.otherwise
        return NOWHERE

    def first(self, seat: int, cell: int, steps: int, mode: int, sweep: bool, lines: bool) -> Way | None:
        """The way to try first, None where there is none; without `lines` none that takes a dotted line."""
        shape = self.shape
        if cell == shape.centre:
            return None
        if cell > shape.centre:
            ways = self._climbing(seat, cell, steps, mode)
        else:
            ways = self._walking(seat, cell, steps, mode, sweep)
            if (
                lines
                and self.rules.dotted_lines
                and shape.zones > 4
                and shape.is_summit(cell)
                and mode != PUSHED
            ):
                ways += self._by_line(seat, cell, steps, sweep)
                # Ways home come first: a pawn that can go home by any way may not walk past its home by another.
                ways.sort(key=self._enters, reverse=True)
        return self._linked(ways, self.rules.voluntary_bypass or mode == PUSHED)

    def _enters(self, way: Way) -> bool:
        return way.move[TO] > self.shape.centre

    def _linked(self, ways: list[Way], may_pass: bool) -> Way | None:
        """The first way, linked to the others: a pawn that can go home may not walk past it (open point A-03)."""
        if not ways:
            return None
        first, rest = ways[0], ways[1:]
        otherwise = self._linked(rest, may_pass)
        also = otherwise
        if self._enters(first) and not may_pass and any(way.passes_home for way in rest):
            also = self._linked([way for way in rest if not way.passes_home], may_pass)
        # `also` is `otherwise` or runs through some of its ways, so its cells are among these.
        depends_on = first.depends_on | (0 if otherwise is None else otherwise.depends_on)
        return replace(first, depends_on=depends_on, also=also, otherwise=otherwise)

    def _climbing(self, seat: int, cell: int, steps: int, mode: int) -> list[Way]:
        """In its home a pawn only climbs, over empty holes (R004-38, R004-39)."""
        home = self.shape.home_of(cell)
        if (
            home is None
            or home[0] != seat
            or steps < 0
            or mode == PUSHED
            or home[1] + steps > self.shape.pawns_per_seat
        ):
            return []
        need = ((1 << steps) - 1) << home[1]
        return [self._way((STEP, seat, cell, cell + steps, -1, 0), 0, need, False)]

    def _walking(self, seat: int, cell: int, steps: int, mode: int, sweep: bool) -> list[Way]:
        """The ways on foot: home, on along the track, and on with a jump."""
        ways: list[Way] = []
        home, need, passed = self._way_home(seat, cell, steps, mode == PUSHED)
        if home >= 0:
            ways.append(self._way((STEP, seat, cell, home, -1, 0), passed, need, sweep))
        landing, passed = self._way_on(seat, cell, steps, mode == PUSHED)
        if landing >= 0:
            past = self._passes_home(seat, cell, steps)
            if past and self.rules.past_door == "stops" and mode != PUSHED:
                return ways
            jumps = self._jumps(seat, landing, steps, mode)
            if self.rules.jump_optional or not jumps:
                ways.append(self._way((STEP, seat, cell, landing, -1, 0), passed, 0, sweep, past))
            left = 1 << landing
            for jump in jumps:
                move = (JUMP, seat, cell, jump, landing, 0)
                ways.append(self._way(move, passed, 0, sweep, past, left))
                left |= 1 << jump
        return ways

    def _way(
        self, move: FlatMove, passed: int, need: int, sweep: bool, passes_home: bool = False, left: int = 0
    ) -> Way:
        """The way of a move over the cells `passed`; `left` are summits it jumped away from."""
        rules, (_, seat, src, dst, via, _) = self.rules, move
        free = passed if rules.passing == "forbidden" and not sweep else 0
        takes = passed if sweep else 0
        # On summits that the pawn jumps away from it takes only by a house rule or with a card that sweeps.
        if left:
            takes |= left if rules.jump_takes_first else 1 << via if sweep else 0
        ends = left | 1 << dst | (1 << via if via >= 0 else 0) | need << self.shape.home(seat, 1)
        # A pawn that is only passed matters where passing is forbidden, and on a start, where it may be protected.
        own = rules.own_pawns == "forbidden" and not sweep
        touched = passed | (1 << dst if dst < self.shape.centre else 0)
        depends_on = ends | (passed if free or sweep or own else passed & self.starts)
        blocking = self.blocking_starts(passed, dst, sweep)
        asks = rules.partner_landing == "forbidden" or rules.bumped_partner_to_door
        return Way(
            move,
            blocking,
            need,
            self._words(free),
            tuple((word, bits, self.shape.start(word)) for word, bits in self._words(takes)),
            depends_on,
            passes_home,
            lands=(1 << dst | (1 << via if move[KIND] == JUMP else 0)) if asks else 0,
            over=touched if own else 0,
            leaves_fresh=1 << seat
            if need and not rules.fresh_enters and src == self.shape.start(seat)
            else 0,
        )

    def blocking_starts(self, passed: int, dst: int, sweep: bool) -> int:
        """Seats whose pawn, while it is protected on its start, closes a way over `passed` to `dst`, a bit each."""
        seats = self.shape.seats_on(passed) if forbids_passing_protected_start(self.rules, sweep) else 0
        if dst < self.shape.centre and forbids_taking_protected_start(self.rules, sweep):
            seats |= self.shape.seats_on(1 << dst)
        return seats

    def _words(self, cells: int) -> tuple[Word, ...]:
        """A set of track cells as words of `State.occ`."""
        length = self.shape.zone_length
        words = [(zone, cells >> length * zone & ((1 << length) - 1)) for zone in range(self.shape.zones)]
        return tuple(word for word in words if word[1])

    def _passes_home(self, seat: int, cell: int, steps: int) -> bool:
        return steps > self.shape.to_door(seat, cell)

    def _way_home(self, seat: int, cell: int, steps: int, pushed: bool) -> tuple[int, int, int]:
        """Home cell, bits of the holes to be empty and track cells passed, if these steps end in the home."""
        shape = self.shape
        if steps < 0 or (pushed and self.rules.five_into_home == "never"):
            return (-1, 0, 0)
        to_entrance = shape.to_door(seat, cell)
        index = steps - to_entrance
        if not 1 <= index <= shape.pawns_per_seat:
            return (-1, 0, 0)
        return (shape.home(seat, index), (1 << index) - 1, self._between(cell, to_entrance + 1))

    def _between(self, cell: int, steps: int) -> int:
        """The track cells strictly between a cell and the one `steps` further (backwards when negative)."""
        count = abs(steps) - 1
        if count < 1:
            return 0
        length = self.shape.track_length
        first = cell + 1 if steps > 0 else cell + steps + 1
        # Bits beyond the last cell of the track wrap round to cell 0.
        run = ((1 << count) - 1) << first % length
        return run & ((1 << length) - 1) | run >> length

    def _way_on(self, seat: int, cell: int, steps: int, pushed: bool) -> tuple[int, int]:
        """Landing cell and cells passed on the track; none if the pawn may not cross its own start."""
        shape = self.shape
        if forbids_crossing_own_start(self.rules, pushed) and crosses_own_start(shape, seat, cell, steps):
            return -1, 0
        return (cell + steps) % shape.track_length, self._between(cell, steps)

    def _jumps(self, seat: int, landing: int, steps: int, mode: int) -> list[int]:
        """The cells that jumps from the landing cell lead to: none, one, or several in a chain (R003-15, R004-32)."""
        rules, shape = self.rules, self.shape
        after = rules.jump_after_five if mode == PUSHED else rules.jump_in_seven if mode == IN_SEVEN else True
        if steps < 0:
            after = rules.jump_after_four
        if not rules.summit_jump or not shape.is_summit(landing) or not after:
            return []
        found: list[int] = []
        cell = landing
        while True:
            span = shape.zone_length if steps > 0 else -shape.zone_length
            # A push ends with its first jump: those that follow are chosen.
            banned = forbids_jumping_over_own_start(rules, mode == PUSHED and not found)
            crosses = crosses_own_start(shape, seat, cell, span)
            cell = (cell + span) % shape.track_length
            if cell == landing or (crosses and banned):
                return found
            found.append(cell)
            if not rules.jump_chain:
                return found

    def _by_line(self, seat: int, cell: int, steps: int, sweep: bool) -> list[Way]:
        """The ways by dotted lines from a summit: first the line, then the rest on the track (docs/rules/board.md)."""
        shape, rules = self.shape, self.rules
        sign = 1 if steps > 0 else -1
        lines = [(1, 1)]
        if shape.zones == 8 and rules.dotted_double != "off":
            lines.append((2, 2 if rules.dotted_double == "two_lines" else 1))
        found: list[Way] = []
        for zones, cost in lines:
            via = (cell + sign * zones * shape.zone_length) % shape.track_length
            between = 1 << (cell + sign * shape.zone_length) % shape.track_length if cost == 2 else 0
            rest = 0 if rules.dotted_line_cost == "whole_card" else steps - sign * cost
            past = self._passes_home(seat, cell, sign * zones * shape.zone_length)
            # Lines join summits: one that passes the home also crosses the start behind it.
            if rest * sign >= 0 and not (past and forbids_crossing_own_start(rules, pushed=False)):
                found += self._after_line(seat, cell, via, rest, between, past, sweep)
        return found

    def _after_line(
        self, seat: int, cell: int, via: int, rest: int, between: int, past: bool, sweep: bool
    ) -> list[Way]:
        """The landings `rest` steps on from the end of a line over the cells `between`."""
        if rest == 0:
            return [self._way((LINE, seat, cell, via, via, 0), between, 0, sweep, past)]
        found: list[Way] = []
        between |= 1 << via
        home, need, passed = self._way_home(seat, via, rest, False)
        if home >= 0:
            found.append(self._way((LINE, seat, cell, home, via, 0), between | passed, need, sweep, past))
        landing, passed = self._way_on(seat, via, rest, False)
        if landing >= 0:
            beyond = past or self._passes_home(seat, via, rest)
            found.append(self._way((LINE, seat, cell, landing, via, 0), between | passed, 0, sweep, beyond))
        return found


@lru_cache(maxsize=16)
def tables_for(shape: BoardShape, rules: Ruleset) -> Tables:
    """The tables of a board and its rules, made once and shared."""
    return Tables(shape, rules)
