"""The result of searching for a board: a registration that fits well enough to be believed, or a refusal."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.registration.pattern import Refined

Orientation = Literal["sure", "guessed"]
MIN_SCORE = 0.47
"""Roundness at the holes below which a pattern is not believed."""
MIN_PATTERN_SCORE = 0.5
"""The same for a board found by its pattern alone."""
PATTERN_WORST_RMS_PITCHES = 0.052
"""A pattern that is one hole off, or another board's, fits worse than this."""
MIN_MATCHED_SHARE = 0.3
"""Share of the holes that must be matched; another board reaches a fifth."""
WORST_RMS_PITCHES = 0.14
"""A larger residual means that the pose is wrong."""
MAX_BESIDE_SHARE = 0.7
"""Roundness beside the holes, relative to the holes, above which this is a pattern that goes on, not a board.

On 25 sample stills the largest was 0.49, the median 0.31.
"""
MIN_GROUP_ROUNDNESS = 0.64
"""Roundness of camps or homes, relative to the track, below which they are not where the board file says.

In 190 ray-traced pictures, clutter and all, the lowest was 0.65. With camps or homes moved in the file by 0.4 to 2.2
pitches 317 of 360 are lower, of those moved by a pitch or more 58 of 61.
"""
LOOSE_COVARIANCE = np.diag(np.array([0.004, 0.004, 0.004, 1.5, 1.5, 4.0, 0.004, 0.004]) ** 2)
"""Covariance of a pose that may have moved by a few pixels."""


@dataclass(frozen=True)
class Registration:
    """The place of the board in a frame."""

    pose: CameraPose
    rms_px: float
    score: float
    method: Literal["markers", "touch", "stored", "pattern"]
    orientation: Orientation
    markers: int = 0


@dataclass(frozen=True)
class Refusal:
    """Why there is no registration: a stable code and one sentence."""

    code: str
    sentence: str


def accept(
    refined: Refined,
    board: BoardFile,
    method: Literal["markers", "touch", "stored", "pattern"],
    orientation: Orientation,
    least_score: float = MIN_SCORE,
    markers: int = 0,
    least_group: float = MIN_GROUP_ROUNDNESS,
    *,
    is_part: bool = False,
) -> Registration | None:
    """Turn a fit into a registration if it is good enough to be believed; None otherwise.

    The pattern may go on beside a part of a board.
    """
    goes_on = method != "markers" and not is_part and refined.beside > MAX_BESIDE_SHARE * refined.score
    pitch_px = board.pitch_mm * float(np.median(refined.pose.scale(hole_points_mm(board))))
    if (
        refined.score < least_score
        or refined.matched < MIN_MATCHED_SHARE
        or refined.rms_px > max(WORST_RMS_PITCHES * pitch_px, 1.5)
        or goes_on
        or refined.weakest < least_group
    ):
        return None
    return Registration(refined.pose, refined.rms_px, refined.score, method, orientation, markers)


def accept_pattern(refined: Refined, board: BoardFile) -> Registration | None:
    """The same with the limits for a pattern found without any hint: it must not be mistaken for another one."""
    found = accept(refined, board, "pattern", "guessed", MIN_PATTERN_SCORE)
    pitch_px = board.pitch_mm * float(np.median(refined.pose.scale(hole_points_mm(board))))
    return found if found is not None and found.rms_px < PATTERN_WORST_RMS_PITCHES * pitch_px else None
