"""Sources of frames: a camera device, a ribbon camera, a video file, a folder of pictures."""

import importlib
import math
import os
import sys
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.errors import BadInputError, TockError
from tock_companion.files import read_bounded
from tock_companion.health.video_devices import node_of
from tock_vision.arrays import Frame
from tock_vision.camera_timeouts import SENSOR_FROZEN_AFTER_MS
from tock_vision.images import MAX_BYTES, decode_image
from tock_vision.stillness.controls import Controls
from tock_vision.stillness.libcamera import LibcameraControls
from tock_vision.stillness.v4l2 import V4l2Controls

# OpenCV remarks on each camera that does not open; our own sentence is enough.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
SAME_MOMENT_MS = 1.0
"""Times in a video are rounded."""
BACKENDS = {"darwin": cv2.CAP_AVFOUNDATION, "win32": cv2.CAP_DSHOW}
"""OpenCV's ways to cameras where there is no V4L2."""
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


class GrabError(TockError, OSError):
    """No frames can be had. `code` is stable; `final` means that trying again is of no use."""

    def __init__(self, code: str, detail: str, *, final: bool = False) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.final = final


class BadFrameError(TockError, ValueError):
    """One frame cannot be used; the next one may be good."""


class Grabber(ABC):
    """Supplies frames. It may be opened and closed any number of times, from one thread."""

    live = False
    """Whether frames come from a sensor of this machine."""
    frozen_after_ms: int | None = None
    """How long frames may be equal: noise makes each one of a sensor unique, so later it has hung. None: for ever."""
    arrives = False
    """Whether frames are pushed at the camera's pace, and read on arrival."""
    taken_ms: int | None = None
    """The time of the frame grabbed last, on the table's clock; None for the moment at which it was grabbed."""
    longest_retry_ms = 5000
    """A camera that has gone is looked for again at least this often."""
    controls: Controls | None = None
    """The settings of the open camera; None where none can or may be set."""

    @abstractmethod
    def open(self) -> None:
        """Acquire the device or file; raises GrabError."""

    def awaits(self) -> bool:
        """Whether there is no next frame yet, after waiting a moment for one that is pushed."""
        return False

    @abstractmethod
    def grab(self) -> Frame:
        """Take the next frame; raises GrabError when there are none, BadFrameError when it is damaged."""

    def skip(self) -> None:
        """Let one frame pass, undecoded where that is possible; raises as `grab` does."""
        self.grab()

    def is_unchanged(self) -> bool | None:
        """Whether the next frame will equal the last one; None where only a look can tell."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Release the device or file; never raises."""


