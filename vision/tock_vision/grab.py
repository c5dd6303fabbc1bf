"""Where frames come from: a camera device, a video file, a folder of pictures."""

import os
from pathlib import Path
from typing import Protocol

import cv2

from tock_companion.errors import BadInputError, TockError
from tock_companion.files import read_bounded
from tock_vision.arrays import Frame
from tock_vision.images import LARGEST_BYTES, decode_image

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


class GrabError(TockError, OSError):
    """Frames cannot be had; `code` is stable, `final` means that trying again is of no use."""

    def __init__(self, code: str, detail: str, *, final: bool = False) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.final = final


class BadFrameError(TockError, ValueError):
    """One frame came but cannot be used; the next one may be good."""


class Grabber(Protocol):
    """Gives frames; opened and closed any number of times, from one thread."""

    live: bool
    """Whether frames come from a sensor, so that two equal ones in a row mean that it hangs."""

    def open(self) -> None:
        """Get ready; raises GrabError."""

    def grab(self) -> Frame:
        """Return the next frame; raises GrabError when there are none, BadFrameError when it is damaged."""

    def close(self) -> None:
        """Let go of the device or file; never raises."""


class DeviceGrabber:
    """A camera of the machine, by number or path, through V4L2."""

    live = True

    def __init__(self, device: int | str, width: int, height: int, fps: float) -> None:
        self.device = device
        self.size_px = (width, height)
        self.fps = fps
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Open the device and ask for size and rate; cameras give what they can."""
        path = Path(f"/dev/video{self.device}" if isinstance(self.device, int) else self.device)
        if not path.exists():
            raise GrabError(
                "camera/no_device", f"{path} does not exist; plug the camera in or name another device"
            )
        if not os.access(path, os.R_OK | os.W_OK):
            raise GrabError(
                "camera/no_permission", f"{path} may not be opened; add the user to the group video"
            )
        capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise GrabError("camera/busy", f"{path} does not open; another program may be using it")
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size_px[1])
        capture.set(cv2.CAP_PROP_FPS, self.fps)
        # The newest frame counts, not the oldest one that waits in the driver.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture

    def grab(self) -> Frame:
        """Return the newest frame."""
        if self._capture is None:
            raise GrabError("camera/unplugged", f"camera {self.device} is not open")
        came, frame = self._capture.read()
        if not came or frame is None:
            raise GrabError("camera/unplugged", f"camera {self.device} gives no frames; check its cable")
        if frame.size == 0:
            raise BadFrameError(f"camera {self.device} gave an empty frame")
        return frame

    def close(self) -> None:
        """Let go of the device."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class VideoGrabber:
    """A video file, from its beginning to its end."""

    live = False

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadInputError(f"video {path} does not exist; give the path of a video file")
        self.path = path
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Open the file."""
        capture = cv2.VideoCapture(str(self.path))
        if not capture.isOpened():
            capture.release()
            raise GrabError(
                "camera/bad_video", f"video {self.path} does not open; convert it to MP4", final=True
            )
        self._capture = capture

    def grab(self) -> Frame:
        """Return the next frame of the video."""
        came, frame = self._capture.read() if self._capture is not None else (False, None)
        if not came or frame is None:
            raise GrabError("camera/ended", f"video {self.path} is at its end", final=True)
        return frame

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class FolderGrabber:
    """The pictures of a folder in the order of their names."""

    live = False

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise BadInputError(f"frames {path} is not a folder; give a folder with pictures of the board")
        self.path = path
        self._files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURE_ENDINGS)
        if not self._files:
            raise BadInputError(f"frames {path} has no pictures; give a folder with JPEG or PNG files")
        self._next = 0

    def open(self) -> None:
        """Go on where it stopped."""

    def grab(self) -> Frame:
        """Return the next picture."""
        if self._next >= len(self._files):
            raise GrabError(
                "camera/ended", f"all {len(self._files)} pictures of {self.path} are shown", final=True
            )
        file = self._files[self._next]
        self._next += 1
        try:
            return decode_image(read_bounded(file, LARGEST_BYTES, "frame"), str(file))
        except (BadInputError, OSError) as error:
            raise BadFrameError(str(error)) from error

    def close(self) -> None:
        """Nothing is held open."""
