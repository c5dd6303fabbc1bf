"""Ready-made answers to "where does this pawn get with this many steps": one table per seat and card action.

Built once per ruleset and board shape. Sets of cells are integers here, a bit per cell; what the generator compares
during a game are the few bits of a `Way`.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tock_companion.rules.actions import JUMP, LINE, STEP, FlatMove
from tock_companion.rules.geometry import PAWNS_PER_SEAT, SUMMIT, ZONE_LENGTH, BoardShape
from tock_companion.rules.ruleset import Ruleset
from tock_companion.rules.state import seats_on, starts_of

if TYPE_CHECKING:
    from mypy_extensions import i64

OWN: Final = 0
PUSHED: Final = 1
PART: Final = 2
"""Who walks: an own pawn, an opponent's pawn pushed by a five, an own pawn with a part of a seven."""
ZONE: Final = (1 << ZONE_LENGTH) - 1
NOWHERE: Final = 99
"""More steps to the home than any seven has."""

Word = tuple[int, int]
"""Some cells: the index of a word of `State.occ` and bits in it."""


class Draft(NamedTuple):
    """A way before it is linked to those that are tried after it."""

    move: FlatMove
    blocking_starts: int
    need: int
    free: tuple[Word, ...]
    takes: tuple[Word, ...]
    touched: int
    matters: int
    past: bool
    """It leads past the entrance of the pawn's home."""


class Way:
    """One way of a pawn to go with a card, and what must be looked at on the board before it may."""

    __slots__ = (
        "also",
        "blocking_starts",
        "free",
        "looks",
        "matters",
        "move",
        "need",
        "otherwise",
        "plain",
        "takes",
        "touched",
    )

    def __init__(self, draft: Draft, also: "Way | None", otherwise: "Way | None", looks: bool) -> None:
        """Make the way of a draft; `also` and `otherwise` are made before it."""
        self.move: FlatMove = draft.move
        """The move if nothing is taken on the way."""
        self.blocking_starts: i64 = draft.blocking_starts
        """Seats whose protected pawn on its start stops the pawn or cannot be taken, a bit each."""
        self.need: i64 = draft.need
        """Holes of the pawn's home that must be empty, as in its word of `State.occ`."""
        self.free: tuple[Word, ...] = draft.free
        """Cells that must be empty."""
        self.takes: tuple[Word, ...] = draft.takes
        """Cells whose pawns are taken on the way."""
        self.also: Way | None = also
        """What to try next if this way is open."""
        self.otherwise: Way | None = otherwise
        """What to try next if it is not."""
        self.touched: int = draft.touched | (0 if otherwise is None else otherwise.touched)
        """Every cell that this way and those after it may touch, as a set."""
        self.matters: int = draft.matters | (0 if otherwise is None else otherwise.matters)
        """Those of them of which it matters who stands there."""
        self.looks: bool = looks
        """A house rule asks who stands on the landing."""
        self.plain: bool = not (looks or self.need or self.free or self.takes or also or otherwise)
        """Only `blocking_starts` need be looked at, and nothing comes after it."""


class Shares:
    """The parts of a seven that one pawn may get, by their number of steps from 0 to 7."""

    __slots__ = ("blocking_starts", "options", "sure", "ways", "worth")

    def __init__(self, ways: list[Way | None]) -> None:
        """Take the first ways; none with 0 steps."""
        self.ways = ways
        self.options: list[list[FlatMove]] = []
        """The parts that are open when none of the starts blocks."""
        self.blocking_starts: i64 = 0
        """All `blocking_starts` of the ways."""
        self.worth: i64 = 0
        """Numbers of steps that there is a part for, a bit each."""
        self.sure: bool = True
        """Nothing but `blocking_starts` need be looked at to know that `options` are open."""
        for steps, first in enumerate(ways):
            found: list[FlatMove] = []
            way = first
            while way is not None:
                self.sure = self.sure and not (way.looks or way.need or way.free or way.takes)
                self.blocking_starts |= way.blocking_starts
                self.worth |= 1 << steps
                found.append(way.move)
                way = way.also
            self.options.append(found)


