"""Learning a family's board and pawns from pictures of the empty board and of all pawns in their camps."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_companion.errors import BadInputError
from tock_companion.schema import Schema, check
from tock_rules import Seat
from tock_vision.arrays import Bools, Frame, Gray, Singles
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration, Shows, color_features, likeness, zoomed
from tock_vision.holes.hole_reader import HoleClassifier, state_chances
from tock_vision.holes.light_reference import LightReference, samples_of_patches
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import PatchGrid, closeness, cut, light_levels, patch_grid, small_frame
from tock_vision.holes.pawn_size import narrow_pawn
from tock_vision.images import load_image
from tock_vision.orientation import resolve_orientation
from tock_vision.registration.hole_fit import seated
from tock_vision.registration.registrar import Registrar
from tock_vision.registration.results import Refusal, Registration
from tock_vision.settings import CalibrationPicture

SURELY_EMPTY = 0.9
"""A camp hole that is empty with this chance teaches no pawn's colour."""


def learn(
    board: BoardFile,
    pictures: Sequence[tuple[Frame, Shows]],
    stored: Registration | None = None,
    known: Calibration | None = None,
    network: PatchNetwork | None = None,
    locate: Callable[[Frame], Registration | Refusal] | None = None,
) -> Calibration | Refusal:
    """Learn from pictures of the empty board and of all pawns in their camps; a refusal when none registers.

    `locate` finds the board in a frame, by default its registrar, and without markers the pawns, which tell the way
    round. `known` is the former calibration: the empty board and narrow pawns are kept of it. A camp hole without a
    pawn teaches nothing. Marbles narrow against the pitch are learned as such unless the board file says so.
    """
    refusal = Refusal("camera/no_board", "there is no calibration picture; take one of the empty board")
    network = network or PatchNetwork()
    lesson = _Lesson(board, known, network)
    places = [locate(frame) for frame, _ in pictures] if locate else _places(board, pictures, stored, network)
    for (frame, shows), found in zip(pictures, places, strict=True):
        if isinstance(found, Refusal):
            refusal = found
        else:
            lesson.take(frame, shows, found)
    return refusal if lesson.registration is None else lesson.calibration(lesson.registration)


class _Lesson:
    """Gathers what pictures show, one after another."""

    def __init__(self, board: BoardFile, known: Calibration | None, network: PatchNetwork) -> None:
        self._board, self._network = board, network
        self._own = board if known is None else known.fitted(board)
        """The board with the pawns that it has as far as is known."""
        self._empty = known.empty if known is not None and known.saw_empty else None
        self._saw_empty = self._empty is not None
        self._camps: Singles | None = None
        self._standing: Bools = np.zeros(len(board.holes), dtype=bool)
        self._colors: dict[Seat, Singles] = {}
        self.registration: Registration | None = None
        """The last one."""

    def take(self, frame: Frame, shows: Shows, found: Registration) -> None:
        """Learn from one picture."""
        self.registration = found
        if shows == "camps" and self._board.usual_pawn.is_marble and closeness(self._board) == 1.0:
            self._fit_pawns(frame, found.pose)
        grid = patch_grid(found.pose, self._own)
        levels = light_levels(small_frame(frame), grid)
        patches = cut(frame, grid, levels)
        if shows == "empty":
            self._empty, self._saw_empty = patches, True
            return
        if self._empty is not None:
            # Colours are learned in the light of the empty board.
            gains = LightReference(samples_of_patches(self._empty)).gains(samples_of_patches(patches), levels)
            patches = cut(frame, grid, levels[:, None] / gains)
        self._camps = patches
        self._standing = _standing(self._own, patches, grid, self._network)
        self._colors = _camp_colors(self._own, patches, grid, self._standing)
        if not self._saw_empty:
            self._empty = _left_empty(self._own, patches, self._standing, grid.in_frame)

    def calibration(self, registration: Registration) -> Calibration:
        """Combine the learned parts."""
        empty, camps, alike = self._empty, self._camps, None
        if self._saw_empty and empty is not None and camps is not None and self._standing.any():
            alike = float(likeness(camps[self._standing], empty[self._standing]).max())
        pawn = None if self._own is self._board else self._own.pawn
        return Calibration(registration, empty, self._colors, alike, self._saw_empty, pawn)

    def _fit_pawns(self, frame: Frame, pose: CameraPose) -> None:
        before, self._own = closeness(self._own), _with_narrow_pawns(self._board, frame, pose, self._network)
        if self._empty is not None:
            self._empty = zoomed(self._empty, closeness(self._own) / before)


