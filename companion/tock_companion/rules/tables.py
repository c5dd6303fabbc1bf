"""Ready-made answers to "where does this pawn get with this many steps": one table per seat and card action.

A row holds everything the generator must check, as sets of cells (see `state`). Built once per ruleset and
board shape.
"""

from tock_companion.rules.geometry import SUMMIT, ZONE_LENGTH, BoardShape
from tock_companion.rules.ruleset import Ruleset

More = tuple[int, int, int, int, int, bool, bool]
"""Home cell, cells that must be empty in the home, track cells passed on the way home, cell reached by a jump from the
landing cell, bit of it, whether the pawn may stay before the jump, whether it may go on although it could enter. Cells
are -1 and bits 0 where there is no such way.
"""
Row = tuple[int, int, int, More | None]
"""Landing cell on the track (-1 for none), track cells passed, bit of the landing cell, and what is more than a plain
step: None for most cells.
"""

Route = tuple[int, int, int, int, bool]
"""One way by a dotted line: first cell reached, landing cell, cells passed, cells that must be empty,
past the entrance.
"""


def way_of(row: Row) -> int:
    """Return every cell that a pawn may touch with the steps of a row, the landings included."""
    _, path, bit, more = row
    return path | bit if more is None else path | bit | more[1] | more[2] | more[4]


OWN, PUSHED, PART = 0, 1, 2
"""Who walks: an own pawn, an opponent's pawn pushed by a five, an own pawn with a part of a seven."""


