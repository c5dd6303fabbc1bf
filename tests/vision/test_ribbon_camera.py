"""A ribbon camera gives frames like any other; without its library one line says what to install."""

import importlib
import sys
from types import ModuleType

import numpy as np
import pytest

from tock_vision.camera import grabber_for
from tock_vision.grabbers import BadFrameError, GrabError, RibbonGrabber
from tock_vision.settings import CameraSettings


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
