"""The source `camera`: frames of a camera device, a video file or a folder of pictures."""

import re
from collections.abc import Mapping
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.sources.scene import Scene
from tock_vision.cards.pile import PileWatcher
from tock_vision.grab import DeviceGrabber, FolderGrabber, Grabber, VideoGrabber
from tock_vision.pump import FramePump
from tock_vision.reader import BoardReader
from tock_vision.ribbon import RibbonGrabber
from tock_vision.settings import LONGEST_SIDE_PX, check_keys, number, text
from tock_vision.state import load_state
from tock_vision.stored import learned_from_settings

RIBBON = re.compile(r"ribbon(?::(\d))?")
"""How a camera on the Pi's ribbon connector is named, the second one as `ribbon:1`."""
KNOWN = ("name", "device", "video", "frames", "fps", "width", "height", "calibration", "state")


class CameraSource(FramePump):
    """Reads a real board; settings: `device` (number, path, `ribbon`), `video` or `frames`; `fps`, `width`, `height`.

    `calibration` is a list of `{"image": path, "what": "empty" | "camps"}` by the same camera; `state` is a file in
    which what was learned is kept (`tock board learn` or the wizard make it).
    """

    def __init__(
        self, board_file: BoardFile, settings: Mapping[str, object], scene: Scene | None = None
    ) -> None:
        check_keys(settings, KNOWN, "camera")
        del scene  # Only the simulated table has one.
        fps = number(settings, "fps", 10.0, 0.2, 60.0)
        learned = learned_from_settings(board_file, settings.get("calibration"))
        state = Path(text(settings, "state", "")) if settings.get("state") is not None else None
        if learned is None and state is not None and state.exists():
            learned = load_state(state, board_file)
        super().__init__(
            text(settings, "name", "camera"),
            grabber_for(settings, fps),
            BoardReader(board_file, learned),
            fps,
            PileWatcher.of(board_file),
            state,
        )


def grabber_for(settings: Mapping[str, object], fps: float) -> Grabber:
    """Return what gives the frames that the settings name; raises BadInputError when they cannot be used."""
    given = [key for key in ("device", "video", "frames") if settings.get(key) is not None]
    if len(given) > 1:
        raise BadInputError(f"source camera: {' and '.join(given)} are both given; keep one")
    if given == ["video"]:
        return VideoGrabber(Path(text(settings, "video", "")))
    if given == ["frames"]:
        return FolderGrabber(Path(text(settings, "frames", "")))
    width = round(number(settings, "width", 1280, 160, LONGEST_SIDE_PX))
    height = round(number(settings, "height", 960, 120, LONGEST_SIDE_PX))
    device = settings.get("device", 0)
    if ribbon := RIBBON.fullmatch(str(device)):
        return RibbonGrabber(int(ribbon[1] or 0), width, height, fps)
    if isinstance(device, bool) or not isinstance(device, int | str) or device == "":
        raise BadInputError(
            f"setting 'device' is {device!r}; give a number such as 0, a path under /dev, or ribbon"
        )
    if isinstance(device, int) and not 0 <= device < 256:
        raise BadInputError(f"setting 'device' is {device}; give a number from 0 to 255")
    return DeviceGrabber(device, width, height, fps)
