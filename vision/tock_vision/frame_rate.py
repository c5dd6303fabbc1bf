"""Chooses how many frames of a live camera are read: each, or only some where reading one takes the machine too
long."""

from collections import deque
from math import ceil, floor
from statistics import median

LONG_READING_MS = 100.0
"""Above this a reading is slow: a hand over a large board on a Raspberry Pi 4, or a machine that does other work."""
READINGS = 15
"""Readings whose median counts, so that one frame with a sleeve in it changes nothing."""
MAX_PERIOD_MS = 333.0
"""From one reading to the next, where the machine can: the referee was measured on three frames a second."""


class Pace:
    """Takes in how long readings take; after a slow one the core rests as long, for the page and the referee."""

    def __init__(self, period_ms: float) -> None:
        self._period_ms = period_ms
        self._readings_ms: deque[float] = deque(maxlen=READINGS)

    def note(self, reading_ms: float) -> None:
        """A frame was read in that time."""
        self._readings_ms.append(reading_ms)

    @property
    def frames_per_reading(self) -> int:
        """One frame in this many is read."""
        if len(self._readings_ms) < READINGS:
            return 1
        usual_ms = median(self._readings_ms)
        if usual_ms <= LONG_READING_MS:
            return 1
        as_long = ceil(usual_ms / self._period_ms)
        affordable = floor((MAX_PERIOD_MS - usual_ms) / self._period_ms)
        return 1 + max(1, min(as_long, affordable))
