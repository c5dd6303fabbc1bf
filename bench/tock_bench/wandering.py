"""A camera whose automatics wander: its pictures get brighter and darker, redder and bluer, while nobody wants it."""

from dataclasses import dataclass
from enum import Enum
from math import exp, log, sin, tau
from random import Random

import cv2
import numpy as np

from tock_vision.arrays import Frame

GAMMA = 2.2
"""Between the light that falls on a sensor and the values of its picture."""
MAX_STOPS = 1.2
MAX_GAIN = 1.5
"""Red and blue are off by up to this factor, either way."""
PERIODS_S = (4.0, 20.0)
STEP_S = (0.5, 7.0)
"""Range of the moment at which automatics that jump do so: before a move, in the middle of it, or after."""


class Way(Enum):
    """How automatics leave the settings with which the board was learned."""

    WANDERS = "wandering"
    STEPS = "in one step"
    OFF = "off from the beginning"


@dataclass(frozen=True, slots=True)
class Automatics:
    """By how much a camera's exposure, red and blue are off at any time."""

    way: Way
    stops: float
    red: float
    blue: float
    """Logarithm of the factor, as `red`."""
    period_s: float
    phase: float
    step_s: float

    @classmethod
    def random(cls, rng: Random, way: Way) -> "Automatics":
        """Automatics that go to the end of their range, in one direction or the other."""
        most = log(MAX_GAIN)
        return cls(
            way,
            rng.uniform(-MAX_STOPS, MAX_STOPS),
            rng.uniform(-most, most),
            rng.uniform(-most, most),
            rng.uniform(*PERIODS_S),
            rng.uniform(0, tau),
            rng.uniform(*STEP_S),
        )

    def gains_bgr(self, t_ms: int) -> tuple[float, float, float]:
        """Factors of the light in blue, green and red."""
        exposure, red, blue = (
            amount * self._share(t_ms, number)
            for number, amount in enumerate((self.stops, self.red, self.blue))
        )
        return 2.0**exposure * exp(blue), 2.0**exposure, 2.0**exposure * exp(red)

    def _share(self, t_ms: int, number: int) -> float:
        """How much of its range a setting is off by, -1 to 1; wandering settings have periods of their own."""
        if self.way is Way.WANDERS:
            period_s = self.period_s * (1.0, 1.37, 0.81)[number]
            return sin(tau * t_ms / 1000 / period_s + self.phase * (number + 1))
        return float(self.way is Way.OFF or t_ms >= 1000 * self.step_s)


def exposed(frame: Frame, gains_bgr: tuple[float, float, float]) -> Frame:
    """The frame as a camera with these factors gives it: bright parts become white, and grain grows with the light."""
    values = np.arange(256) / 255.0
    table = [255.0 * np.clip(values * gain ** (1 / GAMMA), 0.0, 1.0) for gain in gains_bgr]
    return cv2.LUT(frame, np.stack(table, axis=1).round().astype(np.uint8)[None])