class Tables:
    """Rows of every card action, made on first use."""

    def __init__(self, shape: BoardShape, rules: Ruleset) -> None:
        """Remember the board and the rules; no row is made yet."""
        self.shape = shape
        self.rules = rules
        self._rows: dict[tuple[int, int, int], list[Row | None]] = {}
        self._shares: dict[tuple[int, int], list[Row | None]] = {}
        self._reach: dict[tuple[int, int], int] = {}
        self._routes: dict[tuple[int, int], dict[int, list[Route]]] = {}

    def rows(self, seat: int, steps: int, mode: int = OWN) -> list[Row | None]:
        """Return one row per cell for a pawn of the seat; `mode` is OWN, PUSHED or PART."""
        key = (seat, steps, mode)
        rows = self._rows.get(key)
        if rows is None:
            rows = [self._row(seat, cell, steps, mode) for cell in range(self.shape.cell_count)]
            self._rows[key] = rows
        return rows

    def _row(self, seat: int, cell: int, steps: int, mode: int) -> Row | None:
        shape = self.shape
        pushed = mode == PUSHED
        if cell == shape.centre:
            return None
        if cell > shape.centre:
            return self._row_at_home(seat, cell, steps, pushed)
        home, need, home_path = (-1, 0, 0) if steps < 0 else self._way_home(seat, cell, steps, pushed)
        landing, passed = self._way_on(seat, cell, steps, pushed)
        bit = 0 if landing < 0 else 1 << landing
        jump = -1 if landing < 0 else self._jump(seat, landing, steps, mode)
        telling = -1 if mode == PART or jump >= 0 else self._telling(steps)
        if home < 0 and jump < 0:
            return None if landing < 0 else (landing, passed & telling, bit & telling, None)
        jump_bit = 0 if jump < 0 else 1 << jump
        may_stay = self.rules.jump_optional or jump < 0
        may_pass = self.rules.voluntary_bypass or pushed
        more = (home, need, home_path & telling, jump, jump_bit, may_stay, may_pass)
        return (landing, passed & telling, bit & telling, more)

    def _telling(self, steps: int) -> int:
        """Return the cells of a way that can matter: all, or only starts where pawns are neither barred nor swept else.

        Small sets are quicker to compare, above all in the compiled engine.
        """
        rules, shape = self.rules, self.shape
        sweeps = (rules.king_sweeps and steps == rules.king_value) or (
            rules.colour_joker_sweeps and steps == rules.joker_value
        )
        if sweeps or rules.passing == "forbidden" or rules.partner_landing == "forbidden":
            return -1
        return sum(1 << shape.start(seat) for seat in shape.seats)

    def _row_at_home(self, seat: int, cell: int, steps: int, pushed: bool) -> Row | None:
        """In the home one only climbs, over empty holes (R004-38, R004-39)."""
        home = self.shape.home_of(cell)
        if home is None or home[0] != seat or steps < 0 or pushed or home[1] + steps > 4:
            return None
        need = sum(1 << (cell + i) for i in range(1, steps + 1))
        return (-1, 0, 0, (cell + steps, need, 0, -1, 0, True, True))

    def _way_home(self, seat: int, cell: int, steps: int, pushed: bool) -> tuple[int, int, int]:
        """Return home cell, cells to be empty and track cells passed, if these steps end in the home."""
        shape = self.shape
        if pushed and self.rules.five_into_home == "never":
            return (-1, 0, 0)
        to_entrance = shape.track_length - shape.entrance_back - shape.progress(seat, cell)
        index = steps - to_entrance
        if to_entrance < 0 or not 1 <= index <= 4:
            return (-1, 0, 0)
        need = sum(1 << shape.home(seat, i) for i in range(1, index + 1))
        return (shape.home(seat, index), need, self._between(cell, to_entrance + 1))

    def _between(self, cell: int, steps: int) -> int:
        """Return the track cells strictly between a cell and the one `steps` further (backwards when negative)."""
        count = abs(steps) - 1
        if count < 1:
            return 0
        length = self.shape.track_length
        first = cell + 1 if steps > 0 else cell + steps + 1
        run = ((1 << count) - 1) << first % length
        return run & ((1 << length) - 1) | run >> length

    def _way_on(self, seat: int, cell: int, steps: int, pushed: bool) -> tuple[int, int]:
        """Return landing cell and cells passed along the track; a strict ban on the own start stops it
        (SPEC A-02).
        """
        shape = self.shape
        banned = self.rules.own_start_crossing == "forbidden" and not pushed
        if banned and steps > 0 and shape.progress(seat, cell) + steps >= shape.track_length:
            return -1, 0
        return (cell + steps) % shape.track_length, self._between(cell, steps)

    def _jump(self, seat: int, landing: int, steps: int, mode: int) -> int:
        """Return where a jump from the landing cell leads, -1 when there is none (R003-15, R004-32)."""
        rules, shape = self.rules, self.shape
        after = rules.jump_after_five if mode == PUSHED else rules.jump_in_seven if mode == PART else True
        if steps < 0:
            after = rules.jump_after_four
        if not rules.summit_jump or landing % ZONE_LENGTH != SUMMIT or not after:
            return -1
        # A pushed pawn and one going back may cross the own start, one jumping forwards of its own will may
        # not.
        crosses = shape.progress(seat, landing) + ZONE_LENGTH >= shape.track_length
        if crosses and steps > 0 and mode != PUSHED and not rules.jump_over_own_start:
            return -1
        return (landing + (ZONE_LENGTH if steps > 0 else -ZONE_LENGTH)) % shape.track_length

    def shares(self, seat: int, cell: int) -> list[Row | None]:
        """Return the rows of one pawn for a part of a seven of 1 to 7 steps."""
        key = (seat, cell)
        rows = self._shares.get(key)
        if rows is None:
            rows = [self.rows(seat, steps, PART)[cell] for steps in range(1, 8)]
            self._shares[key] = rows
        return rows

    def reach(self, seat: int, cell: int) -> int:
        """Return every cell that parts of a seven can bring the pawn to or past, its own cell included."""
        key = (seat, cell)
        reach = self._reach.get(key)
        if reach is None:
            reach = 1 << cell
            for steps in range(1, 8):
                row = self.rows(seat, steps, PART)[cell]
                if row is not None:
                    reach |= way_of(row)
                for _, landing, passed, need, _ in self.routes(seat, steps).get(cell, ()):
                    reach |= passed | need | 1 << landing
            self._reach[key] = reach
        return reach

    def passes(self, seat: int, move: tuple[int, ...]) -> bool:
        """Whether a step on the track leads from before the seat's entrance, or on it, to beyond it."""
        if move[4] >= 0:
            return False
        ahead = (move[3] - move[2]) % self.shape.track_length
        gone = self.shape.progress(seat, move[2]) + ahead
        backwards = ahead > self.shape.track_length // 2
        return not backwards and gone > self.shape.track_length - self.shape.entrance_back

    def routes(self, seat: int, steps: int) -> dict[int, list[Route]]:
        """Return the ways by dotted lines from every summit: first the line, then the rest on the track
        (SPEC 4.6).
        """
        key = (seat, steps)
        routes = self._routes.get(key)
        if routes is None:
            routes = {cell: self._routes_from(seat, cell, steps) for cell in self.shape.summits()}
            self._routes[key] = routes
        return routes

    def _routes_from(self, seat: int, cell: int, steps: int) -> list[Route]:
        shape, rules = self.shape, self.rules
        if shape.zones == 4 or not rules.dotted_lines:
            return []
        sign = 1 if steps > 0 else -1
        lines = [(1, 1)]
        if shape.zones == 8 and rules.dotted_double != "off":
            lines.append((2, 2 if rules.dotted_double == "two_lines" else 1))
        found: list[Route] = []
        for zones, cost in lines:
            via = (cell + sign * zones * ZONE_LENGTH) % shape.track_length
            touched = 0
            if cost == 2:
                touched = 1 << ((cell + sign * ZONE_LENGTH) % shape.track_length)
            rest = 0 if rules.dotted_line_cost == "whole_card" else steps - sign * cost
            if rest * sign < 0:
                continue
            past = (
                sign > 0
                and shape.progress(seat, cell) + zones * ZONE_LENGTH
                > shape.track_length - shape.entrance_back
            )
            if past and rules.own_start_crossing == "forbidden":
                continue
            found.extend(self._routes_via(seat, via, rest, touched, past))
        return found

    def _routes_via(self, seat: int, via: int, rest: int, touched: int, past: bool) -> list[Route]:
        """Return the landings after a line: `rest` steps on from `via`, `touched` cells already passed."""
        if rest == 0:
            return [(via, via, touched, 0, past)]
        found: list[Route] = []
        touched |= 1 << via
        if rest > 0:
            home, need, passed = self._way_home(seat, via, rest, False)
            if home >= 0:
                found.append((via, home, touched | passed, need, past))
        landing, passed = self._way_on(seat, via, rest, False)
        if landing >= 0:
            shape = self.shape
            beyond = past or (
                rest > 0 and shape.progress(seat, via) + rest > shape.track_length - shape.entrance_back
            )
            found.append((via, landing, touched | passed, 0, beyond))
        return found
