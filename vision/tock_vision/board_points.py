"""The holes of a board as points: where they are, how far apart, and where there are none."""

from functools import lru_cache

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats


@lru_cache(maxsize=64)
def hole_points_mm(board: BoardFile) -> Floats:
    """Return the holes of a board in the order of its file (shape: [n, 2])."""
    return np.array([[hole.x_mm, hole.y_mm] for hole in board.holes])


@lru_cache(maxsize=64)
def spacing_mm(board: BoardFile) -> Floats:
    """Return the distance of every hole to its nearest neighbour (shape: [n])."""
    points = hole_points_mm(board)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    nearest: Floats = gaps.min(axis=1)
    return nearest


@lru_cache(maxsize=64)
def bare_points_mm(board: BoardFile) -> Floats:
    """Return places next to holes, in the directions of their rows and across, where the board has no hole."""
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
