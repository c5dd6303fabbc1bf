"""The features of the evaluation: each has a name and a learned weight, and the evaluation is their weighted sum.

The sum is the log odds that the side of the seat to judge wins. A weight is what one unit of its feature adds to it:
positive is good for that side, whoever's feature it is. So weights of `me` and `mate` are mostly positive for places
and negative for dangers, and those of `other` the reverse. Units, where 1 is not a whole pawn or card:

    feature                                 one unit is                                     range
    danger, danger_far                      a certain capture; at the end of the lap        0 to 4
    one_home … four_home                    a seat with exactly that many pawns home        0 or 1 a seat
    blocked, jam                            a pawn held up; a pawn in the way of others     0 to 4, 0 to 3
    turns_to_wait                           a whole round until the seat's turn             0 to 1
    best_other, worst_own                   a lap, summed over the pawns of one seat        0 to 4
    hits                                    a lap gone by the pawn that can be captured     0 to 1
"""

from tock_companion.hints.buckets import BUCKETS
from tock_companion.hints.danger import REACH_HOLES, REACH_MASK, Danger
from tock_rules import DealPlan
from tock_rules.engine import CardAction, Engine

ROLES = ("me", "mate", "other")
ROLE_FEATURES = ("danger", "danger_far", "one_home", "two_home", "three_home", "four_home", "blocked", "jam")
"""For pawns of a role: chances of capture, the same times the share of the lap gone, seats with that many pawns home,
pawns held up before a protected start, pawns at home that block those behind.
"""
KEPT = ("ace", "king", "joker", "jack", "four", "seven", "five", "low", "high")
HAND_FEATURES = ("first_start", "start", "four_ready", "enters", "hits", "seven_shared")
"""A starter with no pawn out, one with pawns in camp, a four behind the entrance, pawns that a card brings home, how
far the furthest pawn has come that a card captures, a seven with two pawns to share it.
"""
STATE_FEATURES = (
    "bias",
    "turns_to_wait",
    *(f"{role}_{feature}" for role in ROLES for feature in ROLE_FEATURES),
    "best_other",
    "worst_own",
    *(f"keeps_{kind}" for kind in KEPT),
    *HAND_FEATURES,
    *(f"stored_{role}" for role in ROLES),
)
FEATURES = (*(f"{role}_{place}" for role in ROLES for place in BUCKETS), *STATE_FEATURES)
"""Every feature, in the order of the weights; no name twice."""
FIRST_STATE_FEATURE = len(ROLES) * len(BUCKETS)
_KIND = {1: 0, 13: 1, 14: 2, 15: 2, 11: 3, 16: 3, 4: 4, 7: 5, 5: 6}
_HAND_AT = STATE_FEATURES.index("keeps_ace")


def kind_of(code: int) -> int:
    """Find the index in `KEPT` of a card code."""
    return _KIND.get(code, 8 if 8 <= code <= 12 else 7)


