"""What the table has looked like lately: the newest reading of every hole and since when it has been so.

A hidden hole keeps its last reading but does not speak until it is seen again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_companion.observation import UNSEEN, HoleReading, HoleState, Observation
from tock_companion.rules.geometry import Seat


@dataclass(frozen=True, slots=True)
class Sight:
    """One hole: the last reading that was not unknown, since when it has been the same, whether it is hidden now."""

    reading: HoleReading
    since_ms: int
    hidden: bool = False


_NEVER = Sight(UNSEEN, 0, hidden=True)


@dataclass(frozen=True, slots=True)
class Watch:
    """All holes; grows with each observation. `t_ms` is the time of the newest one."""

    t_ms: int = 0
    holes: Mapping[str, Sight] = field(default_factory=dict)
    changed_ms: int = 0
    """When any visible hole last changed its state or colour."""

    def after(self, observation: Observation) -> "Watch":
        """Return the watch with one more observation taken in."""
        t_ms = observation.t_ms
        changed_ms = self.changed_ms
        holes = dict(self.holes)
        for hole in holes.keys() | observation.holes.keys():
            old = holes.get(hole, _NEVER)
            reading = observation.reading(hole)
            if reading.state is HoleState.UNKNOWN:
                holes[hole] = Sight(old.reading, old.since_ms, hidden=True)
            elif _same(reading, old.reading):
                holes[hole] = Sight(_calmer(reading, old.reading), old.since_ms)
            else:
                holes[hole] = Sight(reading, t_ms)
                changed_ms = t_ms
        return Watch(t_ms, holes, changed_ms)

    def sight(self, hole: str) -> Sight:
        """Return what is known of a hole; a hole never seen counts as hidden."""
        return self.holes.get(hole, _NEVER)

    def hidden(self) -> frozenset[str]:
        """Return the holes that cannot be seen now."""
        return frozenset(hole for hole, sight in self.holes.items() if sight.hidden)

    def pawn_at(self, hole: str) -> Seat | None:
        """Return whose pawn was last seen in a hole; None when empty, never seen, or of no known colour."""
        reading = self.sight(hole).reading
        return reading.seat if reading.state is HoleState.PAWN else None

    @property
    def blind(self) -> bool:
        """Whether nothing at all can be seen now."""
        return all(sight.hidden for sight in self.holes.values())


def _same(one: HoleReading, other: HoleReading) -> bool:
    return one.state is other.state and one.seat == other.seat


def _calmer(new: HoleReading, old: HoleReading) -> HoleReading:
    """Average the confidence over the last readings of an unchanged hole: one lucky frame decides nothing."""
    confidence = 0.5 * new.confidence + 0.5 * old.confidence
    return HoleReading(new.state, new.seat, confidence)
