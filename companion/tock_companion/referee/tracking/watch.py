"""What the table has looked like lately: what is believed of every hole and since when it has been so.

A hole is believed by the running mean of the log odds of its readings, so that a doubtful frame among firm ones changes
nothing.
A hidden hole keeps its belief but does not speak until it is seen again.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from tock_companion.observation import HoleState, Observation
from tock_companion.referee.tracking.belief import MOST_CERTAIN, NOTHING, Belief, believe
from tock_companion.referee.tracking.hypotheses import HypothesisTracker
from tock_companion.rules import Seat

MEMORY = 0.5
"""Share of the older readings in the running mean."""
FIRM = 0.6
"""A contradicting reading with this share of the belief's log odds replaces it; a weaker one only lessens it."""
STEADY = 1.0
"""Log odds by which a reading may differ from the belief that it confirms without changing it."""
CAMERA_LIMIT = 0.995
"""No reading of a source that hypotheses is believed beyond this: cameras have bad days."""
HAND_HOLES = 3
"""So many hidden holes are no flicker."""
LOST_FOR_MS = 3000
"""A hole hidden for less may be the one under the hand that puts a pawn down."""


@dataclass(frozen=True, slots=True)
class TrackedHole:
    """One hole: what is believed of it, since when, whether it is hidden now."""

    belief: Belief
    since_ms: int
    occluded: bool = False
    occluded_since_ms: int = 0
    visible_since_ms: int = 0
    """Since when it can be seen without a break."""
    left: Seat | None = None
    """Whose pawn was there before the last change."""
    emptied: bool = False
    """A pawn was there before, of whatever colour, and has gone."""
    doubt: Belief | None = None
    """What the newest readings say instead, while they do not yet outweigh the older ones."""
    doubt_since_ms: int = 0


_NEVER = TrackedHole(NOTHING, 0, occluded=True)


