"""The last minute of a source as single pictures, to show a hole before a disputed move."""

import threading
from collections import deque
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Frame
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.cards.pile import from_above

PAGE_EVERY_MS = 500
KEPT_PAGES = 90
JPEG_QUALITY = 85
CROP_REACH_PITCHES = 1.6
"""A crop reaches this far to every side: the hole and its neighbours."""
CROP_PX = 160
CARD = "card"
"""The name of the picture of the discard pile."""


class Album:
    """Keeps a frame every half second for three quarters of a minute; written by one thread, read by another."""

    def __init__(self, board: BoardFile) -> None:
        self._board = board
        self._index = {str(hole.id): number for number, hole in enumerate(board.holes)}
        self._pages: deque[tuple[int, bytes, CameraPose]] = deque(maxlen=KEPT_PAGES)
        self._newest: tuple[int, Frame, CameraPose] | None = None
        self._lock = threading.Lock()

    def keep(self, t_ms: int, frame: Frame, pose: CameraPose | None) -> None:
        """Take in a frame in which the board was found."""
        if pose is None:
            return
        with self._lock:
            self._newest = (t_ms, frame, pose)
            if self._pages and t_ms - self._pages[-1][0] < PAGE_EVERY_MS:
                return
        done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if done:
            with self._lock:
                self._pages.append((t_ms, data.tobytes(), pose))

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        """PNG pictures of holes, and of the pile as `card`, at `t_ms` or the latest before that."""
        page = self._page(t_ms)
        if page is None:
            return {}
        frame, pose = page
        points = hole_points_mm(self._board)
        places, scales = pose.project(points), pose.scale(points)
        found: dict[str, bytes] = {}
        if CARD in names and self._board.pile is not None:
            pile = from_above(self._board.pile, frame, pose)
            done, data = cv2.imencode(".png", pile) if pile is not None else (False, np.empty(0, np.uint8))
            if done:
                found[CARD] = data.tobytes()
        for name in names:
            number = self._index.get(name)
            if number is None:
                continue
            reach = max(8, round(float(CROP_REACH_PITCHES * self._board.pitch_mm * scales[number])))
            crop = _square(frame, places[number], reach)
            done, data = cv2.imencode(".png", crop)
            if done:
                found[name] = data.tobytes()
        return found

    def _page(self, t_ms: int) -> tuple[Frame, CameraPose] | None:
        with self._lock:
            newest, pages = self._newest, list(self._pages)
        if newest is None:
            return None
        if t_ms >= newest[0]:
            return newest[1], newest[2]
        earlier = [page for page in pages if page[0] <= t_ms] or pages[:1]
        if not earlier:
            return None
        frame = cv2.imdecode(np.frombuffer(earlier[-1][1], np.uint8), cv2.IMREAD_COLOR)
        return None if frame is None else (frame, earlier[-1][2])


def _square(frame: Frame, place: np.ndarray, reach: int) -> Frame:
    """Cut a square around a place, black beyond the edge of the frame."""
    x, y = round(float(place[0])), round(float(place[1]))
    padded = cv2.copyMakeBorder(frame, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    x, y = min(max(x, 0), frame.shape[1] - 1), min(max(y, 0), frame.shape[0] - 1)
    crop = padded[y : y + 2 * reach, x : x + 2 * reach]
    return cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