def _places(
    board: BoardFile,
    pictures: Sequence[tuple[Frame, Shows]],
    stored: Registration | None,
    network: PatchNetwork,
) -> list[Registration | Refusal]:
    """The board in each picture; those with pawns come first, for they tell which way round it is."""
    registrar, classifier = Registrar(board, stored), HoleClassifier(board, network)
    places: dict[int, Registration | Refusal] = {}
    for number in sorted(range(len(pictures)), key=lambda number: pictures[number][1] == "empty"):
        frame, shows = pictures[number]
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        found = registrar.locate(gray)
        if isinstance(found, Registration) and shows == "camps" and found.method not in ("markers", "touch"):
            found = _by_camps(frame, gray, found, classifier)
            registrar.adopt(found, gray)
        places[number] = found
    return [places[number] for number in range(len(pictures))]


def _by_camps(frame: Frame, gray: Gray, found: Registration, classifier: HoleClassifier) -> Registration:
    """The way round that the pawns speak for; where another was sure before, neither is."""
    way = resolve_orientation(frame, gray, found, classifier)
    if found.orientation == "guessed":
        return seated(gray, way.registration, classifier.board)
    contradicts = way.turns != 0 and way.registration.orientation == "sure"
    return replace(found, orientation="guessed") if contradicts else found


def _with_narrow_pawns(board: BoardFile, frame: Frame, pose: CameraPose, network: PatchNetwork) -> BoardFile:
    camps = np.array([hole.kind is HoleKind.CAMP for hole in board.holes])
    shape = narrow_pawn(board, frame, pose, camps, network)
    return board if shape is None else replace(board, pawn=shape)


def _left_empty(board: BoardFile, patches: Singles, standing: Bools, in_frame: Bools) -> Singles | None:
    """The look of each hole that is empty while all pawns stand in their camps, and for camps that of the seat's homes.

    None where a seat has a pawn elsewhere: then it may stand in any hole, and nothing is known to be empty.
    """
    kinds = np.array([hole.kind.value for hole in board.holes])
    owners = np.array([-1 if hole.seat is None else int(hole.seat) for hole in board.holes])
    bare = patches.copy()
    for seat in board.seats:
        home, camp = (
            (owners == int(seat)) & (kinds == kind.value) for kind in (HoleKind.HOME, HoleKind.CAMP)
        )
        is_left = in_frame[camp] & ~standing[camp]
        if standing[camp].any() and is_left.any():
            return None
        bare[camp] = np.median(patches[home], axis=0)
    return bare if standing.any() else None


def _standing(board: BoardFile, patches: Singles, grid: PatchGrid, network: PatchNetwork) -> Bools:
    """Mask the camp holes in which a pawn may stand (shape: [holes])."""
    empty = state_chances(board, patches, grid, network)[:, 0] > SURELY_EMPTY
    camp = np.array([hole.kind is HoleKind.CAMP for hole in board.holes])
    standing: Bools = camp & grid.in_frame & ~empty
    return standing


def _camp_colors(board: BoardFile, patches: Singles, grid: PatchGrid, standing: Bools) -> dict[Seat, Singles]:
    features = color_features(patches, grid.silhouette)
    owned = np.array([-1 if hole.seat is None else int(hole.seat) for hole in board.holes])
    return {
        seat: features[standing & (owned == seat)]
        for seat in board.seats
        if (standing & (owned == seat)).any()
    }


class _Calibration(Schema):
    calibration: list[CalibrationPicture]


def calibration_from_recording(board: BoardFile, pictures: object, folder: Path) -> Calibration | None:
    """Learn from the `calibration` of a recording in this folder; None when its pictures show no such board."""
    where = f"recording {folder}"
    listed = check(_Calibration, {"calibration": pictures or []}, where).calibration
    return calibration_from_pictures(board, listed, folder, needed=False)


def calibration_from_pictures(
    board: BoardFile,
    pictures: Iterable[CalibrationPicture],
    folder: Path | None = None,
    *,
    needed: bool = True,
) -> Calibration | None:
    """Learn from calibration pictures; None when there are none.

    Raises BadInputError for files that are no pictures, and, when `needed`, for pictures that show no such board.
    """
    loaded: list[tuple[Frame, Shows]] = [
        (load_image((folder or Path()) / picture.image), picture.what) for picture in pictures
    ]
    if not loaded:
        return None
    calibration = learn(board, loaded)
    if isinstance(calibration, Refusal):
        if needed:
            raise BadInputError(f"calibration pictures: {calibration.sentence}")
        return None
    return calibration
