"""The learning rate of every training: a linear warm-up, then half a cosine."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class LearningRate:
    """Learning rate by the share of a training that is done."""

    peak: float
    warm_up: float
    """Share of the training in which the rate rises by its peak."""
    start: float = 0.0
    """Share of the peak at which it begins."""
    floor: float = 0.0
    """Added throughout, so that the last steps still change something."""

    def at(self, done: float) -> float:
        """The rate when a share of the training is done (0 to 1; later as at 1)."""
        done = min(done, 1.0)
        rise = min(self.start + done / self.warm_up, 1.0)
        fall = 0.5 * (1 + math.cos(math.pi * done))
        return self.peak * rise * fall + self.floor