class FeatureExtractor:
    """Computes the features of positions of one engine, whose tables are worked out once."""

    def __init__(self, engine: Engine, plan: DealPlan) -> None:
        """Look up cells, sides and cards."""
        shape = engine.shape
        self.engine = engine
        self.length: int = shape.track_length
        self.centre: int = shape.centre
        self.seats: list[int] = [int(seat) for seat in engine.seats]
        self.danger = Danger(engine.rules, plan)
        self.bits: list[int] = [0] + [
            1 << cell if cell < self.length else 0 for cell in range(shape.cell_count)
        ]
        """Bit of a cell at index cell + 1, 0 off the track."""
        self.starts: list[int] = [shape.start(seat) for seat in range(shape.zones)]
        self.homes: list[int] = [shape.home(seat, 1) for seat in range(shape.zones)]
        self.sides: list[list[int]] = [[seat] for seat in range(shape.zones)]
        for seat in self.seats:
            self.sides[seat] = [seat, *engine.mates[seat]]
        self.gone: list[list[float]] = [
            [0.0]
            + [
                min(shape.progress(seat, cell), self.length - 2) / self.length if cell < self.length else 1.0
                for cell in range(shape.cell_count)
            ]
            for seat in range(shape.zones)
        ]
        """Share of the lap that a pawn of the seat has covered, at index cell + 1."""
        for seat in range(shape.zones):
            # From the centre a pawn may leave to any summit: half a lap, on average.
            self.gone[seat][self.centre + 1] = 0.5
        self.blocks = engine.rules.start_blocks
        self.entrance_back: int = shape.entrance_back
        actions = [CardAction(engine.rules, code) for code in range(18)]
        self.starter: list[bool] = [action.start for action in actions]
        self.steps: list[int] = [7 if action.seven else action.advance for action in actions]
        self.place = {seat: self.seats.index(seat) for seat in self.seats}

    def role(self, seat: int, other: int) -> int:
        """Tell what another seat is to a seat, as an index in `ROLES`."""
        return 0 if seat == other else 1 if other in self.sides[seat] else 2

    def track_sets(self, pawns: list[int]) -> list[int]:
        """Collect the track cells of every seat's pawns as bit sets."""
        bits = self.bits
        sets = [0] * len(self.starts)
        for seat in self.seats:
            for cell in pawns[self.engine.of_seat[seat]]:
                sets[seat] |= bits[cell + 1]
        return sets

    def enemies_of(self, sets: list[int], seat: int) -> int:
        """Collect the cells of the other sides' pawns, doubled as `Danger.chance` needs them."""
        side = self.sides[seat]
        cells = 0
        for other in self.seats:
            if other not in side:
                cells |= sets[other]
        return cells | cells << self.length

    def state_features(
        self, pawns: list[int], seat: int, to_move: int, hand: list[int], stored: list[int]
    ) -> list[float]:
        """Extract all features but the buckets, in the order of `STATE_FEATURES`."""
        out = [0.0] * len(STATE_FEATURES)
        # The bias: its weight is the log odds of a table on which all else weighs nothing.
        out[0] = 1.0
        count = len(self.seats)
        out[1] = (self.place[seat] - self.place[to_move]) % count / count
        sets = self.track_sets(pawns)
        # Doubled as in `enemies_of`, so that windows behind a cell never wrap.
        mine = sets[seat] | sets[seat] << self.length
        reach = 0
        for code in hand:
            reach |= self.danger.reach[code]
            out[_HAND_AT + kind_of(code)] += 1.0
        best_other = 0.0
        worst_own = 4.0
        for other in self.seats:
            role = self.role(seat, other)
            way = self._seat_features(out, pawns, other, 2 + role * len(ROLE_FEATURES), sets)
            if role == 2:
                best_other = max(best_other, way)
                self._hits(out, pawns, other, mine, reach)
            else:
                worst_own = min(worst_own, way)
            out[-3 + role] += stored[other]
        at = _HAND_AT - 2
        out[at] = best_other
        out[at + 1] = worst_own
        self._hand_features(out, pawns, seat, hand)
        return out

    def _seat_features(
        self, out: list[float], pawns: list[int], seat: int, first: int, sets: list[int]
    ) -> float:
        """Add the features of one seat's pawns; return how far they have come in total, 0 to 4."""
        danger, gone, length = self.danger, self.gone[seat], self.length
        enemies = self.enemies_of(sets, seat)
        way = 0.0
        at_home = 0
        home = 0
        for cell in pawns[self.engine.of_seat[seat]]:
            if cell < 0:
                continue
            far = gone[cell + 1]
            way += far
            if cell > self.centre:
                at_home += 1
                home |= 1 << (cell - self.homes[seat])
            elif cell < length:
                # On its own start hole a pawn cannot be captured as long as it is fresh.
                if cell != self.starts[seat]:
                    chance = danger.chance(enemies, length, cell)
                    out[first] += chance
                    out[first + 1] += chance * far
                if self.blocks and self._before_start(sets, seat, cell):
                    out[first + 6] += 1.0
        if at_home:
            out[first + 1 + min(at_home, 4)] += 1.0
            # Pawns that stand with a free hole above them bar the way of those to come.
            for index in range(self.engine.per_seat - 1):
                if home >> index & 1 and home >> index != self.engine.full >> index:
                    out[first + 7] += 1.0
        return way

    def _before_start(self, sets: list[int], seat: int, cell: int) -> bool:
        """Whether another seat's protected pawn stands on its start within thirteen holes ahead."""
        for other in self.seats:
            start = self.starts[other]
            if other != seat and sets[other] >> start & 1 and 0 < (start - cell) % self.length <= REACH_HOLES:
                return True
        return False

    def _hits(self, out: list[float], pawns: list[int], other: int, mine: int, reach: int) -> None:
        """Note how far the furthest pawn of another side has come that a card of the hand captures."""
        at = len(STATE_FEATURES) - 5
        for cell in pawns[self.engine.of_seat[other]]:
            if 0 <= cell < self.length and cell != self.starts[other]:
                followers = mine >> (cell + self.length - REACH_HOLES) & REACH_MASK
                if followers & reach:
                    out[at] = max(out[at], self.gone[other][cell + 1])

    def _hand_features(self, out: list[float], pawns: list[int], seat: int, hand: list[int]) -> None:
        at = _HAND_AT + len(KEPT)
        cells = pawns[self.engine.of_seat[seat]]
        walking = sum(1 for cell in cells if 0 <= cell <= self.centre)
        if -1 in cells and any(self.starter[code] for code in hand):
            out[at + (1 if walking else 0)] = 1.0
        entrance = self.starts[seat] - self.entrance_back
        home = {cell - self.homes[seat] for cell in cells if cell > self.centre}
        # Holes of the home below its lowest pawn; a pawn enters with a card that ends in one of them.
        free = min(home) if home else self.engine.per_seat
        for cell in cells:
            if 0 <= cell < self.length:
                left = (entrance - cell) % self.length
                if any(left < self.steps[code] <= left + free for code in hand):
                    out[at + 3] += 1.0
                if (cell - self.starts[seat]) % self.length <= 3 and 4 in hand:
                    out[at + 2] = 1.0
        if 7 in hand and walking > 1:
            out[at + 5] = 1.0
