"""The recent past of the table: the belief about every hole, and since when it has held.

The belief about a hole is the running mean of the log odds of its readings, so that a doubtful frame among firm ones
changes nothing. An occluded hole keeps its belief, which does not count until the hole can be seen again.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import hypot

from tock_companion.observation import HoleState, LoosePawn, Observation
from tock_companion.referee.tracking.belief import NOTHING, TOLERATED_LOG_ODDS, Belief, believe
from tock_companion.referee.tracking.hypotheses import HypothesisTracker
from tock_rules import Hole, Seat

PAST_SHARE = 0.5
"""Share of the older readings in the running mean."""
OVERTURNING_SHARE = 0.6
"""A contradicting reading with this share of the belief's log odds replaces it; a weaker one only lessens it."""
STEADY_LOG_ODDS = 1.0
"""By less than this a reading confirms the belief without changing it."""
MAX_CAMERA_CONFIDENCE = 0.995
"""No reading of a camera is believed beyond this: cameras have bad days."""
FLICKER_MS = 150
"""A hole out of sight for no longer was hidden from one frame: no hand is that quick."""
HAND_COVERS_HOLES = 3
"""Fewer occluded holes than this are a flicker, not a hand."""
SAME_PLACE_MM = 6.0
"""A pawn that is seen this near to where it was has not moved."""
OVERLOOKED_MS = 700
"""A pawn beside the holes that was seen this shortly before is still there."""
FRESHLY_OCCLUDED_MS = 3000
"""A hole that went out of sight this shortly before may be under the hand that puts a pawn down."""


@dataclass(frozen=True, slots=True)
class TrackedHole:
    """One hole: the belief about it, since when, and whether it can be seen now."""

    belief: Belief
    since_ms: int
    occluded: bool = False
    occluded_since_ms: int = 0
    visible_since_ms: int = 0
    """Since when it can be seen without a break but a flicker."""
    left: Seat | None = None
    """The seat whose pawn was there before the last change."""
    emptied: bool = False
    """A pawn was there before, of whatever colour, and has gone."""
    doubt: Belief | None = None
    """The belief from the newest readings, while they do not yet outweigh the older ones."""
    doubt_since_ms: int = 0
    weak_since_ms: int | None = None
    """Since when the belief is weak enough to be overruled by a legal move; None while it is firm."""

    def update(self, belief: Belief, edge_ms: int | None, t_ms: int, *, at_once: bool) -> "TrackedHole":
        """Take in a source's reading; `edge_ms` is when a switch felt the change, if one did.

        `at_once` beliefs replace the old one without averaging: those of switches, and those already averaged.
        """
        if belief.state is HoleState.UNKNOWN:
            return self if self.occluded else replace(self, occluded=True, occluded_since_ms=t_ms)
        since_ms = t_ms if edge_ms is None else edge_ms
        if self.belief.state is HoleState.UNKNOWN:
            weak_since_ms = self._weak_since(belief, since_ms)
            return TrackedHole(belief, since_ms, visible_since_ms=t_ms, weak_since_ms=weak_since_ms)
        if not at_once:
            return self if self._is_confirmed_by(belief) else self._averaged(belief, since_ms)
        if edge_ms is None and not self.occluded and (belief is self.belief or belief == self.belief):
            return self
        return self._replaced(belief, since_ms, lifted=edge_ms is not None)

    def _is_confirmed_by(self, belief: Belief) -> bool:
        known = self.belief
        return (
            belief.state is known.state
            and belief.seat is known.seat
            and -STEADY_LOG_ODDS < belief.log_odds - known.log_odds < STEADY_LOG_ODDS
            and self.doubt is None
            # A first weak reading would else be believed for as long as those after it are only somewhat firmer.
            and self.weak_since_ms is None
            and not self.occluded
        )

    def _replaced(self, belief: Belief, since_ms: int, *, lifted: bool) -> "TrackedHole":
        """Take a belief for true at once; a colour once seen holds until the pawn is lifted."""
        visible = self._visible(since_ms)
        if lifted or not belief.agrees(self.belief):
            return visible._changed(belief, since_ms)
        if belief.seat is None and self.belief.seat is not None:
            belief = Belief(belief.state, self.belief.seat, belief.log_odds)
        return replace(visible, belief=belief, doubt=None, weak_since_ms=self._weak_since(belief, since_ms))

    def _averaged(self, belief: Belief, since_ms: int) -> "TrackedHole":
        visible, known = self._visible(since_ms), self.belief
        kept, new = PAST_SHARE * known.log_odds, (1 - PAST_SHARE) * belief.log_odds
        if belief.agrees(known):
            seat = known.seat if belief.seat is None else belief.seat
            merged = Belief(known.state, seat, kept + new)
            # Built directly rather than with `replace`: this happens for every hole of every frame.
            weak_since_ms = self._weak_since(merged, since_ms)
            return TrackedHole(
                merged, self.since_ms, False, 0, visible.visible_since_ms, self.left, self.emptied,
                weak_since_ms=weak_since_ms,
            )  # fmt: skip
        if self.doubt is not None and self.doubt.agrees(belief):
            # The change began with the first reading that contradicted, not with the one that outweighed.
            since_ms = self.doubt_since_ms
        if new < OVERTURNING_SHARE * kept:
            doubted = Belief(known.state, known.seat, kept - new)
            weak_since_ms = self._weak_since(doubted, since_ms)
            return replace(
                visible, belief=doubted, doubt=belief, doubt_since_ms=since_ms, weak_since_ms=weak_since_ms
            )
        return visible._changed(belief, since_ms)

    def _changed(self, belief: Belief, since_ms: int) -> "TrackedHole":
        had_pawn = self.belief.state is HoleState.PAWN
        emptied = belief.state is HoleState.EMPTY and (had_pawn or self.emptied)
        left = self.belief.seat if had_pawn else self.left
        return TrackedHole(
            belief, since_ms, visible_since_ms=self.visible_since_ms, left=left, emptied=emptied,
            weak_since_ms=self._weak_since(belief, since_ms),
        )  # fmt: skip

    def _weak_since(self, belief: Belief, t_ms: int) -> int | None:
        if belief.log_odds >= TOLERATED_LOG_ODDS:
            return None
        return t_ms if self.weak_since_ms is None else self.weak_since_ms

    def _visible(self, t_ms: int) -> "TrackedHole":
        if not self.occluded:
            return self
        flickered = t_ms - self.occluded_since_ms <= FLICKER_MS and self.belief.state is not HoleState.UNKNOWN
        return replace(self, occluded=False, visible_since_ms=self.visible_since_ms if flickered else t_ms)


