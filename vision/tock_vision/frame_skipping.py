"""When a frame is skipped: the picture has not changed for long, so a table at rest costs next to nothing."""

import cv2
import numpy as np

from tock_vision.arrays import Frame

CELLS = (160, 120)
"""Columns and rows of means in which the grain of a sensor averages out."""
MIN_CHANGE = 10
"""Grey levels (of 255) by which one cell must differ.

The grain of a webcam in the evening, about 8 levels a pixel, leaves one level in a mean of 64 pixels; of 57,600 such
differences between two frames the largest is about 6.
"""
STILL_MS = 8000
"""Reading goes on this long after the last change: longer than the referee ever waits (`Timing`, 3 s), and long
enough for every hole to be refreshed at ten frames a second (`HoleFeatureCache`, three holes a frame)."""
STILL_FRAMES = 25
"""Reading goes on for at least this many frames, however slowly they come: the referee averages them."""


class ChangeDetector:
    """Compares each frame with the one at the last change, so that slow drift adds up until it is noticed."""

    def __init__(self) -> None:
        self._reference: Frame | None = None
        self._changed_ms = 0
        self._frames = 0

    def reset(self) -> None:
        """Treat the next frame as a change."""
        self._reference = None

    def is_still(self, t_ms: int) -> bool:
        """Whether nothing has changed for so long that frames need no reading."""
        since_ms = t_ms - self._changed_ms
        return self._reference is not None and self._frames >= STILL_FRAMES and since_ms >= STILL_MS

    def update(self, small: Frame, t_ms: int, *, holes_changed: bool) -> bool:
        """Take in a frame (at a quarter of its size); returns whether it differs from the one at the last change.

        `holes_changed` is the reader's finding: around holes it notices less than a cell of this grid would show.
        """
        cells = cv2.resize(small, CELLS, interpolation=cv2.INTER_AREA)
        self._frames += 1
        if not holes_changed and self._reference is not None and not _differ(cells, self._reference):
            return False
        self._reference, self._changed_ms, self._frames = cells, t_ms, 0
        return True


def _differ(cells: Frame, others: Frame) -> bool:
    return int(np.max(cv2.absdiff(cells, others))) >= MIN_CHANGE
