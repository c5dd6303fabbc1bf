"""What the table has looked like lately: the believed state of every hole and since when it has been so.

A hole is believed by the running mean of the log odds of its readings, so that a doubtful frame among firm ones changes
nothing.
A hidden hole keeps its state but does not speak until it is seen again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import exp, log

from tock_companion.observation import UNSEEN, HoleReading, HoleState, Observation
from tock_companion.referee.carrying import Carrying
from tock_companion.rules.geometry import Seat

MEMORY = 0.5
"""Share of the older readings in the running mean."""
FIRM = 0.6
"""A contradicting reading with this share of the belief's log odds replaces it; a weaker one only lessens it."""
CAMERA_LIMIT = 0.995
"""No reading of a source that guesses is believed beyond this: cameras have bad days."""
LOST_FOR_MS = 3000
"""A hole hidden for less may be the one under the hand that puts a pawn down."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One hole: what is believed of it, since when, whether it is hidden now."""

    reading: HoleReading
    since_ms: int
    hidden: bool = False
    hidden_since_ms: int = 0
    shown_ms: int = 0
    """Since when it can be seen without a break."""
    left: Seat | None = None
    """Whose pawn was there before the last change."""
    emptied: bool = False
    """A pawn was there before, of whatever colour, and has gone."""
    doubt: HoleReading | None = None
    """What the newest readings say instead, while they do not yet outweigh the older ones."""
    doubt_since_ms: int = 0


_NEVER = Sight(UNSEEN, 0, hidden=True)


@dataclass(frozen=True, slots=True)
class Watch:
    """All holes; grows with each observation. `t_ms` is the time of the newest one."""

    t_ms: int = 0
    holes: Mapping[str, Sight] = field(default_factory=dict)
    changed_ms: int = 0
    """When any visible hole last changed its state or colour."""
    carrying: Carrying | None = None
    """Who is where by lifts and puts, where a source feels them."""

    def after(self, observation: Observation, *, sharp: bool = False, partly: bool = False) -> "Watch":
        """Return the watch with one more observation taken in.

        `sharp` readings count at once, without averaging; given `partly`, it says nothing of the holes left out.
        """
        t_ms = observation.t_ms
        felt = {touch.hole: touch.t_ms for touch in observation.touches}
        changed_ms = self.changed_ms
        holes = dict(self.holes)
        for hole in observation.holes if partly else holes.keys() | observation.holes.keys():
            old = holes.get(hole, _NEVER)
            new = _next(old, observation.reading(hole), felt.get(hole), t_ms, sharp)
            if new is not old:
                holes[hole] = new
                if new.since_ms != old.since_ms and new.since_ms >= self.t_ms:
                    changed_ms = max(changed_ms, new.since_ms)
        return replace(self, t_ms=t_ms, holes=holes, changed_ms=changed_ms)

    def sight(self, hole: str) -> Sight:
        """Return what is known of a hole; a hole never seen counts as hidden."""
        return self.holes.get(hole, _NEVER)

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

    def without_lifts(self) -> "Watch":
        """Return the watch as if the holes were hidden whose pawns were lifted after the last one was put down.

        Whoever lifts a pawn now begins something new; it says nothing against what has been done before.
        """
        put_ms = max(
            (s.since_ms for s in self.holes.values() if s.reading.state is HoleState.PAWN and not s.hidden),
            default=0,
        )
        lifted = {
            hole: replace(sight, hidden=True, hidden_since_ms=self.t_ms)
            for hole, sight in self.holes.items()
            if sight.emptied and sight.since_ms > put_ms and not sight.hidden
        }
        return replace(self, holes={**self.holes, **lifted}) if lifted else self

    def pawn_at(self, hole: str) -> Seat | None:
        """Return whose pawn was last seen in a hole; None when empty, never seen, or of no known colour."""
        reading = self.sight(hole).reading
        if reading.state is not HoleState.PAWN:
            return None
        if reading.seat is None and self.carrying is not None:
            return self.carrying.who(hole)
        return reading.seat

    @property
    def blind(self) -> bool:
        """Whether nothing at all can be seen now."""
        return all(sight.hidden for sight in self.holes.values())


def weight(reading: HoleReading) -> float:
    """Return what it costs to disbelieve a reading: the log odds of its confidence, never below 0."""
    confidence = min(reading.confidence, 0.9999)
    return max(0.0, log(confidence / (1.0 - confidence))) if confidence > 0 else 0.0


def believed(reading: HoleReading, log_odds: float) -> HoleReading:
    """Return a reading with the confidence of these log odds."""
    return HoleReading(reading.state, reading.seat, 1.0 / (1.0 + exp(-log_odds)))


def same(one: HoleReading, other: HoleReading) -> bool:
    """Whether two readings say the same; a pawn of unknown colour goes with every pawn."""
    if one.state is not other.state:
        return False
    return one.seat == other.seat or one.seat is None or other.seat is None


def _next(old: Sight, reading: HoleReading, felt_ms: int | None, t_ms: int, sharp: bool) -> Sight:
    if reading.state is HoleState.UNKNOWN:
        return old if old.hidden else replace(old, hidden=True, hidden_since_ms=t_ms)
    if reading == old.reading and not old.hidden and old.doubt is None and felt_ms is None:
        return old
    since_ms = t_ms if felt_ms is None else felt_ms
    if old.reading.state is HoleState.UNKNOWN:
        return Sight(reading, since_ms, shown_ms=t_ms)
    if sharp:
        return _replaced(old, reading, since_ms, touched=felt_ms is not None)
    return _averaged(old, reading, since_ms)


def _replaced(old: Sight, reading: HoleReading, since_ms: int, touched: bool) -> Sight:
    """Take a reading for true at once; a colour once seen holds until the pawn is lifted."""
    if same(reading, old.reading) and not touched:
        if reading.seat is None and old.reading.seat is not None:
            reading = HoleReading(reading.state, old.reading.seat, reading.confidence)
        return replace(_shown(old, since_ms), reading=reading, doubt=None)
    return _changed(_shown(old, since_ms), reading, since_ms)


def _averaged(old: Sight, reading: HoleReading, since_ms: int) -> Sight:
    if reading.confidence > CAMERA_LIMIT:
        reading = HoleReading(reading.state, reading.seat, CAMERA_LIMIT)
    old = _shown(old, since_ms)
    score, new = MEMORY * weight(old.reading), (1 - MEMORY) * weight(reading)
    if same(reading, old.reading):
        seat = old.reading.seat if reading.seat is None else reading.seat
        merged = believed(HoleReading(reading.state, seat), score + new)
        return Sight(merged, old.since_ms, False, 0, old.shown_ms, old.left, old.emptied)
    if old.doubt is not None and same(old.doubt, reading):
        since_ms = old.doubt_since_ms
    if new < FIRM * score:
        kept = believed(old.reading, score - new)
        return replace(old, reading=kept, doubt=reading, doubt_since_ms=since_ms)
    return _changed(old, reading, since_ms)


def _changed(old: Sight, reading: HoleReading, since_ms: int) -> Sight:
    had_pawn = old.reading.state is HoleState.PAWN
    emptied = reading.state is HoleState.EMPTY and (had_pawn or old.emptied)
    left = old.reading.seat if had_pawn else old.left
    return Sight(reading, since_ms, shown_ms=old.shown_ms, left=left, emptied=emptied)


def _shown(old: Sight, t_ms: int) -> Sight:
    return replace(old, hidden=False, shown_ms=t_ms) if old.hidden else old
