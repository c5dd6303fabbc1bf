"""A camera on a slow machine: fewer frames are read, so that a core is left for the page and the referee."""

from dataclasses import replace

import numpy as np
import pytest

from tock_companion.boardfile import generate
from tock_companion.observation import SourceMessage
from tock_vision.arrays import Frame
from tock_vision.capture import CaptureLoop
from tock_vision.frame_rate import READINGS, Pace
from tock_vision.grabbers import Grabber
from tock_vision.reader import BoardReader, Reading

FPS = 10
PERIOD_MS = 1000 // FPS
STEPS = 60


@pytest.mark.parametrize(
    ("reading_ms", "fps", "frames"),
    [
        (30, 10, 1),
        (100, 10, 1),
        (101, 10, 3),
        (150, 10, 2),
        (250, 10, 2),
        (900, 10, 2),
        (150, 30, 6),
        (120, 5, 2),
    ],
)
def test_one_of_that_many_frames_is_read(reading_ms: float, fps: float, frames: int) -> None:
    pace = Pace(1000 / fps)
    for _ in range(READINGS):
        pace.note(reading_ms)
    assert pace.frames_per_reading == frames


def test_every_frame_is_read_until_enough_readings_were_slow_and_again_when_they_are_quick() -> None:
    pace = Pace(PERIOD_MS)
    for _ in range(READINGS - 1):
        pace.note(400)
        assert pace.frames_per_reading == 1
    pace.note(400)
    assert pace.frames_per_reading > 1
    for _ in range(READINGS):
        pace.note(20)
    assert pace.frames_per_reading == 1


def test_one_slow_frame_among_quick_ones_changes_nothing() -> None:
    pace = Pace(PERIOD_MS)
    for number in range(5 * READINGS):
        pace.note(900 if number % 3 == 0 else 60)
        assert pace.frames_per_reading == 1


class Night(Grabber):
    """A camera in the dark, whose grain is never the same."""

    def __init__(self, live: bool) -> None:
        self.live = live
        self.skipped = 0
        self._chance = np.random.default_rng(1)

    def open(self) -> None:
        """Always there."""

    def grab(self) -> Frame:
        return self._chance.integers(0, 5, (240, 320, 3), dtype=np.uint8)

    def skip(self) -> None:
        self.skipped += 1

    def close(self) -> None:
        """Nothing is held."""


class Slow(BoardReader):
    """Says of every frame that reading it took so long."""

    reading_ms = 0.0
    readings = 0

    def read_frame(self, frame_bgr: Frame, t_ms: int = 0) -> Reading:
        self.readings += 1
        return replace(super().read_frame(frame_bgr, t_ms), ms=self.reading_ms)


@pytest.mark.parametrize(
    ("reading_ms", "live", "most", "least"),
    [(60.0, True, STEPS, STEPS), (150.0, True, 40, 30), (150.0, False, STEPS, STEPS)],
    ids=["quick", "slow", "a film is read whole"],
)
def test_a_camera_keeps_that_pace(reading_ms: float, live: bool, most: int, least: int) -> None:
    reader, camera = Slow(generate(4, 440)), Night(live)
    reader.reading_ms = reading_ms
    loop = CaptureLoop("camera", camera, reader, FPS)
    received: list[SourceMessage] = []
    loop.prepare(received.append)
    for step in range(STEPS):
        loop.step(step * PERIOD_MS)
    assert least <= reader.readings <= most
    assert reader.readings + camera.skipped == STEPS
