"""The check at the end: pawns in all camps are seen, each in its colour; and a camera's calibration from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile, camp_hole
from tock_companion.observation import HoleState
from tock_rules import Hole, HoleKind, Seat
from tock_vision.arrays import Frame
from tock_vision.assignment import assigned
from tock_vision.calibration_file import save_calibration
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.drafting import board_pose
from tock_vision.discovery.pawns import read_pawns
from tock_vision.holes.calibration import Calibration, Shows
from tock_vision.holes.hole_reader import HoleClassifier, HoleReader
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import small_frame
from tock_vision.holes.pawn_size import narrow_pawn
from tock_vision.learning import learn
from tock_vision.mending.sketch import Sketch
from tock_vision.reader import BoardReader, Reading
from tock_vision.registration.results import Refusal, Registration

MAX_PAINTED_PER_ZONE = 1
"""Paint on camps and homes is now and then taken for a pawn while their empty look is not known."""


@dataclass(frozen=True)
class Checked:
    """The result of a photo with all pawns in their camps."""

    sketch: Sketch
    """The board, in the colours of the pawns where nothing told them before."""
    frame: Frame
    registration: Registration | None
    """None where the board is not found in the photo."""
    camps: Mapping[Hole, bool]
    """The camp holes, and whether a pawn of the right colour is seen in each; none where the board is not found."""
    sentence: str = ""
    """Why the board is not found."""

    @property
    def seen(self) -> tuple[int, ...]:
        """Pawns of the right colour in each seat's camp."""
        seats = range(self.sketch.zones)
        return tuple(
            sum(
                self.camps.get(camp_hole(Seat(seat), index), False) for index in range(self.sketch.form.pawns)
            )
            for seat in seats
        )

    @property
    def all_seen(self) -> bool:
        """Whether every camp is full of its own pawns."""
        return all(count == self.sketch.form.pawns for count in self.seen)


def check_pawns(sketch: Sketch, frame: Frame, poses: Sequence[CameraPose]) -> Checked:
    """Read the photo with the present board, and with pawns as narrow and in the colours that it shows."""
    best = _checked(sketch, frame, poses)
    if best.registration is None:
        return best
    narrow = _with_narrow_pawns(sketch, frame, best.registration.pose)
    if narrow != sketch:
        again = _checked(narrow, frame, poses)
        best = again if sum(again.seen) >= sum(best.seen) else best
    if best.registration is None or best.all_seen:
        return best
    recolored = _recolored(best.sketch, frame, best.registration.pose)
    if recolored.colors == best.sketch.colors:
        return best
    again = _checked(recolored, frame, poses)
    return again if sum(again.seen) > sum(best.seen) else best


def _checked(sketch: Sketch, frame: Frame, poses: Sequence[CameraPose]) -> Checked:
    board = sketch.board("board")
    reading = _read(board, sketch, frame, poses)
    if not reading.registered or reading.pose is None:
        return Checked(sketch, frame, None, {}, reading.sentence)
    reader = HoleReader(reading.pose, HoleClassifier(board, PatchNetwork()), None, all_in_camps=True)
    holes = reader.read_holes(frame, small_frame(frame))
    camps = {
        hole: holes[hole].state is HoleState.PAWN and holes[hole].seat is seat
        for seat in board.seats
        for hole in board.shape.camp_holes(seat)
    }
    found = Registration(reading.pose, reading.rms_px or 0.0, 1.0, "stored", "sure")
    return Checked(sketch, frame, found, camps)


def _read(board: BoardFile, sketch: Sketch, frame: Frame, poses: Sequence[CameraPose]) -> Reading:
    """Read a photo, trying first where the board lay in those before: a camera on a stand has not moved."""
    size_px = (frame.shape[1], frame.shape[0])
    for pose in poses:
        if pose.size_px == size_px:
            known = Registration(board_pose(pose, sketch.holes, board), 0.0, 1.0, "stored", "sure")
            reading = BoardReader(board, Calibration(known, None, {})).read_frame(frame)
            if reading.registered:
                return reading
    return BoardReader(board).read_frame(frame)


def _with_narrow_pawns(sketch: Sketch, frame: Frame, pose: CameraPose) -> Sketch:
    """The board with pawns as narrow as those in the camps are, where they are."""
    board = replace(sketch, pawn_pitches=None).board("board")
    camps = np.array([hole.kind is HoleKind.CAMP for hole in board.holes])
    shape = narrow_pawn(board, frame, pose, camps)
    return replace(sketch, pawn_pitches=None if shape is None else shape.radius_mm / board.pitch_mm)


def _recolored(sketch: Sketch, frame: Frame, pose: CameraPose) -> Sketch:
    """Colours as the pawns in the camps have them: each seat another one, so that all together fit best."""
    pawns = read_pawns([(frame, pose)], sketch.board("board"))
    return replace(sketch, colors=tuple(list(COLOR_NAMES)[number] for number in assigned(pawns.costs)))


def learn_board(
    board: BoardFile,
    sketch: Sketch,
    views: Sequence[tuple[Frame, CameraPose]],
    checked: Checked,
    state: Path,
) -> bool:
    """Keep the photographs' calibration for a camera: the look of empty holes and the colours of the pawns."""
    if checked.registration is None:
        return False
    pictures: list[tuple[Frame, Shows]] = []
    for frame, pose in views:
        reading = _read(board, sketch, frame, [pose])
        if reading.registered and _shows_no_pawn(reading, board):
            pictures.append((frame, "empty"))
            break
    pictures.append((checked.frame, "camps"))
    calibration = learn(board, pictures, checked.registration)
    if isinstance(calibration, Refusal):
        return False
    save_calibration(state, board, calibration)
    return True


def _shows_no_pawn(reading: Reading, board: BoardFile) -> bool:
    """Whether a photo is one of the empty board."""
    pawns = [hole for hole, seen in reading.holes.items() if seen.state is HoleState.PAWN]
    owned = [hole for hole in pawns if board.hole(hole).seat is not None]
    return len(owned) == len(pawns) <= MAX_PAINTED_PER_ZONE * board.zones
