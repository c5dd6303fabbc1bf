"""All sources together: one watch per source, and the one that the referee decides by.

A reed board says when and where, a camera which colour. Where both say something of a hole their log odds add up or
cancel out; each alone is enough.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from tock_companion.observation import Edge, HoleState, Observation
from tock_companion.referee.tracking.belief import NOTHING, Belief, Expectation, fuse
from tock_companion.referee.tracking.hypotheses import HypothesisTracker
from tock_companion.referee.tracking.trust import Trust
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules import PAWNS_PER_SEAT, Seat

CALM_MS = 200
"""A hole that changed later may be part of what comes next."""
UNEXPLAINED = Belief(HoleState.PAWN, None, 1.4)
"""A switch that closed while no pawn was in the air: four to one."""
OVERRULED = 0.7
"""Log odds of a switch of which people have said that it is wrong."""
SURE_SIGHT = 2.5
"""Log odds from which a camera's reading of a camp hole teaches what a switch is worth."""


@dataclass(frozen=True, slots=True)
class SensorFusion:
    """Everything seen and felt until now."""

    base: Expectation
    watches: Mapping[str, Watch] = field(default_factory=dict)
    switch_sources: frozenset[str] = frozenset()
    """Sources that feel pawns without seeing colours."""
    trust: Trust = field(default_factory=Trust)
    fused: Watch = field(default_factory=Watch)
    overruled: frozenset[tuple[str, str, HoleState]] = frozenset()
    """What people have said is not so: source, hole, and what the source says of it."""

    def update(self, observation: Observation) -> "SensorFusion":
        """Return the senses with one more observation taken in."""
        name = observation.source
        senses = (
            self if name in self.switch_sources or not is_from_switches(observation) else self._grown(name)
        )
        felt: dict[str, int] = {}
        old, hypotheses = senses.watches.get(name, Watch()), senses.fused.hypotheses
        if name in senses.switch_sources:
            senses = senses._still_overruled(observation)
            senses, hypotheses = senses._hands(old, observation)
            felt = {edge.hole: edge.t_ms for edge in observation.edges}
            trusted = {**dict.fromkeys(old.holes, NOTHING), **senses._trusted(observation, hypotheses)}
            watch = old.with_beliefs(observation.t_ms, trusted, felt, sharp=True)
        else:
            watch = old.update(observation)
        watches = {**senses.watches, name: watch}
        if len(watches) == 1:
            return replace(senses, watches=watches, fused=replace(watch, hypotheses=hypotheses))
        new = [hole for hole, tracked in watch.holes.items() if tracked is not old.holes.get(hole)]
        beliefs = {hole: _together(hole, watches, senses.switch_sources) for hole in new}
        fused = senses.fused.with_beliefs(observation.t_ms, beliefs, felt, sharp=True)
        return replace(senses, watches=watches, fused=replace(fused, hypotheses=hypotheses))

    def rebase(self, base: Expectation, since_ms: int) -> "SensorFusion":
        """Return the senses once a position is certain: what was felt until then is used up."""
        hypotheses = None
        if self.switch_sources:
            hypotheses = HypothesisTracker(base)
            for edge in self.fused.hypotheses.edges if self.fused.hypotheses is not None else ():
                if edge.t_ms > since_ms:
                    hypotheses = hypotheses.update(edge, self.trust.of(edge.hole).bounce_ms)
        wrong = {
            (name, hole, state)
            for name, hole, state in self.overruled
            if (state is HoleState.PAWN) is not (hole in base.holes)
        }
        senses = self if wrong == self.overruled else self._believing(wrong)
        return replace(senses, base=base, fused=replace(senses.fused, hypotheses=hypotheses))

    def take_back(self, base: Expectation) -> "SensorFusion":
        """Return the senses after the position has gone back while the pawns stand where they stood."""
        hypotheses = HypothesisTracker.elsewhere(base, self.base) if self.switch_sources else None
        return replace(self, base=base, fused=replace(self.fused, hypotheses=hypotheses))

    def overrule(self, board: Expectation) -> "SensorFusion":
        """Return the senses after people have said what stands on the board: switches that say otherwise are wrong."""
        overruled = {
            (name, hole, tracked.belief.state)
            for name in self.switch_sources
            for hole, tracked in self.watches[name].holes.items()
            if not tracked.occluded
            and "-C" not in hole
            and (tracked.belief.state is HoleState.PAWN) is not (hole in board.holes)
        }
        return self._believing(overruled)

    def _still_overruled(self, observation: Observation) -> "SensorFusion":
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

    def _believing(self, overruled: Set[tuple[str, str, HoleState]]) -> "SensorFusion":
        """Return the senses with other overruled switches, whose last word counts accordingly."""
        watches, fused = dict(self.watches), self.fused
        for name, hole, state in overruled - self.overruled:
            beliefs = {hole: Belief(state, None, OVERRULED)}
            watches[name] = watches[name].with_beliefs(watches[name].t_ms, beliefs, {}, sharp=True)
            together = {hole: _together(hole, watches, self.switch_sources)}
            fused = fused.with_beliefs(fused.t_ms, together, {}, sharp=True)
        return replace(self, watches=watches, fused=fused, overruled=frozenset(overruled))

    def learn(self, board: Expectation) -> "SensorFusion":
        """Return the senses after a board that is certain and still on the table."""
        trust = self.trust
        for name in self.switch_sources:
            watch = self.watches[name]
            calm_ms = watch.t_ms - CALM_MS
            calm = [
                (hole, tracked.belief.state, self._has_pawn(hole, board))
                for hole, tracked in watch.holes.items()
                if not tracked.occluded and tracked.since_ms <= calm_ms
            ]
            trust = trust.update((hole, state, truth) for hole, state, truth in calm if truth is not None)
        return replace(self, trust=trust)

    def _has_pawn(self, hole: str, board: Expectation) -> bool | None:
        return self._in_camp(hole, board) if "-C" in hole else hole in board.holes

    def _in_camp(self, hole: str, board: Expectation) -> bool | None:
        """Return whether a camp hole has a pawn, None when the position does not tell and no camera does."""
        count = board.camps.get(Seat[hole[:2]], 0)
        if count in (0, PAWNS_PER_SEAT):
            return count > 0
        for name, watch in self.watches.items():
            tracked = watch.hole(hole)
            if (
                name not in self.switch_sources
                and not tracked.occluded
                and tracked.belief.log_odds >= SURE_SIGHT
            ):
                return tracked.belief.state is HoleState.PAWN
        return None

    def _grown(self, name: str) -> "SensorFusion":
        hypotheses = (
            self.fused.hypotheses if self.fused.hypotheses is not None else HypothesisTracker(self.base)
        )
        return replace(
            self,
            switch_sources=self.switch_sources | {name},
            fused=replace(self.fused, hypotheses=hypotheses),
        )

    def _trusted(self, observation: Observation, hypotheses: HypothesisTracker) -> dict[str, Belief]:
        """Return what the switches say, each as far as it is to be believed."""
        beliefs = {}
        for hole, reading in observation.holes.items():
            if reading.state is HoleState.UNKNOWN:
                beliefs[hole] = NOTHING
                continue
            belief = self.trust.of(hole).belief(reading.state)
            if (observation.source, hole, reading.state) in self.overruled:
                belief = Belief(reading.state, None, OVERRULED)
            elif reading.state is HoleState.PAWN and not self.overruled and hypotheses.unexplained(hole):
                belief = min(belief, UNEXPLAINED, key=lambda one: one.log_odds)
            beliefs[hole] = belief
        return beliefs

    def _hands(self, old: Watch, observation: Observation) -> tuple["SensorFusion", HypothesisTracker]:
        """Return who is where after these edges, and the senses that have learned which switches bounce."""
        hypotheses = (
            self.fused.hypotheses if self.fused.hypotheses is not None else HypothesisTracker(self.base)
        )
        trust = self.trust
        for edge in (*self._unfelt(old, observation), *observation.edges):
            bounce_ms = trust.of(edge.hole).bounce_ms
            trust = trust.with_edge(edge.hole, hypotheses.bounces(edge, bounce_ms))
            hypotheses = hypotheses.update(edge, bounce_ms)
        return self if trust is self.trust else replace(self, trust=trust), hypotheses

    def _unfelt(self, old: Watch, observation: Observation) -> list[Edge]:
        """Return what has changed before without an edge, at the start or in a break: lifts before puts."""
        changed: list[Edge] = []
        touched = {edge.hole for edge in observation.edges}
        for hole, reading in observation.holes.items():
            if hole in touched:
                continue
            before = old.hole(hole).belief.state
            if before is HoleState.UNKNOWN and "-C" not in hole:
                before = HoleState.PAWN if hole in self.base.holes else HoleState.EMPTY
            if HoleState.UNKNOWN not in (before, reading.state) and before is not reading.state:
                changed.append(Edge(observation.t_ms, hole, reading.state))
        return sorted(changed, key=lambda edge: edge.state is HoleState.PAWN)


def is_from_switches(observation: Observation) -> bool:
    """Whether an observation comes from a source that sees no colours: it has pawns and knows the seat of none."""
    if observation.edges:
        return True
    seats = [reading.seat for reading in observation.holes.values() if reading.state is HoleState.PAWN]
    return bool(seats) and not any(seat is not None for seat in seats)


def _together(hole: str, watches: Mapping[str, Watch], switch_sources: frozenset[str]) -> Belief:
    seen, felt = NOTHING, NOTHING
    for name, watch in watches.items():
        tracked = watch.hole(hole)
        if not tracked.occluded and name in switch_sources:
            felt = fuse(felt, tracked.belief)
        elif not tracked.occluded:
            seen = fuse(seen, tracked.belief)
    return fuse(seen, felt)
