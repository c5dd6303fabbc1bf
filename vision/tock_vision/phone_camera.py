"""A phone as a camera: it pushes pictures, and gets the readings back."""

from collections.abc import Callable

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleState
from tock_companion.sources.feed import Place, SeenPawn, Sight
from tock_vision.arrays import Floats
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.camera_timeouts import PHONE_GONE_S, STREAM_FROZEN_AFTER_MS
from tock_vision.grabbers import GrabError
from tock_vision.images import require_jpeg
from tock_vision.mailbox import ArrivingGrabber
from tock_vision.reader import Reading

MAX_PIXELS = 13_000_000
"""Largest picture of a phone's camera; the page sends a tenth of it."""
FLATTEST_DEGREES = 35.0
"""Below this height of the camera above the table, seen from the middle of the board, pawns hide the holes behind."""
MIN_PITCH_PX = 11.0
"""With fewer pixels from hole to hole pawns are hardly read."""


class PhoneGrabber(ArrivingGrabber):
    """Frames that a phone's page sends."""

    patience_s = PHONE_GONE_S
    frozen_after_ms = STREAM_FROZEN_AFTER_MS
    longest_retry_ms = 200

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._has_come = False

    def silent(self) -> GrabError:
        """The phone sleeps, was called, or has left the Wi-Fi; or it has not come yet."""
        if not self._has_come:
            return GrabError("camera/phone_expected", f"{self.label} has sent no picture yet")
        return GrabError("camera/phone_away", f"{self.label} sends no pictures")

    def push(self, jpeg: bytes, taken_ms: int) -> None:
        """Take in a picture; raises BadInputError if it is not a JPEG of ordinary size."""
        require_jpeg(jpeg, "the picture", MAX_PIXELS)
        self._has_come = True
        self.mailbox.put(jpeg, taken_ms)


def sight_of(reading: Reading, board: BoardFile) -> Sight:
    """Sum up a frame for the phone's holder."""
    pose = reading.pose
    if pose is None:
        return Sight(reading.reason)
    points = hole_points_mm(board)
    places = pose.project(points)
    width, height = board.size_mm
    corners = pose.project(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    pawns = tuple(
        SeenPawn(_share(place, pose), reading.holes[hole.id].seat)
        for hole, place in zip(board.holes, places, strict=True)
        if reading.holes[hole.id].state is HoleState.PAWN
    )
    return Sight(_weakness(pose, board), tuple(_share(corner, pose) for corner in corners), pawns)


def _share(place: Floats, pose: CameraPose) -> Place:
    width, height = pose.size_px
    return round(float(place[0]) / width, 4), round(float(place[1]) / height, 4)


def _weakness(pose: CameraPose, board: BoardFile) -> str:
    """The reason why a board that is found is hard to read: too slanted, or too far."""
    rotation, shift = rotation_matrix(pose.params[:3]), pose.params[3:6]
    middle = rotation @ np.array([board.size_mm[0] / 2, board.size_mm[1] / 2, 0.0]) + shift
    rise = abs(float(rotation[:, 2] @ middle / np.linalg.norm(middle)))
    if rise < np.sin(np.radians(FLATTEST_DEGREES)):
        return "camera/slanted"
    pitch_px = board.pitch_mm * float(np.min(pose.scale(hole_points_mm(board))))
    return "camera/far" if pitch_px < MIN_PITCH_PX else ""


class PhoneFeed:
    """The entrance for pictures, and the exit for their results."""

    def __init__(
        self,
        grabber: PhoneGrabber,
        board: BoardFile,
        newest: Callable[[], Reading | None],
        *,
        hold_still: bool = True,
    ) -> None:
        """Feed a grabber; `newest` gives the reading to tell of."""
        self.hold_still = hold_still
        self._grabber, self._board, self._newest = grabber, board, newest
        self._read: tuple[Reading, Sight] | None = None

    def push(self, jpeg: bytes, taken_ms: int) -> None:
        """Take in a picture with its time on the table's clock."""
        self._grabber.push(jpeg, taken_ms)

    def sight(self) -> Sight | None:
        """The result of the newest picture that was read."""
        reading, read = self._newest(), self._read
        if reading is None:
            return None
        if read is None or read[0] is not reading:
            read = self._read = (reading, sight_of(reading, self._board))
        return read[1]
