"""Cameras at their pace: a ribbon camera like any other, and as many frames as the table can use."""

import importlib
import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from tock_companion.boardfile import generate
from tock_companion.observation import SourceMessage
from tock_vision.arrays import Frame
from tock_vision.camera import grabber_for
from tock_vision.capture import CaptureLoop
from tock_vision.frame_rate import READINGS, Pace
from tock_vision.grabbers import BadFrameError, Grabber, GrabError, RibbonGrabber
from tock_vision.reader import BoardReader, Reading
from tock_vision.settings import CameraSettings

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


class Camera:
    """As much of `Picamera2` as is used here."""

    frame = np.zeros((120, 160, 3), np.uint8)

    def __init__(self, number: int) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.running = False

    def create_video_configuration(self, **wanted: object) -> dict[str, object]:
        return wanted

    def configure(self, configuration: dict[str, object]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        self.running = True

    def capture_array(self, name: str) -> object:
        if not self.running:
            raise RuntimeError("camera stopped")
        assert name == "main"
        return self.frame

    def close(self) -> None:
        self.running = False


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("picamera2")
    module.Picamera2 = Camera  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)


@pytest.mark.usefixtures("library")
def test_a_ribbon_camera_is_chosen_by_name_and_gives_frames() -> None:
    grabber = grabber_for(CameraSettings.model_validate({"device": "ribbon", "width": 160, "height": 120}))
    assert isinstance(grabber, RibbonGrabber)
    grabber.open()
    assert grabber.grab().shape == (120, 160, 3)
    grabber.close()
    with pytest.raises(GrabError, match="is not open"):
        grabber.grab()


@pytest.mark.usefixtures("library")
def test_a_camera_that_is_not_there_is_reported() -> None:
    grabber = grabber_for(CameraSettings.model_validate({"device": "ribbon:1"}))
    with pytest.raises(GrabError, match="ribbon camera 1 does not open"):
        grabber.open()


@pytest.mark.usefixtures("library")
def test_an_empty_frame_is_no_reason_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Camera, "frame", np.zeros((0, 0, 3), np.uint8))
    grabber = grabber_for(CameraSettings.model_validate({"device": "ribbon"}))
    grabber.open()
    with pytest.raises(BadFrameError):
        grabber.grab()


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(GrabError, match="sudo apt install python3-picamera2"):
        grabber_for(CameraSettings.model_validate({"device": "ribbon"})).open()


def test_a_library_built_for_another_numpy_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> ModuleType:
        raise ValueError("numpy.dtype size changed, may indicate binary incompatibility.\nExpected 96")

    monkeypatch.setattr(importlib, "import_module", fails)
    with pytest.raises(GrabError, match=r"numpy.dtype size changed.* run ./install.sh again") as caught:
        grabber_for(CameraSettings.model_validate({"device": "ribbon"})).open()
    assert "\n" not in str(caught.value)