class Meetings:
    """Which parts of a seven of two pawns matter to each other."""

    __slots__ = ("first", "near", "parts", "second")

    def __init__(self, near: bool, parts: int) -> None:
        """Note whether they come near each other at all, so that different parts may lead to the same."""
        self.near = near
        self.parts = parts
        """Bit 8i + j is set if i steps of the first and j of the second, together at most 7, may change what the
        other can do or takes; 0 steps stand for a pawn that stays where it is.
        """
        self.first: i64 = 0
        """Steps of the first pawn that matter to some of the second, a bit each."""
        self.second: i64 = 0
        for steps in range(1, 8):
            if parts >> 8 * steps & 1:
                self.first |= 1 << steps
            if parts >> steps & 1:
                self.second |= 1 << steps


class Tables:
    """The ways of every card action, made on first use."""

    def __init__(self, shape: BoardShape, rules: Ruleset) -> None:
        """Remember the board and the rules; nothing is made yet."""
        self.shape = shape
        self.rules = rules
        self.cell_count: i64 = shape.cell_count
        self.starts = starts_of((1 << shape.zones) - 1)
        self._rows: dict[tuple[int, int, int, bool], list[Way | None]] = {}
        self._shares: dict[int, Shares] = {}
        self._meetings: dict[int, Meetings] = {}

    def rows(self, seat: int, steps: int, mode: int, sweep: bool) -> list[Way | None]:
        """Return for every cell the first way of a pawn of the seat, None where it has none; not to be changed."""
        key = (seat, steps, mode, sweep)
        rows = self._rows.get(key)
        if rows is None:
            cells = range(self.shape.cell_count)
            rows = self._rows[key] = [self.first(seat, cell, steps, mode, sweep, True) for cell in cells]
        return rows

    def shares(self, seat: "i64", cell: "i64", lines: bool) -> Shares:
        """Return the parts of a seven of one pawn; without `lines` it may not leave by a dotted line."""
        key = 2 * (seat * self.cell_count + cell) + lines
        shares = self._shares.get(key)
        if shares is None:
            ways: list[Way | None] = [None]
            ways += [self.first(seat, cell, steps, PART, False, lines) for steps in range(1, 8)]
            shares = self._shares[key] = Shares(ways)
        return shares

    def meetings(self, seat: "i64", cell: "i64", other: "i64", there: "i64") -> "Meetings":
        """Return what the pawn of `seat` on `cell` and that of `other`, under the same control, are to each other."""
        key = ((seat * 8 + other) * self.cell_count + cell) * self.cell_count + there
        found = self._meetings.get(key)
        if found is None:
            mine = self._mattering(seat, cell)
            theirs = self._mattering(other, there)
            near = bool(self._reach(seat, cell) & self._reach(other, there))
            parts = sum(1 << 8 * i + j for i in range(8) for j in range(8 - i) if mine[i] & theirs[j])
            found = self._meetings[key] = Meetings(near, parts)
        return found

    def _mattering(self, seat: int, cell: int) -> list[int]:
        """Return the cells that matter to 0 to 7 steps of the pawn, its own included; none where it has no way."""
        ways = self.shares(seat, cell, True).ways[1:]
        return [1 << cell, *(0 if way is None else way.matters | 1 << cell for way in ways)]

    def _reach(self, seat: int, cell: int) -> int:
        """Return every cell that the pawn may touch with a part of a seven, its own included."""
        reach = 1 << cell
        for way in self.shares(seat, cell, True).ways[1:]:
            reach |= 0 if way is None else way.touched
        return reach

    def to_home(self, seat: int, cell: int) -> int:
        """Return the fewest steps of one part of a seven that bring the pawn home, 0 when it is there."""
        if cell > self.shape.centre:
            return 0
        for steps, first in enumerate(self.shares(seat, cell, True).ways):
            way = first
            while way is not None:
                if way.move[3] > self.shape.centre:
                    return steps
                way = way.otherwise
        return NOWHERE

    def first(self, seat: int, cell: int, steps: int, mode: int, sweep: bool, lines: bool) -> Way | None:
        shape = self.shape
        if cell == shape.centre:
            return None
        if cell > shape.centre:
            drafts = self._climbing(seat, cell, steps, mode)
        else:
            drafts = self._walking(seat, cell, steps, mode, sweep)
            if (
                lines
                and self.rules.dotted_lines
                and shape.zones > 4
                and cell % ZONE_LENGTH == SUMMIT
                and mode != PUSHED
            ):
                drafts += self._by_line(seat, cell, steps, sweep)
                drafts.sort(key=self._enters, reverse=True)
        return self._linked(drafts, self.rules.voluntary_bypass or mode == PUSHED)

    def _enters(self, draft: Draft) -> bool:
        return draft.move[3] > self.shape.centre

    def _linked(self, drafts: list[Draft], may_pass: bool) -> Way | None:
        """Return the first way, linked to the others: a pawn that can go home may not walk past it (SPEC A-03)."""
        if not drafts:
            return None
        first, rest = drafts[0], drafts[1:]
        otherwise = self._linked(rest, may_pass)
        also = otherwise
        if self._enters(first) and not may_pass and any(draft.past for draft in rest):
            also = self._linked([draft for draft in rest if not draft.past], may_pass)
        return Way(first, also, otherwise, self.rules.partner_landing == "forbidden")

    def _climbing(self, seat: int, cell: int, steps: int, mode: int) -> list[Draft]:
        """In the home one only climbs, over empty holes (R004-38, R004-39)."""
        home = self.shape.home_of(cell)
        if home is None or home[0] != seat or steps < 0 or mode == PUSHED or home[1] + steps > PAWNS_PER_SEAT:
            return []
        need = ((1 << steps) - 1) << home[1]
        return [self._draft((STEP, seat, cell, cell + steps, -1, 0), 0, need, False)]

    def _walking(self, seat: int, cell: int, steps: int, mode: int, sweep: bool) -> list[Draft]:
        """Return the ways on foot: home, on along the track, and on with a jump."""
        drafts: list[Draft] = []
        home, need, passed = self._way_home(seat, cell, steps, mode == PUSHED)
        if home >= 0:
            drafts.append(self._draft((STEP, seat, cell, home, -1, 0), passed, need, sweep))
        landing, passed = self._way_on(seat, cell, steps, mode == PUSHED)
        if landing >= 0:
            past = self._is_past(seat, cell, steps)
            jumps = self._jumps(seat, landing, steps, mode)
            if self.rules.jump_optional or not jumps:
                drafts.append(self._draft((STEP, seat, cell, landing, -1, 0), passed, 0, sweep, past))
            left = 1 << landing
            for jump in jumps:
                move = (JUMP, seat, cell, jump, landing, 0)
                drafts.append(self._draft(move, passed, 0, sweep, past, left))
                left |= 1 << jump
        return drafts

    def _draft(
        self, move: FlatMove, passed: int, need: int, sweep: bool, past: bool = False, left: int = 0
    ) -> Draft:
        """Return the way of a move over the cells `passed`; `left` are summits it jumped away from."""
        rules, (_, seat, _, dst, via, _) = self.rules, move
        meets = rules.king_at_protected
        blocking_starts = 0
        if meets == "blocked" if sweep else rules.start_blocks:
            blocking_starts = seats_on(passed)
        if dst < self.shape.centre and not (sweep and meets == "takes"):
            blocking_starts |= seats_on(1 << dst)
        free = passed if rules.passing == "forbidden" and not sweep else 0
        takes = passed if sweep else 0
        if left:
            takes |= left if rules.jump_takes_first else 1 << via if sweep else 0
        ends = left | 1 << dst | (1 << via if via >= 0 else 0) | need << self.shape.home(seat, 1)
        matters = ends | (passed if free else passed & self.starts)
        return Draft(
            move, blocking_starts, need, self._words(free), self._words(takes), ends | passed, matters, past
        )

    def _words(self, cells: int) -> tuple[Word, ...]:
        """Return a set of track cells as words of `State.occ`."""
        words = [(zone, cells >> ZONE_LENGTH * zone & ZONE) for zone in range(self.shape.zones)]
        return tuple(word for word in words if word[1])

    def _is_past(self, seat: int, cell: int, steps: int) -> bool:
        shape = self.shape
        return steps > 0 and shape.progress(seat, cell) + steps > shape.track_length - shape.entrance_back

    def _way_home(self, seat: int, cell: int, steps: int, pushed: bool) -> tuple[int, int, int]:
        """Return home cell, bits of the holes to be empty and track cells passed, if these steps end in the home."""
        shape = self.shape
        if steps < 0 or (pushed and self.rules.five_into_home == "never"):
            return (-1, 0, 0)
        to_entrance = shape.track_length - shape.entrance_back - shape.progress(seat, cell)
        index = steps - to_entrance
        if to_entrance < 0 or not 1 <= index <= PAWNS_PER_SEAT:
            return (-1, 0, 0)
        return (shape.home(seat, index), (1 << index) - 1, self._between(cell, to_entrance + 1))

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
        """Return landing cell and cells passed along the track; a strict ban on the own start stops it (SPEC A-02)."""
        shape = self.shape
        banned = self.rules.own_start_crossing == "forbidden" and not pushed
        if banned and steps > 0 and shape.progress(seat, cell) + steps >= shape.track_length:
            return -1, 0
        return (cell + steps) % shape.track_length, self._between(cell, steps)

    def _jumps(self, seat: int, landing: int, steps: int, mode: int) -> list[int]:
        """Return where jumps from the landing cell lead: none, one, or several in a chain (R003-15, R004-32)."""
        rules, shape = self.rules, self.shape
        after = rules.jump_after_five if mode == PUSHED else rules.jump_in_seven if mode == PART else True
        if steps < 0:
            after = rules.jump_after_four
        if not rules.summit_jump or landing % ZONE_LENGTH != SUMMIT or not after:
            return []
        found: list[int] = []
        cell = landing
        while True:
            # A pushed pawn and one going back may cross the own start, one jumping forwards of its own will may not.
            crosses = steps > 0 and shape.progress(seat, cell) + ZONE_LENGTH >= shape.track_length
            may_cross = rules.jump_over_own_start or (mode == PUSHED and not found)
            cell = (cell + (ZONE_LENGTH if steps > 0 else -ZONE_LENGTH)) % shape.track_length
            if cell == landing or (crosses and not may_cross):
                return found
            found.append(cell)
            if not rules.jump_chain:
                return found

    def _by_line(self, seat: int, cell: int, steps: int, sweep: bool) -> list[Draft]:
        """Return the ways by dotted lines from a summit: first the line, then the rest on the track (SPEC 4.6)."""
        shape, rules = self.shape, self.rules
        sign = 1 if steps > 0 else -1
        lines = [(1, 1)]
        if shape.zones == 8 and rules.dotted_double != "off":
            lines.append((2, 2 if rules.dotted_double == "two_lines" else 1))
        found: list[Draft] = []
        for zones, cost in lines:
            via = (cell + sign * zones * ZONE_LENGTH) % shape.track_length
            between = 1 << (cell + sign * ZONE_LENGTH) % shape.track_length if cost == 2 else 0
            rest = 0 if rules.dotted_line_cost == "whole_card" else steps - sign * cost
            past = self._is_past(seat, cell, sign * zones * ZONE_LENGTH)
            if rest * sign >= 0 and not (past and rules.own_start_crossing == "forbidden"):
                found += self._after_line(seat, cell, via, rest, between, past, sweep)
        return found

    def _after_line(
        self, seat: int, cell: int, via: int, rest: int, touched: int, past: bool, sweep: bool
    ) -> list[Draft]:
        """Return the landings `rest` steps on from the end of a line, `touched` cells already passed."""
        if rest == 0:
            return [self._draft((LINE, seat, cell, via, via, 0), touched, 0, sweep, past)]
        found: list[Draft] = []
        touched |= 1 << via
        home, need, passed = self._way_home(seat, via, rest, False)
        if home >= 0:
            found.append(self._draft((LINE, seat, cell, home, via, 0), touched | passed, need, sweep, past))
        landing, passed = self._way_on(seat, via, rest, False)
        if landing >= 0:
            beyond = past or self._is_past(seat, via, rest)
            found.append(self._draft((LINE, seat, cell, landing, via, 0), touched | passed, 0, sweep, beyond))
        return found


@lru_cache(maxsize=16)
def tables_for(shape: BoardShape, rules: Ruleset) -> Tables:
    """Return the tables of a board and its rules, made once for whoever plays there."""
    return Tables(shape, rules)
