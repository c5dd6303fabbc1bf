"""Learning a family's board and pawns from pictures of the empty board and of all pawns in their camps."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_companion.errors import BadInputError
from tock_companion.rules import Seat
from tock_companion.schema import Schema, check
from tock_vision.arrays import Bools, Frame, Singles
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration, Shows, color_features, likeness, zoomed
from tock_vision.holes.hole_reader import state_chances
from tock_vision.holes.light_reference import LightReference, samples_of_patches
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import PatchGrid, closeness, cut, light_levels, patch_grid, small_frame
from tock_vision.holes.pawn_size import narrow_pawn
from tock_vision.images import load_image
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

    `locate` finds the board in a frame, by default its registrar. `known` is what was learned before: the empty board
    and narrow pawns are kept of it. A camp hole without a pawn teaches nothing. Marbles narrow against the pitch are
    learned as such unless the board file says so.
    """
    find = locate or _following(board, stored)
    registration: Registration | None = None
    refusal = Refusal("camera/no_board", "there is no calibration picture; take one of the empty board")
    empty = known.empty if known is not None and known.saw_empty else None
    saw_empty = empty is not None
    camps: Singles | None = None
    standing = np.zeros(len(board.holes), dtype=bool)
    colors: dict[Seat, Singles] = {}
    network = network or PatchNetwork()
    own = board if known is None else known.fitted(board)
    for frame, shows in pictures:
        found = find(frame)
        if isinstance(found, Refusal):
            refusal = found
            continue
        registration = found
        if shows == "camps" and board.usual_pawn.is_marble and closeness(board) == 1.0:
            before, own = closeness(own), _with_narrow_pawns(board, frame, found.pose, network)
            empty = None if empty is None else zoomed(empty, closeness(own) / before)
        grid = patch_grid(found.pose, own)
        levels = light_levels(small_frame(frame), grid)
        patches = cut(frame, grid, levels)
        if shows == "camps" and empty is not None:
            # Colours are learned as they are in the light in which the empty board was.
            gains = LightReference(samples_of_patches(empty)).gains(samples_of_patches(patches), levels)
            patches = cut(frame, grid, levels[:, None] / gains)
        if shows == "empty":
            empty, saw_empty = patches, True
        else:
            camps = patches
            standing = _standing(own, patches, grid, network)
            colors = _camp_colors(own, patches, grid, standing)
            if not saw_empty:
                empty = _left_empty(own, patches, standing, grid.in_frame)
    if registration is None:
        return refusal
    alike = None
    if saw_empty and empty is not None and camps is not None and standing.any():
        alike = float(likeness(camps[standing], empty[standing]).max())
    return Calibration(registration, empty, colors, alike, saw_empty, None if own is board else own.pawn)


def _following(board: BoardFile, stored: Registration | None) -> Callable[[Frame], Registration | Refusal]:
    registrar = Registrar(board, stored)
    return lambda frame: registrar.locate(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))


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
