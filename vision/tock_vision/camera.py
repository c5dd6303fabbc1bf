"""The source `camera`: frames of a device, a video file, a folder of pictures, a camera on the network, a phone."""

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from tock_companion.boardfile import BoardFile
from tock_companion.errors import escaped
from tock_companion.schema import check
from tock_companion.sources.feed import Feed
from tock_companion.sources.scene import Scene
from tock_vision.calibration_file import DamagedStateError, load_calibration
from tock_vision.capture import CaptureLoop
from tock_vision.cards.pile import PileWatcher
from tock_vision.grabbers import DeviceGrabber, FolderGrabber, Grabber, RibbonGrabber, VideoGrabber
from tock_vision.holes.calibration import Calibration
from tock_vision.learning import calibration_from_pictures
from tock_vision.network_camera import NetworkGrabber
from tock_vision.phone_camera import PhoneFeed, PhoneGrabber
from tock_vision.reader import BoardReader, Reading
from tock_vision.settings import CameraSettings

LOG = logging.getLogger(__name__)
STATE_SUFFIX = ".npz"
RIBBON = re.compile(r"ribbon(?::(\d))?")
"""Name of a camera on the Pi's ribbon connector; the second one is `ribbon:1`."""


class CameraSource(CaptureLoop):
    """Reads a real board with the settings of `CameraSettings`."""

    def __init__(
        self, board_file: BoardFile, settings: Mapping[str, object], scene: Scene | None = None
    ) -> None:
        del scene  # Only the simulated table has one.
        chosen = check(CameraSettings, settings, "source camera")
        calibration = calibration_from_pictures(board_file, chosen.calibration)
        state = Path(chosen.state) if chosen.state is not None else None
        if calibration is None and state is not None and state.exists():
            calibration = _learned(state, board_file)
        grabber = grabber_for(chosen)
        self.feed: Feed | None = None
        if isinstance(grabber, PhoneGrabber):
            self.feed = PhoneFeed(grabber, board_file, self._newest_reading, hold_still=chosen.hold_still)
        super().__init__(
            chosen.name,
            grabber,
            BoardReader(board_file, calibration),
            chosen.fps,
            PileWatcher.of(board_file),
            state,
        )

    def _newest_reading(self) -> Reading | None:
        seen = self._reading
        return None if seen is None else seen[1]


def _learned(state: Path, board_file: BoardFile) -> Calibration | None:
    """Read the calibration of a camera; where a disk has damaged it, the camera starts as on its first evening."""
    try:
        return load_calibration(state, board_file)
    except DamagedStateError as error:
        # A file with another ending is not ours: the setting names the wrong one, and learning would replace it.
        if state.suffix != STATE_SUFFIX:
            raise
        LOG.warning("%s; the camera is set up again on the page", escaped(str(error)))
        return None


def grabber_for(settings: CameraSettings) -> Grabber:
    """Choose what gives the frames that the settings name."""
    if settings.video is not None:
        return VideoGrabber(Path(settings.video), settings.fps)
    if settings.frames is not None:
        return FolderGrabber(Path(settings.frames))
    if settings.url is not None:
        return NetworkGrabber(settings.url, settings.fps, settings.certificate)
    if settings.phone:
        return PhoneGrabber(f"the phone of {settings.name}")
    device = 0 if settings.device is None else settings.device
    if ribbon := RIBBON.fullmatch(str(device)):
        number, size_px = int(ribbon[1] or 0), (settings.width, settings.height)
        return RibbonGrabber(number, *size_px, settings.fps, holds_still=settings.hold_still)
    named = cast(int | str, device)
    return DeviceGrabber(
        named, settings.width, settings.height, settings.fps, holds_still=settings.hold_still
    )
