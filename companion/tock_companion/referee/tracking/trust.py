"""Trust in each reed switch, learned from how often it was wrong or bounced.

A switch that says "empty" under a pawn has missed it (weak magnet, pawn beside the hole); one that says "pawn" over an
empty hole is stuck. Each turn in which the truth is known is one trial of every switch.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from tock_companion.observation import HoleState
from tock_companion.referee.tracking.belief import Belief, log_odds_of
from tock_companion.referee.tracking.hypotheses import BOUNCE_MS
from tock_rules import Hole

NOMINAL_ERROR_RATE = 0.005
"""Share of trials in which a good switch is wrong, before anything is learned of it."""
NOMINAL_TRIALS = 10
"""Weight of the nominal rate, in trials."""
MAX_ERROR_RATE = 0.5
"""Error rate at which a switch carries no information; beyond it, it is not believed the opposite."""
FLUTTER_SHARE = 0.2
"""Share of bounces among its edges from which a switch is loose: its bounces may last longer, and it is named."""
FLUTTER_MIN_EDGES = 10
FLUTTER_MS = 120
"""Within this time the contact of a loose switch has bounced."""


@dataclass(frozen=True, slots=True)
class Trials:
    """The record of one switch: how often it was wrong over a pawn and over an empty hole, how often it bounced."""

    missed: int = 0
    of_pawns: int = 0
    stuck: int = 0
    of_empty: int = 0
    bounced: int = 0
    edges: int = 0

    @property
    def flutters(self) -> bool:
        """Whether it bounces far more often than a good switch."""
        return self.edges >= FLUTTER_MIN_EDGES and self.bounced >= FLUTTER_SHARE * self.edges

    @property
    def bounce_ms(self) -> int:
        """The time within which an edge that is taken back counts as a bounce."""
        return FLUTTER_MS if self.flutters else BOUNCE_MS

    def update(self, state: HoleState, has_pawn: bool) -> "Trials":
        """Count one more trial: the reading of the switch, and the truth."""
        wrong = (state is HoleState.PAWN) is not has_pawn
        if has_pawn:
            return replace(self, missed=self.missed + wrong, of_pawns=self.of_pawns + 1)
        return replace(self, stuck=self.stuck + wrong, of_empty=self.of_empty + 1)

    def belief(self, state: HoleState) -> Belief:
        """The belief that follows from a reading of the switch."""
        if state is HoleState.EMPTY:
            return _belief(state, self.missed, self.of_pawns)
        return _belief(state, self.stuck, self.of_empty)


NEW = Trials()


@cache
def _belief(state: HoleState, wrong: int, trials: int) -> Belief:
    error_rate = (NOMINAL_ERROR_RATE * NOMINAL_TRIALS + wrong) / (NOMINAL_TRIALS + trials)
    return Belief(state, None, log_odds_of(1.0 - min(MAX_ERROR_RATE, error_rate)))


@dataclass(frozen=True, slots=True)
class Trust:
    """All switches."""

    trials: Mapping[Hole, Trials] = field(default_factory=dict)

    def of(self, hole: Hole) -> Trials:
        """The record of the switch of a hole."""
        return self.trials.get(hole, NEW)

    def update(self, readings: Iterable[tuple[Hole, HoleState, bool]]) -> "Trust":
        """Count more trials: the reading of each hole's switch, and whether a pawn is there."""
        trials = {hole: self.of(hole).update(state, has_pawn) for hole, state, has_pawn in readings}
        return Trust({**self.trials, **trials})

    def with_edge(self, hole: Hole, bounced: bool) -> "Trust":
        """Count one more edge of a switch."""
        trials = self.of(hole)
        counted = replace(trials, edges=trials.edges + 1, bounced=trials.bounced + bounced)
        return Trust({**self.trials, hole: counted})
