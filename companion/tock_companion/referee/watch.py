"""What the table has looked like lately: what is believed of every hole and since when it has been so.

A hole is believed by the running mean of the log odds of its readings, so that a doubtful frame among firm ones changes
nothing.
A hidden hole keeps its belief but does not speak until it is seen again.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from tock_companion.observation import HoleState, Observation
from tock_companion.referee.belief import MOST_CERTAIN, NOTHING, Belief, believe
from tock_companion.referee.carrying import Carrying
from tock_companion.rules.geometry import Seat

MEMORY = 0.5
"""Share of the older readings in the running mean."""
FIRM = 0.6
"""A contradicting reading with this share of the belief's log odds replaces it; a weaker one only lessens it."""
STEADY = 1.0
"""Log odds by which a reading may differ from the belief that it confirms without changing it."""
CAMERA_LIMIT = 0.995
"""No reading of a source that guesses is believed beyond this: cameras have bad days."""
HAND_HOLES = 3
"""So many hidden holes are no flicker."""
LOST_FOR_MS = 3000
"""A hole hidden for less may be the one under the hand that puts a pawn down."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One hole: what is believed of it, since when, whether it is hidden now."""

    belief: Belief
    since_ms: int
    hidden: bool = False
    hidden_since_ms: int = 0
    shown_ms: int = 0
    """Since when it can be seen without a break."""
    left: Seat | None = None
    """Whose pawn was there before the last change."""
    emptied: bool = False
    """A pawn was there before, of whatever colour, and has gone."""
    doubt: Belief | None = None
    """What the newest readings say instead, while they do not yet outweigh the older ones."""
    doubt_since_ms: int = 0


_NEVER = Sight(NOTHING, 0, hidden=True)


@dataclass(frozen=True, slots=True)
class Watch:
    """All holes; grows with each observation. `t_ms` is the time of the newest one."""

    t_ms: int = 0
    holes: Mapping[str, Sight] = field(default_factory=dict)
    changed_ms: int = 0
    """When any visible hole last changed its state or colour."""
    put_ms: int = 0
    """When a pawn was last put down in any hole, be it that it has gone on since."""
    carrying: Carrying | None = None
    """Who is where by lifts and puts, where a source feels them."""

    def after(self, observation: Observation, *, sharp: bool = False) -> "Watch":
        """Return the watch with one more observation taken in; `sharp` readings count at once, without averaging."""
        limit = MOST_CERTAIN if sharp else CAMERA_LIMIT
        beliefs = {hole: believe(reading, limit) for hole, reading in observation.holes.items()}
        for hole in self.holes.keys() - beliefs.keys():
            beliefs[hole] = NOTHING
        felt = {touch.hole: touch.t_ms for touch in observation.touches}
        return self.taking(observation.t_ms, beliefs, felt, sharp=sharp)

    def taking(
        self, t_ms: int, beliefs: Mapping[str, Belief], felt: Mapping[str, int], *, sharp: bool
    ) -> "Watch":
        """Return the watch with what is now believed of some holes, and when those were touched that were felt."""
        changed_ms, put_ms = self.changed_ms, self.put_ms
        holes = dict(self.holes)
        for hole, belief in beliefs.items():
            old = holes.get(hole, _NEVER)
            new = _next(old, belief, felt.get(hole), t_ms, sharp)
            if new is old:
                continue
            holes[hole] = new
            if new.since_ms != old.since_ms and new.since_ms >= self.t_ms:
                changed_ms = max(changed_ms, new.since_ms)
                if new.belief.state is HoleState.PAWN:
                    put_ms = max(put_ms, new.since_ms)
        return replace(self, t_ms=t_ms, holes=holes, changed_ms=changed_ms, put_ms=put_ms)

    def sight(self, hole: str) -> Sight:
        """Return what is known of a hole; a hole never seen counts as hidden."""
        return self.holes.get(hole, _NEVER)

    def contradicting(self, holes: Iterable[str], expected: Mapping[str, Seat]) -> list[str]:
        """Return those of the holes that can be seen and show something else than expected."""
        found = []
        for hole in holes:
            sight = self.holes.get(hole, _NEVER)
            if not sight.hidden and sight.belief.contradicts(expected.get(hole)):
                found.append(hole)
        return found

    def hidden(self) -> frozenset[str]:
        """Return the holes that cannot be seen now."""
        return frozenset(hole for hole, sight in self.holes.items() if sight.hidden)

    def hidden_from(self, t_ms: int) -> frozenset[str]:
        """Return the hidden holes in which something may have changed since `t_ms`.

        What lies on a hole since long before lets no pawn in: a card, a glass.
        """
        return frozenset(
            hole
            for hole, sight in self.holes.items()
            if sight.hidden and sight.hidden_since_ms > t_ms - LOST_FOR_MS
        )

    @property
    def under_hand(self) -> bool:
        """Whether something as large as a hand has come over the board lately and is still there."""
        return len(self.hidden_from(self.t_ms)) >= HAND_HOLES

    def without_lifts(self, movers: Container[Seat]) -> "Watch":
        """Return the watch as if the holes were hidden whose pawns others lifted after the last one was put down.

        Whoever but the `movers` lifts a pawn now begins something new; it says nothing against what was done before.
        """
        lifted = {
            hole: replace(sight, hidden=True, hidden_since_ms=self.t_ms)
            for hole, sight in self.holes.items()
            if sight.emptied
            and sight.since_ms > self.put_ms
            and not sight.hidden
            and self._lifted_by_others(hole, movers)
        }
        return replace(self, holes={**self.holes, **lifted}) if lifted else self

    def _lifted_by_others(self, hole: str, movers: Container[Seat]) -> bool:
        if self.carrying is None:
            return self.sight(hole).left not in movers
        return any(seat not in movers for seat in self.carrying.in_air_from(hole))

    def pawn_at(self, hole: str) -> Seat | None:
        """Return whose pawn was last seen in a hole; None when empty, never seen, or of no known colour."""
        belief = self.sight(hole).belief
        if belief.state is not HoleState.PAWN:
            return None
        if belief.seat is None and self.carrying is not None:
            return self.carrying.who(hole)
        return belief.seat

    @property
    def blind(self) -> bool:
        """Whether nothing at all can be seen now."""
        return all(sight.hidden for sight in self.holes.values())


