"""Recognises a picture of the board, on a screen or on paper, where the board itself should be.

Such a picture is flat and its holes are where the board has them, but it was taken by another camera, from another
place: no camera in front of the board itself sees it so.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats, Gray
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import LENSES, fit, from_points
from tock_vision.registration.hole_check import check_holes

MIN_CORNERS = 8
"""Of two markers; four points always lie on some plane."""
FLAT_SIDES = 0.1
"""Distance of corners from where a plane puts them, in sides of a marker, up to which they lie on it."""
ROUNDS = 2
HOLE_SCORE, HOLE_SHARE, NEAR_PITCHES = 0.3, 0.7, 0.14
"""Roundness of a hole, share of the holes that are seen, and how near to their places: pawns stand beside theirs."""
ONE_CAMERA_PITCHES = 0.08
"""Distance of the holes from where the best view of one camera puts them: 0.004 from the board, 0.2 and more from eight
pictures of it."""


@dataclass(frozen=True)
class Plane:
    """A view of a flat thing through any number of cameras."""

    matrix: Floats
    """From millimetres to pixels (shape: [3, 3])."""

    def project(self, points_mm: Floats) -> Floats:
        """Project points of the board into the frame (shape: [n, 2] to [n, 2])."""
        places: Floats = cv2.perspectiveTransform(points_mm[None].astype(float), self.matrix)[0]
        return places


def is_pictured(gray: Gray, board: BoardFile, corners_mm: Floats, corners_px: Floats) -> bool:
    """Whether markers and holes lie as on the board, seen through more than this camera (corners: shape [n, 2]).

    Only to be asked where no pose of this camera fits.
    """
    if len(corners_mm) < MIN_CORNERS:
        return False
    matrix = cv2.findHomography(corners_mm, corners_px)[0]
    if matrix is None:
        return False
    plane = Plane(matrix)
    off = np.linalg.norm(plane.project(corners_mm) - corners_px, axis=1)
    side_px = float(np.median(np.linalg.norm(corners_px[1::4] - corners_px[::4], axis=1)))
    if float(np.median(off)) > FLAT_SIDES * side_px:
        return False
    points_mm = hole_points_mm(board)
    for _ in range(ROUNDS):
        seen = check_holes(gray, plane, board)
        is_round = seen.score > HOLE_SCORE
        if is_round.mean() < HOLE_SHARE:
            return False
        # Small markers say roughly where holes far from them are; these say it better.
        places_px = plane.project(points_mm + seen.shift * board.pitch_mm)
        plane = Plane(cv2.findHomography(points_mm[is_round], places_px[is_round])[0])
    seen = check_holes(gray, plane, board)
    off = np.linalg.norm(seen.shift, axis=1)
    is_there = (seen.score > HOLE_SCORE) & (off < NEAR_PITCHES)
    return float(is_there.mean()) > HOLE_SHARE and not _is_seen_by_one(
        plane, board, (gray.shape[1], gray.shape[0])
    )


def _is_seen_by_one(plane: Plane, board: BoardFile, size_px: tuple[int, int]) -> bool:
    """Whether a single camera sees the holes where the plane has them."""
    points_mm = hole_points_mm(board)
    seen_px = plane.project(points_mm)
    for width_focal, radial in LENSES:
        for start in from_points(points_mm, seen_px, size_px, width_focal * size_px[0], radial):
            pose = fit(start, points_mm, seen_px, 1.0)
            off_px = np.linalg.norm(pose.project(points_mm) - seen_px, axis=1)
            pitch_px = board.pitch_mm * float(np.median(pose.scale(points_mm)))
            if float(np.sqrt((off_px**2).mean())) < ONE_CAMERA_PITCHES * pitch_px:
                return True
    return False