class DeviceGrabber(Grabber):
    """A camera of this machine: by number or path through V4L2, by number through what macOS and Windows have."""

    live = True
    frozen_after_ms = SENSOR_FROZEN_AFTER_MS

    def __init__(
        self, device: int | str, width: int, height: int, fps: float, *, holds_still: bool = True
    ) -> None:
        self.device = device
        self.size_px = (width, height)
        self.fps = fps
        self.holds_still = holds_still
        self._settings: V4l2Controls | None = None
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Open the device and ask for size and rate, from which cameras may deviate."""
        path = node_of(self.device)
        backend = BACKENDS.get(sys.platform)
        if backend is not None:
            if not isinstance(self.device, int):
                raise GrabError("camera/no_device", f"{self.device}: name the camera by its number, 0 or 1")
            capture = cv2.VideoCapture(self.device, backend)
        else:
            _require_device(path)
            capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise GrabError(
                "camera/busy", f"camera {self.device} does not open; another program may be using it"
            )
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size_px[1])
        capture.set(cv2.CAP_PROP_FPS, self.fps)
        # The newest frame counts, not the oldest one that waits in the driver.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture
        if self.holds_still:
            self.controls = self._settings = V4l2Controls.of(path)

    def grab(self) -> Frame:
        """Take the newest frame."""
        if self._capture is None:
            raise GrabError("camera/unplugged", f"camera {self.device} is not open")
        came, frame = self._capture.read()
        if not came or frame is None:
            raise self._silent()
        if frame.size == 0:
            raise BadFrameError(f"camera {self.device} gave an empty frame")
        return frame

    def skip(self) -> None:
        """Take a frame out of the driver's queue, so that the next one grabbed is fresh."""
        if self._capture is not None and not self._capture.grab():
            raise self._silent()

    def _silent(self) -> GrabError:
        return GrabError("camera/unplugged", f"camera {self.device} gives no frames; check its cable")

    def close(self) -> None:
        """Release the device."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
        if self._settings is not None:
            self._settings.close()
            self.controls = self._settings = None


def _require_device(path: Path) -> None:
    if not path.exists():
        raise GrabError(
            "camera/no_device", f"{path} does not exist; plug the camera in or name another device"
        )
    if not os.access(path, os.R_OK | os.W_OK):
        raise GrabError("camera/no_permission", f"{path} may not be opened; add the user to the group video")


class RibbonGrabber(Grabber):
    """A camera on the Pi's ribbon connector, by its number, through libcamera's own Python library.

    Raspberry Pi OS brings `picamera2`; the Python index has no such package that could be required.
    """

    live = True
    frozen_after_ms = SENSOR_FROZEN_AFTER_MS

    def __init__(self, number: int, width: int, height: int, fps: float, *, holds_still: bool = True) -> None:
        self.number = number
        self.size_px = (width, height)
        self.fps = fps
        self.holds_still = holds_still
        self._camera: Any = None

    def open(self) -> None:
        """Configure and start the camera."""
        try:
            library = importlib.import_module("picamera2")
        except ImportError:
            raise GrabError(
                "camera/no_device",
                "picamera2 is not installed; sudo apt install python3-picamera2 and run ./install.sh again",
            ) from None
        except (ValueError, AttributeError, RuntimeError, OSError) as error:
            # Its compiled parts were built for another NumPy, or libcamera is of another release.
            raise GrabError(
                "camera/no_device",
                "picamera2 does not fit this system's libraries "
                f"({' '.join(str(error).split())}); run ./install.sh again, which installs simplejpeg for it",
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
        self.controls = LibcameraControls(camera) if self.holds_still else None

    def grab(self) -> Frame:
        """Take the newest frame; libcamera drops older ones."""
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

    def skip(self) -> None:
        """Nothing to do: libcamera drops older frames."""

    def close(self) -> None:
        """Release the camera."""
        if self._camera is not None:
            self._camera.close()
            self._camera = self.controls = None


class VideoGrabber(Grabber):
    """A video file, from its beginning to its end, in the time in which it was recorded."""

    def __init__(self, path: Path, fps: float) -> None:
        """Frames are taken `fps` times a second, whatever rate the file has."""
        if not path.is_file():
            raise BadInputError(f"video {path} does not exist; give the path of a video file")
        self.path = path
        self._period_ms = 1000.0 / fps
        self._due_ms = 0.0
        self._at_ms = -math.inf
        self._began_ms: float | None = None
        self._frame: Frame | None = None
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Open the file."""
        capture = cv2.VideoCapture(str(self.path))
        if not capture.isOpened():
            capture.release()
            raise GrabError(
                "camera/bad_video", f"video {self.path} does not open; convert it to MP4", final=True
            )
        self._capture, self._frame, self._began_ms = capture, None, None
        self._due_ms, self._at_ms = 0.0, -math.inf

    def grab(self) -> Frame:
        """Take the frame that the video shows now; the same as before where it has not changed since."""
        self.skip()
        if self._frame is None:
            came, self._frame = self._capture.retrieve() if self._capture is not None else (False, None)
            if not came or self._frame is None:
                raise self._ended()
        return self._frame

    def skip(self) -> None:
        """Let the video go on by the time between two frames that are asked for."""
        if self._capture is None:
            raise self._ended()
        while self._at_ms < self._due_ms - SAME_MOMENT_MS:
            if not self._capture.grab():
                raise self._ended()
            self._frame = None
            moment_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
            if self._began_ms is None:
                self._began_ms = moment_ms
            # Of a file without times every frame is shown.
            passed_ms = moment_ms - self._began_ms
            self._at_ms = passed_ms if passed_ms > self._at_ms else self._due_ms
        self._due_ms += self._period_ms

    def _ended(self) -> GrabError:
        return GrabError("camera/ended", f"video {self.path} is at its end", final=True)

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class FolderGrabber(Grabber):
    """The pictures of a folder in the order of their names; those added later follow once all are shown."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise BadInputError(f"frames {path} is not a folder; give a folder with pictures of the board")
        self.path = path
        self._shown: set[Path] = set()
        self._files = self._new_files()
        if not self._files:
            raise BadInputError(f"frames {path} has no pictures; give a folder with JPEG or PNG files")
        self._last: tuple[bytes, Frame] | None = None

    def open(self) -> None:
        """Go on where it stopped."""

    def grab(self) -> Frame:
        """Read and decode the next picture."""
        file = self._take()
        try:
            data = read_bounded(file, MAX_BYTES, "frame")
            # Decoding takes most of a look; a still picture is often the same file again.
            if self._last is None or self._last[0] != data:
                self._last = (data, decode_image(data, str(file)))
        except (BadInputError, OSError) as error:
            raise BadFrameError(str(error)) from error
        return self._last[1]

    def skip(self) -> None:
        """Go on to the next picture."""
        self._take()

    def _take(self) -> Path:
        if not self._files:
            self._files = self._new_files()
        if not self._files:
            raise GrabError("camera/ended", f"all {len(self._shown)} pictures of {self.path} are shown")
        file = self._files.popleft()
        self._shown.add(file)
        return file

    def _new_files(self) -> deque[Path]:
        try:
            found = {file for file in self.path.iterdir() if file.suffix.lower() in PICTURE_ENDINGS}
        except OSError as error:
            raise GrabError("camera/no_device", f"{self.path} cannot be read ({error.strerror})") from None
        return deque(sorted(found - self._shown))

    def close(self) -> None:
        """Nothing is held open."""