def _next(old: Sight, belief: Belief, felt_ms: int | None, t_ms: int, sharp: bool) -> Sight:
    if belief.state is HoleState.UNKNOWN:
        return old if old.hidden else replace(old, hidden=True, hidden_since_ms=t_ms)
    since_ms = t_ms if felt_ms is None else felt_ms
    if old.belief.state is HoleState.UNKNOWN:
        return Sight(belief, since_ms, shown_ms=t_ms)
    if not sharp:
        return old if _steady(old, belief) else _averaged(old, belief, since_ms)
    if felt_ms is None and not old.hidden and (belief is old.belief or belief == old.belief):
        return old
    return _replaced(old, belief, since_ms, touched=felt_ms is not None)


def _steady(old: Sight, belief: Belief) -> bool:
    known = old.belief
    return (
        belief.state is known.state
        and belief.seat is known.seat
        and -STEADY < belief.log_odds - known.log_odds < STEADY
        and old.doubt is None
        and not old.hidden
    )


def _replaced(old: Sight, belief: Belief, since_ms: int, touched: bool) -> Sight:
    """Take a belief for true at once; a colour once seen holds until the pawn is lifted."""
    if belief.agrees(old.belief) and not touched:
        if belief.seat is None and old.belief.seat is not None:
            belief = Belief(belief.state, old.belief.seat, belief.log_odds)
        return replace(_shown(old, since_ms), belief=belief, doubt=None)
    return _changed(_shown(old, since_ms), belief, since_ms)


def _averaged(old: Sight, belief: Belief, since_ms: int) -> Sight:
    old = _shown(old, since_ms)
    known = old.belief
    kept, new = MEMORY * known.log_odds, (1 - MEMORY) * belief.log_odds
    if belief.agrees(known):
        seat = known.seat if belief.seat is None else belief.seat
        merged = Belief(belief.state, seat, kept + new)
        return Sight(merged, old.since_ms, False, 0, old.shown_ms, old.left, old.emptied)
    if old.doubt is not None and old.doubt.agrees(belief):
        since_ms = old.doubt_since_ms
    if new < FIRM * kept:
        doubted = Belief(known.state, known.seat, kept - new)
        return replace(old, belief=doubted, doubt=belief, doubt_since_ms=since_ms)
    return _changed(old, belief, since_ms)


def _changed(old: Sight, belief: Belief, since_ms: int) -> Sight:
    had_pawn = old.belief.state is HoleState.PAWN
    emptied = belief.state is HoleState.EMPTY and (had_pawn or old.emptied)
    left = old.belief.seat if had_pawn else old.left
    return Sight(belief, since_ms, shown_ms=old.shown_ms, left=left, emptied=emptied)


def _shown(old: Sight, t_ms: int) -> Sight:
    return replace(old, hidden=False, shown_ms=t_ms) if old.hidden else old
