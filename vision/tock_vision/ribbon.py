"""Frames of a camera on the Pi's ribbon connector, through libcamera's own Python library.

Raspberry Pi OS brings `picamera2`; it is no package of the Python index that could be required.
"""

import importlib
from typing import Any

import numpy as np

from tock_vision.arrays import Frame
from tock_vision.grab import BadFrameError, GrabError


class RibbonGrabber:
    """A ribbon camera by its number."""

    live = True

    def __init__(self, number: int, width: int, height: int, fps: float) -> None:
        self.number = number
        self.size_px = (width, height)
        self.fps = fps
        self._camera: Any = None

    def open(self) -> None:
        """Open the camera and let it run."""
        try:
            library = importlib.import_module("picamera2")
        except ImportError:
            raise GrabError(
                "camera/no_device",
                "picamera2 is not installed; sudo apt install python3-picamera2 and run ./install.sh again",
            ) from None
        try:
            camera = library.Picamera2(self.number)
            # libcamera's name for bytes in the order blue, green, red is RGB888.
            main = {"size": self.size_px, "format": "RGB888"}
            camera.configure(camera.create_video_configuration(main=main, controls={"FrameRate": self.fps}))
            camera.start()
        except (RuntimeError, IndexError) as error:
            raise GrabError("camera/busy", f"ribbon camera {self.number} does not open: {error}") from None
        self._camera = camera

    def grab(self) -> Frame:
        """Return the newest frame."""
        if self._camera is None:
            raise GrabError("camera/unplugged", f"ribbon camera {self.number} is not open")
        try:
            frame = np.asarray(self._camera.capture_array("main"))
        except RuntimeError as error:
            raise GrabError(
                "camera/unplugged", f"ribbon camera {self.number} gives no frames: {error}"
            ) from None
        if frame.ndim != 3 or frame.size == 0:
            raise BadFrameError(f"ribbon camera {self.number} gave an empty frame")
        return frame[:, :, :3]

    def close(self) -> None:
        """Let go of the camera."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None