@dataclass(frozen=True, slots=True)
class Watch:
    """All holes; grows with each observation. `t_ms` is the time of the newest one."""

    t_ms: int = 0
    holes: Mapping[str, TrackedHole] = field(default_factory=dict)
    last_change_ms: int = 0
    """When any visible hole last changed its state or colour."""
    last_put_ms: int = 0
    """When a pawn was last put down in any hole, be it that it has gone on since."""
    hypotheses: HypothesisTracker | None = None
    """Who is where by lifts and puts, where a source feels them."""

    def update(self, observation: Observation, *, sharp: bool = False) -> "Watch":
        """Return the watch with one more observation taken in; `sharp` readings count at once, without averaging."""
        limit = MOST_CERTAIN if sharp else CAMERA_LIMIT
        beliefs = {hole: believe(reading, limit) for hole, reading in observation.holes.items()}
        for hole in self.holes.keys() - beliefs.keys():
            beliefs[hole] = NOTHING
        felt = {edge.hole: edge.t_ms for edge in observation.edges}
        return self.with_beliefs(observation.t_ms, beliefs, felt, sharp=sharp)

    def with_beliefs(
        self, t_ms: int, beliefs: Mapping[str, Belief], felt: Mapping[str, int], *, sharp: bool
    ) -> "Watch":
        """Return the watch with what is now believed of some holes, and when those were touched that were felt."""
        last_change_ms, last_put_ms = self.last_change_ms, self.last_put_ms
        holes = dict(self.holes)
        for hole, belief in beliefs.items():
            old = holes.get(hole, _NEVER)
            new = _next(old, belief, felt.get(hole), t_ms, sharp)
            if new is old:
                continue
            holes[hole] = new
            if new.since_ms != old.since_ms and new.since_ms >= self.t_ms:
                last_change_ms = max(last_change_ms, new.since_ms)
                if new.belief.state is HoleState.PAWN:
                    last_put_ms = max(last_put_ms, new.since_ms)
        return replace(self, t_ms=t_ms, holes=holes, last_change_ms=last_change_ms, last_put_ms=last_put_ms)

    def hole(self, hole: str) -> TrackedHole:
        """Return what is known of a hole; a hole never seen counts as hidden."""
        return self.holes.get(hole, _NEVER)

    def contradicting(self, holes: Iterable[str], expected: Mapping[str, Seat]) -> list[str]:
        """Return those of the holes that can be seen and show something else than expected."""
        found = []
        for hole in holes:
            tracked = self.holes.get(hole, _NEVER)
            if not tracked.occluded and tracked.belief.contradicts(expected.get(hole)):
                found.append(hole)
        return found

    def occluded(self) -> frozenset[str]:
        """Return the holes that cannot be seen now."""
        return frozenset(hole for hole, tracked in self.holes.items() if tracked.occluded)

    def occluded_since(self, t_ms: int) -> frozenset[str]:
        """Return the hidden holes in which something may have changed since `t_ms`.

        What lies on a hole since long before lets no pawn in: a card, a glass.
        """
        return frozenset(
            hole
            for hole, tracked in self.holes.items()
            if tracked.occluded and tracked.occluded_since_ms > t_ms - LOST_FOR_MS
        )

    @property
    def under_hand(self) -> bool:
        """Whether something as large as a hand has come over the board lately and is still there."""
        return len(self.occluded_since(self.t_ms)) >= HAND_HOLES

    def without_lifts_by_others(self, movers: Container[Seat]) -> "Watch":
        """Return the watch as if the holes were hidden whose pawns others lifted after the last one was put down.

        Whoever but the `movers` lifts a pawn now begins something new; it says nothing against what was done before.
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

    def _lifted_by_others(self, hole: str, movers: Container[Seat]) -> bool:
        if self.hypotheses is None:
            return self.hole(hole).left not in movers
        return any(seat not in movers for seat in self.hypotheses.in_air_from(hole))

    def pawn_at(self, hole: str) -> Seat | None:
        """Return whose pawn was last seen in a hole; None when empty, never seen, or of no known colour."""
        belief = self.hole(hole).belief
        if belief.state is not HoleState.PAWN:
            return None
        if belief.seat is None and self.hypotheses is not None:
            return self.hypotheses.who(hole)
        return belief.seat

    @property
    def blind(self) -> bool:
        """Whether nothing at all can be seen now."""
        return all(tracked.occluded for tracked in self.holes.values())


def _next(old: TrackedHole, belief: Belief, edge_ms: int | None, t_ms: int, sharp: bool) -> TrackedHole:
    if belief.state is HoleState.UNKNOWN:
        return old if old.occluded else replace(old, occluded=True, occluded_since_ms=t_ms)
    since_ms = t_ms if edge_ms is None else edge_ms
    if old.belief.state is HoleState.UNKNOWN:
        return TrackedHole(belief, since_ms, visible_since_ms=t_ms)
    if not sharp:
        return old if _steady(old, belief) else _averaged(old, belief, since_ms)
    if edge_ms is None and not old.occluded and (belief is old.belief or belief == old.belief):
        return old
    return _replaced(old, belief, since_ms, touched=edge_ms is not None)


def _steady(old: TrackedHole, belief: Belief) -> bool:
    known = old.belief
    return (
        belief.state is known.state
        and belief.seat is known.seat
        and -STEADY < belief.log_odds - known.log_odds < STEADY
        and old.doubt is None
        and not old.occluded
    )


def _replaced(old: TrackedHole, belief: Belief, since_ms: int, touched: bool) -> TrackedHole:
    """Take a belief for true at once; a colour once seen holds until the pawn is lifted."""
    if belief.agrees(old.belief) and not touched:
        if belief.seat is None and old.belief.seat is not None:
            belief = Belief(belief.state, old.belief.seat, belief.log_odds)
        return replace(_shown(old, since_ms), belief=belief, doubt=None)
    return _changed(_shown(old, since_ms), belief, since_ms)


def _averaged(old: TrackedHole, belief: Belief, since_ms: int) -> TrackedHole:
    old = _shown(old, since_ms)
    known = old.belief
    kept, new = MEMORY * known.log_odds, (1 - MEMORY) * belief.log_odds
    if belief.agrees(known):
        seat = known.seat if belief.seat is None else belief.seat
        merged = Belief(belief.state, seat, kept + new)
        return TrackedHole(merged, old.since_ms, False, 0, old.visible_since_ms, old.left, old.emptied)
    if old.doubt is not None and old.doubt.agrees(belief):
        since_ms = old.doubt_since_ms
    if new < FIRM * kept:
        doubted = Belief(known.state, known.seat, kept - new)
        return replace(old, belief=doubted, doubt=belief, doubt_since_ms=since_ms)
    return _changed(old, belief, since_ms)


def _changed(old: TrackedHole, belief: Belief, since_ms: int) -> TrackedHole:
    had_pawn = old.belief.state is HoleState.PAWN
    emptied = belief.state is HoleState.EMPTY and (had_pawn or old.emptied)
    left = old.belief.seat if had_pawn else old.left
    return TrackedHole(belief, since_ms, visible_since_ms=old.visible_since_ms, left=left, emptied=emptied)


def _shown(old: TrackedHole, t_ms: int) -> TrackedHole:
    return replace(old, occluded=False, visible_since_ms=t_ms) if old.occluded else old
