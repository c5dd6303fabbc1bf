"""All sources together: one watch per source, and the one that the referee decides by.

A reed board says when and where, a camera which colour. Where both say something of a hole their log odds add up or
cancel out; each alone is enough.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from tock_companion.observation import HoleState, Observation, Touch
from tock_companion.referee.belief import NOTHING, Belief, fuse
from tock_companion.referee.carrying import Carrying
from tock_companion.referee.expectation import Expectation
from tock_companion.referee.trust import Trust
from tock_companion.referee.watch import Watch
from tock_companion.rules.geometry import PAWNS_PER_SEAT, Seat

CALM_MS = 200
"""A hole that changed later may be part of what comes next."""
UNEXPLAINED = Belief(HoleState.PAWN, None, 1.4)
"""A switch that closed while no pawn was in the air: four to one."""
OVERRULED = 0.7
"""Log odds of a switch of which people have said that it is wrong."""
SURE_SIGHT = 2.5
"""Log odds from which a camera's reading of a camp hole teaches what a switch is worth."""


@dataclass(frozen=True, slots=True)
class Senses:
    """Everything seen and felt until now."""

    base: Expectation
    watches: Mapping[str, Watch] = field(default_factory=dict)
    feeling: frozenset[str] = frozenset()
    """Sources that feel pawns without seeing colours."""
    trust: Trust = field(default_factory=Trust)
    fused: Watch = field(default_factory=Watch)
    overruled: frozenset[tuple[str, str, HoleState]] = frozenset()
    """What people have said is not so: source, hole, and what the source says of it."""

    def after(self, observation: Observation) -> "Senses":
        """Return the senses with one more observation taken in."""
        name = observation.source
        senses = self if name in self.feeling or not is_felt(observation) else self._grown(name)
        felt: dict[str, int] = {}
        old, carrying = senses.watches.get(name, Watch()), senses.fused.carrying
        if name in senses.feeling:
            senses = senses._still_overruled(observation)
            senses, carrying = senses._hands(old, observation)
            felt = {touch.hole: touch.t_ms for touch in observation.touches}
            trusted = {**dict.fromkeys(old.holes, NOTHING), **senses._trusted(observation, carrying)}
            watch = old.taking(observation.t_ms, trusted, felt, sharp=True)
        else:
            watch = old.after(observation)
        watches = {**senses.watches, name: watch}
        if len(watches) == 1:
            return replace(senses, watches=watches, fused=replace(watch, carrying=carrying))
        new = [hole for hole, sight in watch.holes.items() if sight is not old.holes.get(hole)]
        beliefs = {hole: _together(hole, watches, senses.feeling) for hole in new}
        fused = senses.fused.taking(observation.t_ms, beliefs, felt, sharp=True)
        return replace(senses, watches=watches, fused=replace(fused, carrying=carrying))

    def settled(self, base: Expectation, since_ms: int) -> "Senses":
        """Return the senses once a position is certain: what was felt until then is used up."""
        carrying = None
        if self.feeling:
            carrying = Carrying(base)
            for touch in self.fused.carrying.touches if self.fused.carrying is not None else ():
                if touch.t_ms > since_ms:
                    carrying = carrying.after(touch, self.trust.of(touch.hole).bounce_ms)
        wrong = {
            (name, hole, state)
            for name, hole, state in self.overruled
            if (state is HoleState.PAWN) is not (hole in base.holes)
        }
        senses = self if wrong == self.overruled else self._believing(wrong)
        return replace(senses, base=base, fused=replace(senses.fused, carrying=carrying))

    def taken_back(self, base: Expectation) -> "Senses":
        """Return the senses after the position has gone back while the pawns stand where they stood."""
        carrying = Carrying.elsewhere(base, self.base) if self.feeling else None
        return replace(self, base=base, fused=replace(self.fused, carrying=carrying))

    def told(self, board: Expectation) -> "Senses":
        """Return the senses after people have said what stands on the board: switches that say otherwise are wrong."""
        overruled = {
            (name, hole, sight.belief.state)
            for name in self.feeling
            for hole, sight in self.watches[name].holes.items()
            if not sight.hidden
            and "-C" not in hole
            and (sight.belief.state is HoleState.PAWN) is not (hole in board.holes)
        }
        return self._believing(overruled)

    def _still_overruled(self, observation: Observation) -> "Senses":
        """Return the senses without those sayings of a source that have changed since."""
        if not self.overruled:
            return self
        return self._believing(
            {
                (name, hole, state)
                for name, hole, state in self.overruled
                if name != observation.source or observation.reading(hole).state is state
            }
        )

    def _believing(self, overruled: Set[tuple[str, str, HoleState]]) -> "Senses":
        """Return the senses with other overruled switches, whose last word counts accordingly."""
        watches, fused = dict(self.watches), self.fused
        for name, hole, state in overruled - self.overruled:
            beliefs = {hole: Belief(state, None, OVERRULED)}
            watches[name] = watches[name].taking(watches[name].t_ms, beliefs, {}, sharp=True)
            together = {hole: _together(hole, watches, self.feeling)}
            fused = fused.taking(fused.t_ms, together, {}, sharp=True)
        return replace(self, watches=watches, fused=fused, overruled=frozenset(overruled))

    def learned(self, board: Expectation) -> "Senses":
        """Return the senses after a board that is certain and still on the table."""
        trust = self.trust
        for name in self.feeling:
            watch = self.watches[name]
            calm_ms = watch.t_ms - CALM_MS
            calm = [
                (hole, sight.belief.state, self._has_pawn(hole, board))
                for hole, sight in watch.holes.items()
                if not sight.hidden and sight.since_ms <= calm_ms
            ]
            trust = trust.after((hole, state, truth) for hole, state, truth in calm if truth is not None)
        return replace(self, trust=trust)

    def _has_pawn(self, hole: str, board: Expectation) -> bool | None:
        return self._in_camp(hole, board) if "-C" in hole else hole in board.holes

    def _in_camp(self, hole: str, board: Expectation) -> bool | None:
        """Return whether a camp hole has a pawn, None when the position does not tell and no camera does."""
        count = board.camps.get(Seat[hole[:2]], 0)
        if count in (0, PAWNS_PER_SEAT):
            return count > 0
        for name, watch in self.watches.items():
            sight = watch.sight(hole)
            if name not in self.feeling and not sight.hidden and sight.belief.log_odds >= SURE_SIGHT:
                return sight.belief.state is HoleState.PAWN
        return None

    def _grown(self, name: str) -> "Senses":
        carrying = self.fused.carrying if self.fused.carrying is not None else Carrying(self.base)
        return replace(self, feeling=self.feeling | {name}, fused=replace(self.fused, carrying=carrying))

    def _trusted(self, observation: Observation, carrying: Carrying) -> dict[str, Belief]:
        """Return what the switches say, each as far as it is to be believed."""
        beliefs = {}
        for hole, reading in observation.holes.items():
            if reading.state is HoleState.UNKNOWN:
                beliefs[hole] = NOTHING
                continue
            belief = self.trust.of(hole).belief(reading.state)
            if (observation.source, hole, reading.state) in self.overruled:
                belief = Belief(reading.state, None, OVERRULED)
            elif reading.state is HoleState.PAWN and not self.overruled and carrying.unexplained(hole):
                belief = min(belief, UNEXPLAINED, key=lambda one: one.log_odds)
            beliefs[hole] = belief
        return beliefs

    def _hands(self, old: Watch, observation: Observation) -> tuple["Senses", Carrying]:
        """Return who is where after these touches, and the senses that have learned which switches bounce."""
        carrying = self.fused.carrying if self.fused.carrying is not None else Carrying(self.base)
        trust = self.trust
        for touch in (*self._unfelt(old, observation), *observation.touches):
            bounce_ms = trust.of(touch.hole).bounce_ms
            trust = trust.touched(touch.hole, carrying.bounces(touch, bounce_ms))
            carrying = carrying.after(touch, bounce_ms)
        return self if trust is self.trust else replace(self, trust=trust), carrying

    def _unfelt(self, old: Watch, observation: Observation) -> list[Touch]:
        """Return what has changed before without a touch, at the start or in a break: lifts before puts."""
        changed: list[Touch] = []
        touched = {touch.hole for touch in observation.touches}
        for hole, reading in observation.holes.items():
            if hole in touched:
                continue
            before = old.sight(hole).belief.state
            if before is HoleState.UNKNOWN and "-C" not in hole:
                before = HoleState.PAWN if hole in self.base.holes else HoleState.EMPTY
            if HoleState.UNKNOWN not in (before, reading.state) and before is not reading.state:
                changed.append(Touch(observation.t_ms, hole, reading.state))
        return sorted(changed, key=lambda touch: touch.state is HoleState.PAWN)


def is_felt(observation: Observation) -> bool:
    """Whether an observation comes from a source that sees no colours: it has pawns and knows the seat of none."""
    if observation.touches:
        return True
    seats = [reading.seat for reading in observation.holes.values() if reading.state is HoleState.PAWN]
    return bool(seats) and not any(seat is not None for seat in seats)


def _together(hole: str, watches: Mapping[str, Watch], feeling: frozenset[str]) -> Belief:
    seen, felt = NOTHING, NOTHING
    for name, watch in watches.items():
        sight = watch.sight(hole)
        if not sight.hidden and name in feeling:
            felt = fuse(felt, sight.belief)
        elif not sight.hidden:
            seen = fuse(seen, sight.belief)
    return fuse(seen, felt)
