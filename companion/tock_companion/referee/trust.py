"""How far each reed switch is to be believed: learned from how often it was wrong, hole by hole.

A switch that says "empty" under a pawn has missed it (weak magnet, pawn beside the hole); one that says "pawn" over an
empty hole is stuck. Each turn in which the truth is known is one trial of every switch.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_companion.observation import HoleState

NOMINAL = 0.005
"""Chance that a good switch is wrong, before anything is learned."""
WORTH = 10
"""How many trials the nominal rate is worth."""
CAREFUL = 0.5
"""A switch that is wrong half of the time says nothing."""


@dataclass(frozen=True, slots=True)
class Trials:
    """What one switch has shown: times it was wrong of so many times, over a pawn and over an empty hole."""

    missed: int = 0
    of_pawns: int = 0
    stuck: int = 0
    of_empty: int = 0

    def after(self, state: HoleState, has_pawn: bool) -> "Trials":
        """Return the trials with one more."""
        wrong = (state is HoleState.PAWN) is not has_pawn
        if has_pawn:
            return Trials(self.missed + wrong, self.of_pawns + 1, self.stuck, self.of_empty)
        return Trials(self.missed, self.of_pawns, self.stuck + wrong, self.of_empty + 1)

    def confidence(self, state: HoleState) -> float:
        """Return how far the switch is to be believed when it says this."""
        wrong, trials = (
            (self.missed, self.of_pawns) if state is HoleState.EMPTY else (self.stuck, self.of_empty)
        )
        return 1.0 - min(CAREFUL, (NOMINAL * WORTH + wrong) / (WORTH + trials))


@dataclass(frozen=True, slots=True)
class Trust:
    """All switches."""

    trials: Mapping[str, Trials] = field(default_factory=dict)

    def of(self, hole: str) -> Trials:
        """Return what the switch of a hole has shown."""
        return self.trials.get(hole, Trials())

    def after(self, hole: str, state: HoleState, has_pawn: bool) -> "Trust":
        """Return the trust after one more trial: what the switch of a hole says, and whether a pawn is there."""
        return Trust({**self.trials, hole: self.of(hole).after(state, has_pawn)})
