"""Fits a pose that is right but for a part of the pitch to the holes as the network of discovery sees them.

Round marks are not always holes: a lamp from one side moves the round part of all bowls alike, and heads of pawns lie
beside their holes. The network learned where the holes are.
"""

from dataclasses import replace

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Gray, Singles, on_grid
from tock_vision.board_points import hole_points_mm, spacing_mm
from tock_vision.camera_pose import CameraPose, fit, unproject
from tock_vision.holeness import holeness
from tock_vision.registration.pattern import PLACE_STEP_PX, Straight, match, straighten
from tock_vision.registration.results import LOOSE_COVARIANCE, Registration

GATES_PITCHES = (0.45, 0.35, 0.3, 0.3)
"""How far from its place a hole is searched for in each round."""
SEEN_SIGMA_PITCHES = 0.05
MIN_MATCHED_SHARE, MAX_MISS_PITCHES = 0.3, 0.1
"""Share of the holes that must be seen, and how far off half of them may be, for the fit to be believed."""
SOFTENED_FROM, SOFT_SHARE = 1.5, 0.4
"""Pixels of the frame for each of the straightened picture from which it is softened, as in training; sigma in such."""


def seated(gray: Gray, found: Registration, board: BoardFile) -> Registration:
    """The same registration, its pose fitted to the holes."""
    return replace(found, pose=fit_to_holes(gray, found.pose, board))


def fit_to_holes(gray: Gray, pose: CameraPose, board: BoardFile) -> CameraPose:
    """The pose that puts the holes where the network sees them; the given one where that cannot be believed."""
    points, gaps = hole_points_mm(board), spacing_mm(board)
    straight, answer = _answer(gray, pose, board)
    start = replace(pose, covariance=LOOSE_COVARIANCE)
    better, expected = start, straight.to_px(points)
    for gate in GATES_PITCHES:
        found, at = match(answer, expected, gate * gaps * straight.scale)
        if found.mean() < MIN_MATCHED_SHARE:
            return pose
        seen_px = pose.project(straight.to_mm(on_grid(at[found], PLACE_STEP_PX)))
        sigma = np.maximum(SEEN_SIGMA_PITCHES * gaps[found] * pose.scale(points[found]), 0.5)
        better = fit(better, points[found], seen_px, sigma, prior=start)
        expected = straight.to_px(unproject(pose, better.project(points)))
    off = np.linalg.norm(better.project(points[found]) - seen_px, axis=1)
    pitch_px = board.pitch_mm * float(np.median(better.scale(points)))
    return better if float(np.median(off)) < MAX_MISS_PITCHES * pitch_px else pose


def _answer(gray: Gray, pose: CameraPose, board: BoardFile) -> tuple[Straight, Singles]:
    """The board straightened, and the chance of a hole's middle at each of its pixels."""
    straight = straighten(gray, pose, board)
    shrink = float(np.median(pose.scale(hole_points_mm(board)))) / straight.scale
    if shrink > SOFTENED_FROM:
        straight = straighten(cv2.GaussianBlur(gray, (0, 0), SOFT_SHARE * shrink), pose, board)
    answer = holeness(straight.gray)
    answer[~straight.inside] = 0
    return straight, answer
