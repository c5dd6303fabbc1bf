"""A capture loop above an emulated webcam that films a drawn board."""

from typing import Any

import numpy as np

from tests.support.emulated_cameras import EmulatedWebcam
from tock_companion.boardfile import BoardFile
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_vision.capture import CaptureLoop
from tock_vision.grabbers import Grabber, GrabError
from tock_vision.reader import BoardReader
from tock_vision.stillness.v4l2 import V4l2Controls


class Filmed(Grabber):
    """A webcam above a drawn board."""

    live = True

    def __init__(self, webcam: EmulatedWebcam, picture: Any, *, holds_still: bool = True) -> None:
        self.webcam, self.shown, self._holds_still = webcam, picture, holds_still
        self._grain = np.random.default_rng(1)

    def open(self) -> None:
        self.controls = V4l2Controls(self.webcam.ioctl) if self._holds_still else None

    def grab(self) -> Any:
        if self.webcam.is_unplugged:
            raise GrabError("camera/unplugged", "camera 0 gives no frames")
        # Two frames of a sensor are never the same.
        frame = self.webcam.picture(self.shown)
        frame[0, :8] = self._grain.integers(100, 112, (8, 3))
        return frame

    def close(self) -> None:
        self.controls = None


class Evening:
    """A capture loop above a webcam, and all that it says."""

    def __init__(self, board: BoardFile, grabber: Filmed) -> None:
        self.grabber, self.received = grabber, list[SourceMessage]()
        self.loop = CaptureLoop("camera", grabber, BoardReader(board), fps=10)
        self.loop.prepare(self.received.append)
        self.t_ms = 0

    def go_on(self, seconds: float, every_ms: int = 250) -> None:
        for _ in range(round(1000 * seconds / every_ms)):
            self.loop.step(self.t_ms)
            self.t_ms += every_ms

    @property
    def codes(self) -> list[str]:
        return [message.code for message in self.received if isinstance(message, SourceReport)]

    @property
    def is_held(self) -> bool:
        return not self.grabber.webcam.is_automatic

    @property
    def observations(self) -> list[Observation]:
        return [message for message in self.received if isinstance(message, Observation)]
