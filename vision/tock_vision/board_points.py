"""The holes of a board as points: their places, their spacing, and bare places beside them."""

from functools import lru_cache

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats


@lru_cache(maxsize=64)
def hole_points_mm(board: BoardFile) -> Floats:
    """Centres of the holes in the order of the board file (shape: [n, 2])."""
    return np.array([[hole.x_mm, hole.y_mm] for hole in board.holes])


@lru_cache(maxsize=64)
def spacing_mm(board: BoardFile) -> Floats:
    """Distance from every hole to its nearest neighbour (shape: [n])."""
    points = hole_points_mm(board)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    nearest: Floats = gaps.min(axis=1)
    return nearest


@lru_cache(maxsize=64)
def bare_points_mm(board: BoardFile) -> Floats:
    """Places without a hole next to holes, along their rows and across (shape: [n, 2])."""
    points, gaps = hole_points_mm(board), spacing_mm(board)
    between = points[None] - points[:, None]
    far = np.linalg.norm(between, axis=2)
    near = (far > 0) & (far < 1.25 * gaps[:, None])
    first, second = np.nonzero(near)
    step = between[first, second]
    across = np.stack([-step[:, 1], step[:, 0]], axis=1)
    spots = np.concatenate([points[first] + way for way in (-step, across, -across)])
    clear = np.linalg.norm(spots[:, None] - points[None], axis=2).min(axis=1) > 0.8 * board.pitch_mm
    kept: Floats = np.unique((spots[clear] / 2).round(), axis=0) * 2
    return kept
