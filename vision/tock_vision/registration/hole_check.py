"""Checks whether the holes are still where a view puts them, without fitting anything."""

from dataclasses import dataclass

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Floats, Gray
from tock_vision.board_points import hole_points_mm
from tock_vision.registration.pattern import PITCH_PX, View, hole_radii_px, roundness, straighten


@dataclass(frozen=True)
class HoleCheck:
    """Evidence of holes at the places where a pose puts them."""

    score: Floats
    """Roundness at every hole (shape: [n])."""
    shift: Floats
    """Offset in pitches from each place to the roundest point near it (shape: [n, 2])."""


def check_holes(gray: Gray, pose: View, board: BoardFile) -> HoleCheck:
    """Check the place of every hole; takes a few milliseconds."""
    straight = straighten(gray, pose, board)
    answer = roundness(straight, hole_radii_px(board)[:1])
    answer[~straight.inside] = 0
    reach = round(0.28 * PITCH_PX)
    px = straight.to_px(hole_points_mm(board)).round().astype(int)
    steps = np.arange(-reach, reach + 1)
    ys = np.clip(px[:, 1, None, None] + steps[None, :, None], 0, answer.shape[0] - 1)
    xs = np.clip(px[:, 0, None, None] + steps[None, None, :], 0, answer.shape[1] - 1)
    windows = answer[ys, xs].reshape(len(px), -1)
    place = windows.argmax(axis=1)
    side = len(steps)
    shift = np.stack([steps[place % side], steps[place // side]], axis=1) / PITCH_PX
    return HoleCheck(windows.max(axis=1).astype(float), shift)


def drift_pitches(board: BoardFile, shift: Floats, same: Bools) -> float:
    """Estimate how far the board has moved at most, in pitches: one shift, turn and stretch of all holes."""
    points = hole_points_mm(board) / max(board.size_mm) - 0.5
    terms = np.column_stack([points, np.ones(len(points))])
    motion = np.linalg.lstsq(terms[same], shift[same], rcond=None)[0]
    return float(np.linalg.norm(terms @ motion, axis=1).max())


def lie_all_around(board: BoardFile, same: Bools) -> bool:
    """Whether the holes found again lie in at least half of eight sectors around the middle, not in one corner."""
    points = hole_points_mm(board) - np.array(board.size_mm) / 2
    angle = np.arctan2(points[same, 1], points[same, 0])
    sectors = np.unique(((angle + np.pi) / (2 * np.pi) * 8).astype(int) % 8)
    return len(sectors) >= 4