@dataclass(frozen=True, slots=True)
class TrackedLoose:
    """A pawn beside the holes, since when it has been lying there and when it was last seen."""

    pawn: LoosePawn
    since_ms: int
    seen_ms: int

    def is_same(self, other: LoosePawn) -> bool:
        """Whether another sighting is of this pawn, still in its place."""
        lies_there = hypot(self.pawn.x_mm - other.x_mm, self.pawn.y_mm - other.y_mm) < SAME_PLACE_MM
        return lies_there and self.pawn.seat is other.seat


_NEVER_SEEN = TrackedHole(NOTHING, 0, occluded=True)


@dataclass(frozen=True, slots=True)
class Watch:
    """All holes; grows with each observation. `t_ms` is the time of the newest one."""

    t_ms: int = 0
    holes: Mapping[Hole, TrackedHole] = field(default_factory=dict)
    last_change_ms: int = 0
    """Time of the last change of state or colour in any visible hole."""
    last_put_ms: int = 0
    """Time at which a pawn was last put down in any hole, even if it has moved since."""
    tracker: HypothesisTracker | None = None
    """The tracker of pawns by lifts and puts, where a source feels them."""
    loose: tuple[TrackedLoose, ...] = ()
    """Pawns beside the holes."""
    sees_colors: bool = False
    """Whether, besides switches, a camera sees the board."""
    unseen: Mapping[Hole, int] = field(default_factory=dict)
    """Holes that switches feel and no camera sees, and since when: a pawn may lie over their rims."""

    def update(self, observation: Observation) -> "Watch":
        """Take in one more observation of a camera."""
        beliefs = {
            hole: believe(reading, MAX_CAMERA_CONFIDENCE) for hole, reading in observation.holes.items()
        }
        # A hole that the source leaves out it cannot see.
        beliefs |= dict.fromkeys(self.holes.keys() - beliefs.keys(), NOTHING)
        watch = self.with_beliefs(observation.t_ms, beliefs, {}, at_once=False)
        if not observation.loose and not self.loose:
            return watch
        return replace(watch, loose=self._followed(observation))

    def _followed(self, observation: Observation) -> tuple[TrackedLoose, ...]:
        """The pawns beside the holes; one that is overlooked for a frame or two is still there."""
        t_ms, known = observation.t_ms, self.loose
        now = [
            TrackedLoose(before.pawn, before.since_ms, t_ms) if before else TrackedLoose(pawn, t_ms, t_ms)
            for pawn in observation.loose
            for before in [next((one for one in known if one.is_same(pawn)), None)]
        ]
        followed = {id(one.pawn) for one in now}
        lost = [one for one in known if id(one.pawn) not in followed and t_ms - one.seen_ms < OVERLOOKED_MS]
        return (*now, *lost)

    def loose_pawns(self, seats: Container[Seat], for_ms: int) -> tuple[LoosePawn, ...]:
        """The pawns of these seats that have been lying beside the holes for that long."""
        return tuple(
            one.pawn for one in self.loose if one.pawn.seat in seats and self.t_ms - one.since_ms >= for_ms
        )

    def with_beliefs(
        self, t_ms: int, beliefs: Mapping[Hole, Belief], edges_ms: Mapping[Hole, int], *, at_once: bool
    ) -> "Watch":
        """Take in new beliefs about some holes, and when their switches, if any, felt the change."""
        last_change_ms, last_put_ms = self.last_change_ms, self.last_put_ms
        holes = dict(self.holes)
        for hole, belief in beliefs.items():
            old = holes.get(hole, _NEVER_SEEN)
            new = old.update(belief, edges_ms.get(hole), t_ms, at_once=at_once)
            if new is old:
                continue
            holes[hole] = new
            if new.since_ms != old.since_ms and new.since_ms >= self.t_ms:
                last_change_ms = max(last_change_ms, new.since_ms)
                if new.belief.state is HoleState.PAWN:
                    last_put_ms = max(last_put_ms, new.since_ms)
        return replace(self, t_ms=t_ms, holes=holes, last_change_ms=last_change_ms, last_put_ms=last_put_ms)

    def hole(self, hole: Hole) -> TrackedHole:
        """The tracked state of a hole; one that was never seen counts as occluded."""
        return self.holes.get(hole, _NEVER_SEEN)

    def contradicting(self, holes: Iterable[Hole], expected: Mapping[Hole, Seat]) -> list[Hole]:
        """Those of the holes that can be seen and show something else than expected."""
        found = []
        for hole in holes:
            tracked = self.holes.get(hole, _NEVER_SEEN)
            if not tracked.occluded and tracked.belief.contradicts(expected.get(hole)):
                found.append(hole)
        return found

    def occluded_since(self, t_ms: int) -> frozenset[Hole]:
        """The occluded holes in which something may have changed since `t_ms`.

        A card or a glass put down long before has let no pawn in.
        """
        return frozenset(
            hole
            for hole, tracked in self.holes.items()
            if tracked.occluded and tracked.occluded_since_ms > t_ms - FRESHLY_OCCLUDED_MS
        )

    def unseen_since(self, t_ms: int) -> tuple[Hole, ...]:
        """The holes that went out of a camera's sight about then, though switches still feel them."""
        return tuple(
            sorted(hole for hole, since in self.unseen.items() if since > t_ms - FRESHLY_OCCLUDED_MS)
        )

    def still_since_ms(self, holes: Iterable[Hole]) -> int:
        """Time of the last change of these holes."""
        return max((self.hole(hole).since_ms for hole in holes), default=0)

    def visible_since_ms(self, holes: Iterable[Hole]) -> int:
        """Time at which the last of these holes came into sight."""
        return max((self.hole(hole).visible_since_ms for hole in holes), default=0)

    def last_left_ms(self, seat: Seat) -> int:
        """Time at which a pawn of the seat last left a hole; of any seat if no source sees colours."""
        if self.tracker is not None:
            return self.last_change_ms
        return max((hole.since_ms for hole in self.holes.values() if hole.left is seat), default=0)

    @property
    def under_hand(self) -> bool:
        """Whether something as large as a hand has come over the board lately and is still there."""
        return len(self.occluded_since(self.t_ms)) >= HAND_COVERS_HOLES

    def without_lifts_by_others(self, movers: Container[Seat]) -> "Watch":
        """The watch with holes occluded whose pawns were lifted by others after the last put.

        A lift by a player other than the `movers` begins a new move, and is no evidence against the one before.
        """
        lifted = {
            hole: replace(tracked, occluded=True, occluded_since_ms=self.t_ms)
            for hole, tracked in self.holes.items()
            if tracked.emptied
            and tracked.since_ms > self.last_put_ms
            and not tracked.occluded
            and self._lifted_by_others(hole, movers)
        }
        return replace(self, holes={**self.holes, **lifted}) if lifted else self

    def _lifted_by_others(self, hole: Hole, movers: Container[Seat]) -> bool:
        return any(seat not in movers for seat in self.lifted_from(hole))

    def lifted_from(self, hole: Hole) -> Collection[Seat | None]:
        """The seats whose pawns may have been lifted from a hole; None if no source gave a colour."""
        return (self.hole(hole).left,) if self.tracker is None else self.tracker.in_air_from(hole)

    def pawn_at(self, hole: Hole) -> Seat | None:
        """The seat of the pawn last seen in a hole; None if it is empty, never seen or of no known colour."""
        belief = self.hole(hole).belief
        if belief.state is not HoleState.PAWN:
            return None
        if belief.seat is None and self.tracker is not None:
            return self.tracker.seat_in(hole)
        return belief.seat

    @property
    def blind(self) -> bool:
        """Whether every hole is out of sight."""
        return all(tracked.occluded for tracked in self.holes.values())
