"""Reads pictures of any board, each independently of those before."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError, quoted
from tock_rules import Hole
from tock_vision.any_board.board import AnyBoard, any_board
from tock_vision.any_board.document import HoleList
from tock_vision.any_board.view import view_on
from tock_vision.arrays import Frame
from tock_vision.calibration_file import load_calibration
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.hole_reader import HoleClassifier, HoleReader
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import small_frame
from tock_vision.holes.pawn_size import seen_pawn
from tock_vision.holes.readings import doubt_extra
from tock_vision.reader import Reading, ms_since, unusable
from tock_vision.registration.hole_fit import seated
from tock_vision.registration.results import Refusal, Registration
from tock_vision.registration.scan import scan
from tock_vision.registration.touches import check_touches, register_by_touches, scaled

AnyTouches = Mapping[str, tuple[float, float]]
"""Places in the picture, in pixels of its file, by the ids of the holes touched there."""
OTHER_SIZE = Refusal(
    "image/other_size",
    "the picture has another size than the first, in whose pixels the holes are given; read it by itself",
)
MARGIN_PITCHES = 1.0


class AnyBoardReader:
    """Finds and reads the holes of a list; not for use from several threads at once."""

    def __init__(self, listed: HoleList, touches: AnyTouches, state: Path | None = None) -> None:
        """Prepare to read; raises BadInputError for touches or a state that do not go with the list."""
        self._listed, self._state = listed, state
        self._network = PatchNetwork()
        self._given: Registration | None = None
        self._board: AnyBoard | None = None
        self._touches: dict[Hole, tuple[float, float]] = {}
        self._calibration: Calibration | None = None
        if listed.unit == "px" and touches:
            raise BadInputError("--touch: places in px are where the holes are; leave --touch out")
        if listed.unit == "mm":
            self._use(_in_mm(listed))
            self._touches = _known(touches, self.board)

    @property
    def board(self) -> AnyBoard:
        """The board; with places in px only known once a picture was seen."""
        if self._board is None:
            raise RuntimeError("the view follows from the first picture")
        return self._board

    def read(self, frame: Frame, factor: float = 1.0) -> Reading:
        """Read a frame whose sides are `factor` times as long as in its file.

        Raises BadInputError for a hole given in px that lies outside the picture.
        """
        start_s = perf_counter()
        small = small_frame(frame)
        found = unusable(small) or self.locate(frame, factor)
        if isinstance(found, Refusal):
            return Reading(0, False, ms_since(start_s), reason=found.code, sentence=found.sentence)
        learned = self._calibration
        board: BoardFile = self.board
        if learned is None:
            board = replace(board, pawn=seen_pawn(board, frame, found.pose, self._network))
        else:
            board = learned.fitted(board)
        reader = HoleReader(found.pose, HoleClassifier(board, self._network), learned, four_pawns=False)
        holes = reader.read_holes(frame, small)
        if self._listed.most_of_a_color is not None:
            doubt_extra(holes, self._listed.most_of_a_color)
        return Reading(
            0,
            True,
            ms_since(start_s),
            rms_px=round(found.rms_px, 3),
            holes=holes,
            orientation=found.orientation,
            pose=found.pose,
        )

    def locate(self, frame: Frame, factor: float = 1.0) -> Registration | Refusal:
        """Find the holes in a frame; places given in px are used unchanged."""
        if self._listed.unit == "px":
            return self._as_given(frame, factor)
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        if self._touches:
            found = register_by_touches(gray, self.board, scaled(self._touches, factor), is_part=True)
        else:
            found = scan(gray, self.board)
        return seated(gray, found, self.board) if isinstance(found, Registration) else found

    def _as_given(self, frame: Frame, factor: float) -> Registration | Refusal:
        size_px = (frame.shape[1], frame.shape[0])
        if self._given is None:
            places = (np.array(self._listed.places) + 0.5) * factor - 0.5
            inside = (places >= -0.5).all(axis=1) & (places < np.array(size_px) - 0.5).all(axis=1)
            if not inside.all():
                hole = self._listed.holes[int(np.argmin(inside))]
                width, height = (round(side / factor) for side in size_px)
                raise BadInputError(
                    f"hole {quoted(hole.id)} at ({hole.x:g}, {hole.y:g}) lies outside the picture of "
                    f"{width} x {height} pixels; places in px are pixels of the first picture"
                )
            pose, points = view_on(places, size_px)
            across = np.array([hole.d for hole in self._listed.holes]) * factor / pose.scale(points)
            self._use(any_board(self._listed, points, across))
            self._given = Registration(pose, 0.0, 1.0, "stored", "sure")
        return self._given if self._given.pose.size_px == size_px else OTHER_SIZE

    def _use(self, board: AnyBoard) -> None:
        self._board = board
        if self._state is not None:
            self._calibration = load_calibration(self._state, board)


def _in_mm(listed: HoleList) -> AnyBoard:
    places = np.array(listed.places)
    margin = MARGIN_PITCHES * listed.pitch
    return any_board(
        listed, places - places.min(axis=0) + margin, np.array([hole.d for hole in listed.holes])
    )


def _known(touches: AnyTouches, board: AnyBoard) -> dict[Hole, tuple[float, float]]:
    by_name = {str(hole): hole for hole in board.by_id}
    for name in touches:
        if name not in by_name:
            raise BadInputError(f"--touch {name}: no hole of the list has this id")
    known = {by_name[name]: place for name, place in touches.items()}
    if known:
        check_touches(board, known)
    return known
