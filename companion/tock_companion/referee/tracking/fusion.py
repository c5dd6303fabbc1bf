"""All sources together: one watch per source, and the fused one that the referee decides by.

A reed board knows when and where, a camera which colour; each alone is enough. Each switch is believed as far as it has
proved right (`trust`), and the seat of a pawn on it is inferred from lifts and puts (`hypotheses`). If two sources
agree on a hole, the surer one counts; if they contradict each other, the odds of the less sure one are subtracted.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from tock_companion.observation import Edge, HoleState, Observation
from tock_companion.referee.tracking.belief import NOTHING, Belief, Expectation
from tock_companion.referee.tracking.hypotheses import HypothesisTracker
from tock_companion.referee.tracking.trust import Trust
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Hole, Seat, camp_holes_of

SURE_COLOR_LOG_ODDS = 1.5
"""From here on a camera's colour is taken for a pawn that a switch feels too."""
LESSON_AFTER_MS = 200
"""Changes of a switch later than this before a turn was settled teach nothing: they may belong to the next turn."""
UNEXPLAINED_PAWN = Belief(HoleState.PAWN, None, 1.4)
"""A switch that closed while no pawn was in the air: four to one that there is a pawn all the same."""
OVERRULED_LOG_ODDS = 0.7
"""Confidence in a switch that players have overruled."""
TEACHING_LOG_ODDS = 2.5
"""Confidence from which a camera's reading of a camp hole is used to rate its switch."""


def fuse(one: Belief, other: Belief) -> Belief:
    """Combine two beliefs about one hole; `one` is from the source that knows colours better."""
    if one.state is HoleState.UNKNOWN:
        return other
    if other.state is HoleState.UNKNOWN:
        return one
    stronger, weaker = (one, other) if one.log_odds >= other.log_odds else (other, one)
    if one.state is other.state:
        if one.state is HoleState.EMPTY or one.seat is other.seat:
            return stronger
        if one.seat is None or other.seat is None:
            named, bare = (one, other) if one.seat is not None else (other, one)
            return named if named.log_odds >= SURE_COLOR_LOG_ODDS else bare
    return Belief(stronger.state, stronger.seat, stronger.log_odds - weaker.log_odds)


