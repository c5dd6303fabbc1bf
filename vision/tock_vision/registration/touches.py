"""Finding the board by rough touches on four or more holes in the picture."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_rules import Hole
from tock_vision.arrays import Floats, Gray
from tock_vision.camera_pose import CameraPose, fit, from_points
from tock_vision.registration.pattern import (
    Anchors,
    Refined,
    refine,
)
from tock_vision.registration.results import Refusal, Registration, accept
from tock_vision.registration.search import refine_until_tight, search_around

Touches = Mapping[Hole, tuple[float, float]]
"""Places in the frame, in pixels, by the ids of the holes touched there."""
LENSES = ((1.0, 0.0), (0.78, 0.0), (0.6, -0.12), (0.47, -0.16))
TOUCH_SIGMA_PITCHES = 0.35
"""Error of a finger on a hole, as one sigma."""
MIN_TOUCHES = 4
NO_FIT_TOUCH = Refusal(
    "camera/no_board", "the holes do not fit the places touched; touch the middle of the holes named"
)


def register_by_touches(
    gray: Gray, board: BoardFile, touches: Touches, *, is_part: bool = False
) -> Registration | Refusal:
    """Find the board from rough pixel places of four or more holes; BadInputError for unusable touches.

    With `is_part` there may be holes beside those of the board.
    """
    check_touches(board, touches)
    points_mm = _touched_mm(board, touches)
    points_px = np.array([list(place) for place in touches.values()], dtype=float)
    size_px = (gray.shape[1], gray.shape[0])
    best: Refined | None = None
    for start in _starts(points_mm, points_px, size_px, board):
        rough, _ = search_around(gray, start, board, TOUCH_SIGMA_PITCHES)
        refined = refine(gray, rough, board, _anchors(points_mm, points_px, rough, board))
        if refined is not None and (best is None or refined.score > best.score):
            best = refined
    found = (
        accept(refine_until_tight(gray, board, best), board, "touch", "sure", is_part=is_part)
        if best is not None
        else None
    )
    return found or NO_FIT_TOUCH


def scaled(touches: Touches, factor: float) -> Touches:
    """The same places in a frame whose sides are `factor` times as long."""
    return {hole: ((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for hole, (x, y) in touches.items()}


def check_touches(board: BoardFile, touches: Touches) -> None:
    """Raise BadInputError when touches are too few, of unknown holes, or too close together."""
    for hole_id in touches:
        if hole_id not in board.by_id:
            raise BadInputError(f"touch '{hole_id}': the board has no such hole; use ids of its board file")
    if len(touches) < MIN_TOUCHES:
        raise BadInputError(
            f"{len(touches)} touches are too few; touch at least four holes far from each other"
        )
    area = cv2.contourArea(cv2.convexHull(_touched_mm(board, touches).astype(np.float32)))
    if area < 0.1 * board.size_mm[0] * board.size_mm[1]:
        raise BadInputError("the touched holes lie too close together; touch holes on all sides of the board")


def _touched_mm(board: BoardFile, touches: Touches) -> Floats:
    return np.array([[board.hole(name).x_mm, board.hole(name).y_mm] for name in touches])


def _starts(
    points_mm: Floats, points_px: Floats, size_px: tuple[int, int], board: BoardFile
) -> Sequence[CameraPose]:
    """At most three poses that put the touched holes about where they were touched, the closest first."""
    poses: list[tuple[float, CameraPose]] = []
    for focal, radial in LENSES:
        for start in from_points(points_mm, points_px, size_px, focal * size_px[0], radial):
            sigma = TOUCH_SIGMA_PITCHES * board.pitch_mm * float(np.median(start.scale(points_mm)))
            pose = fit(start, points_mm, points_px, sigma)
            off = np.linalg.norm(pose.project(points_mm) - points_px, axis=1) / sigma
            poses.append((float((off**2).sum()), pose))
    poses.sort(key=lambda pair: pair[0])
    kept: list[CameraPose] = []
    for cost, pose in poses:
        focal = pose.params[6]
        # Four touches hardly tell a wide lens nearby from a narrow one far off: every focal length that fits is tried.
        if cost < poses[0][0] + 4.0 and all(abs(focal - other.params[6]) > 0.15 for other in kept):
            kept.append(pose)
    return kept[:3]


def _anchors(points_mm: Floats, points_px: Floats, pose: CameraPose, board: BoardFile) -> Anchors:
    sigma = TOUCH_SIGMA_PITCHES * board.pitch_mm * pose.scale(points_mm)
    return Anchors(points_mm, points_px, sigma)