@dataclass(frozen=True, slots=True)
class SensorFusion:
    """Everything seen and felt until now."""

    base: Expectation
    """The position that was certain last."""
    watches: Mapping[str, Watch] = field(default_factory=dict)
    """By source."""
    switch_sources: frozenset[str] = frozenset()
    """Sources that feel pawns without seeing colours."""
    trust: Trust = field(default_factory=Trust)
    fused: Watch = field(default_factory=Watch)
    overruled: frozenset[tuple[str, Hole, HoleState]] = frozenset()
    """Readings overruled by players: source, hole, and the reading."""

    def update(self, observation: Observation) -> "SensorFusion":
        """Take in one more observation."""
        name = observation.source
        new_switches = name not in self.switch_sources and is_from_switches(observation)
        fusion = self._with_switches(name) if new_switches else self
        old = fusion.watches.get(name, Watch())
        edges_ms: dict[Hole, int] = {}
        if name in fusion.switch_sources:
            fusion = fusion._without_outdated_overrules(observation)._with_edges(old, observation)
            edges_ms = {edge.hole: edge.t_ms for edge in observation.edges}
            # A hole that the source leaves out is unknown from now on.
            beliefs = {**dict.fromkeys(old.holes, NOTHING), **fusion._weighed(observation)}
            watch = old.with_beliefs(observation.t_ms, beliefs, edges_ms, at_once=True)
        else:
            watch = old.update(observation)
        watches = {**fusion.watches, name: watch}
        tracker = fusion.fused.tracker
        if len(watches) == 1:
            return replace(fusion, watches=watches, fused=replace(watch, tracker=tracker))
        changed = [hole for hole, tracked in watch.holes.items() if tracked is not old.holes.get(hole)]
        together = {hole: _together(hole, watches, fusion.switch_sources) for hole in changed}
        # Cameras are averaged already, and averaging twice would be too slow to follow a hand.
        fused = fusion.fused.with_beliefs(observation.t_ms, together, edges_ms, at_once=True)
        cameras = [each for name, each in watches.items() if name not in fusion.switch_sources]
        fused = replace(
            fused,
            loose=tuple(one for each in cameras for one in each.loose),
            sees_colors=not all(each.blind for each in cameras),
            unseen=_unseen(cameras),
        )
        return replace(fusion, watches=watches, fused=fused)

    # ------------------------------------------------------------------ from the game

    def rebase(self, base: Expectation, since_ms: int) -> "SensorFusion":
        """Start from a position that is certain since `since_ms`; later edges belong to the next one."""
        tracker = None
        if self.switch_sources:
            tracker = HypothesisTracker(base)
            for edge in self.fused.tracker.edges if self.fused.tracker is not None else ():
                if edge.t_ms > since_ms:
                    tracker = tracker.update(edge, self.trust.of(edge.hole).bounce_ms)
        # An overruled reading is forgotten once the new position agrees with the switch.
        still_wrong = {
            (name, hole, state)
            for name, hole, state in self.overruled
            if self._is_still_wrong(name, hole, state, base)
        }
        fusion = self if still_wrong == self.overruled else self._overruling(still_wrong)
        return replace(fusion, base=base, fused=replace(fusion.fused, tracker=tracker))

    def take_back(self, base: Expectation) -> "SensorFusion":
        """Go back to an earlier position while the pawns still stand where they stood."""
        tracker = HypothesisTracker.elsewhere(base, self.base) if self.switch_sources else None
        return replace(self, base=base, fused=replace(self.fused, tracker=tracker))

    def overrule(self, board: Expectation) -> "SensorFusion":
        """Believe the players' correction of the board: switches that contradict it are wrong."""
        overruled = {
            (name, hole, tracked.belief.state)
            for name in self.switch_sources
            for hole, tracked in self.watches[name].holes.items()
            if not tracked.occluded
            and (tracked.belief.state is HoleState.PAWN) is not (hole in board.holes)
            and not hole.in_camp
        }
        in_camps = {
            (name, hole, HoleState.EMPTY)
            for name in self.switch_sources
            for seat, count in board.camps.items()
            for hole in self._unfelt_in_camp(name, seat, board)
        }
        return self._overruling(overruled | in_camps)

    def learn(self, board: Expectation) -> "SensorFusion":
        """Learn how far each switch is to be believed from a board that is certain and still on the table."""
        trust = self.trust
        for name in self.switch_sources:
            watch = self.watches[name]
            # A wrong lesson lasts for many turns, a missed one costs nothing.
            calm_ms = watch.t_ms - LESSON_AFTER_MS
            lessons = [
                (hole, tracked.belief.state, self._has_pawn(hole, board))
                for hole, tracked in watch.holes.items()
                if not tracked.occluded and tracked.since_ms <= calm_ms
            ]
            trust = trust.update((hole, state, truth) for hole, state, truth in lessons if truth is not None)
        return replace(self, trust=trust)

    def _has_pawn(self, hole: Hole, board: Expectation) -> bool | None:
        """Whether a hole has a pawn, None for a camp hole that neither the board nor a camera decides."""
        if hole in board.holes:
            return True
        if not hole.in_camp or hole.seat is None:
            return False
        in_camp = board.camps.get(hole.seat, 0)
        # Only a full or an empty camp decides its holes; otherwise its pawns may stand in any of them.
        if in_camp in (0, board.camp_size):
            return in_camp > 0
        for name, watch in self.watches.items():
            tracked = watch.hole(hole)
            sure = not tracked.occluded and tracked.belief.log_odds >= TEACHING_LOG_ODDS
            if sure and name not in self.switch_sources:
                return tracked.belief.state is HoleState.PAWN
        return None

    # ------------------------------------------------------------------ readings that players overruled

    def _without_outdated_overrules(self, observation: Observation) -> "SensorFusion":
        """Trust a switch again once it reports something else than the overruled reading."""
        if not self.overruled:
            return self
        return self._overruling(
            {
                (name, hole, state)
                for name, hole, state in self.overruled
                if name != observation.source or observation.reading(hole).state is state
            }
        )

    def _is_still_wrong(self, name: str, hole: Hole, state: HoleState, board: Expectation) -> bool:
        """Whether an overruled reading contradicts a position that has become certain."""
        if hole.in_camp and hole.seat is not None:
            return bool(self._unfelt_in_camp(name, hole.seat, board))
        return (state is HoleState.PAWN) is not (hole in board.holes)

    def _unfelt_in_camp(self, name: str, seat: Seat, board: Expectation) -> list[Hole]:
        """As many open switches of a camp as it lacks pawns, as it is unknown which are wrong."""
        count, camp = board.camps.get(seat, 0), camp_holes_of(seat, board.camp_size)
        states = {hole: self.watches[name].hole(hole).belief.state for hole in camp}
        felt = sum(state is HoleState.PAWN for state in states.values())
        return [hole for hole, state in states.items() if state is HoleState.EMPTY][: max(count - felt, 0)]

    def _overruling(self, overruled: Set[tuple[str, Hole, HoleState]]) -> "SensorFusion":
        """Overrule these readings; those that were not overruled before lose their weight at once."""
        watches, fused = dict(self.watches), self.fused
        for name, hole, state in overruled - self.overruled:
            doubted = {hole: Belief(state, None, OVERRULED_LOG_ODDS)}
            watches[name] = watches[name].with_beliefs(watches[name].t_ms, doubted, {}, at_once=True)
            together = {hole: _together(hole, watches, self.switch_sources)}
            fused = fused.with_beliefs(fused.t_ms, together, {}, at_once=True)
        return replace(self, watches=watches, fused=fused, overruled=frozenset(overruled))

    # ------------------------------------------------------------------ switches

    def _tracker(self) -> HypothesisTracker:
        return self.fused.tracker if self.fused.tracker is not None else HypothesisTracker(self.base)

    def _with_switches(self, name: str) -> "SensorFusion":
        """Take a source in that turns out to feel without seeing."""
        fused = replace(self.fused, tracker=self._tracker())
        return replace(self, switch_sources=self.switch_sources | {name}, fused=fused)

    def _with_edges(self, old: Watch, observation: Observation) -> "SensorFusion":
        """Follow the lifts and puts of an observation, and learn which switches bounce."""
        edges = (*self._missed_edges(old, observation), *observation.edges)
        if not edges:
            return self
        tracker, trust = self._tracker(), self.trust
        for edge in edges:
            bounce_ms = trust.of(edge.hole).bounce_ms
            trust = trust.with_edge(edge.hole, tracker.bounces(edge, bounce_ms))
            tracker = tracker.update(edge, bounce_ms)
        return replace(self, trust=trust, fused=replace(self.fused, tracker=tracker))

    def _missed_edges(self, old: Watch, observation: Observation) -> list[Edge]:
        """Changes without an edge, at the start or after a break of the link: lifts before puts."""
        missed: list[Edge] = []
        reported = {edge.hole for edge in observation.edges}
        for hole, reading in observation.holes.items():
            if hole in reported:
                continue
            before = old.hole(hole).belief.state
            if before is HoleState.UNKNOWN and not hole.in_camp:
                before = HoleState.PAWN if hole in self.base.holes else HoleState.EMPTY
            if HoleState.UNKNOWN not in (before, reading.state) and before is not reading.state:
                missed.append(Edge(observation.t_ms, hole, reading.state))
        # A pawn must be in the air before it can be put down.
        return sorted(missed, key=lambda edge: edge.state is HoleState.PAWN)

    def _weighed(self, observation: Observation) -> dict[Hole, Belief]:
        """The readings of the switches, each with the confidence it has earned."""
        tracker = self._tracker()
        beliefs = {}
        for hole, reading in observation.holes.items():
            if reading.state is HoleState.UNKNOWN:
                beliefs[hole] = NOTHING
                continue
            belief = self.trust.of(hole).belief(reading.state)
            if (observation.source, hole, reading.state) in self.overruled:
                belief = Belief(reading.state, None, OVERRULED_LOG_ODDS)
            elif reading.state is HoleState.PAWN and not self.overruled and tracker.unexplained(hole):
                belief = min(belief, UNEXPLAINED_PAWN, key=lambda one: one.log_odds)
            beliefs[hole] = belief
        return beliefs


def is_from_switches(observation: Observation) -> bool:
    """Whether an observation is from a source without colours: it has pawns, none with a seat."""
    if observation.edges:
        return True
    seats = [reading.seat for reading in observation.holes.values() if reading.state is HoleState.PAWN]
    return bool(seats) and not any(seat is not None for seat in seats)


def _unseen(cameras: Sequence[Watch]) -> dict[Hole, int]:
    """The holes out of sight of all cameras, and since when."""
    if not cameras:
        return {}
    first, *others = cameras
    return {
        hole: tracked.occluded_since_ms
        for hole, tracked in first.holes.items()
        if tracked.occluded and all(each.hole(hole).occluded for each in others)
    }


def _together(hole: Hole, watches: Mapping[str, Watch], switch_sources: frozenset[str]) -> Belief:
    """The belief of all sources about a hole; a camera knows colours better than a switch."""
    seen, felt = NOTHING, NOTHING
    for name, watch in watches.items():
        tracked = watch.hole(hole)
        if not tracked.occluded and name in switch_sources:
            felt = fuse(felt, tracked.belief)
        elif not tracked.occluded:
            seen = fuse(seen, tracked.belief)
    return fuse(seen, felt)
