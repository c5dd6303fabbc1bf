"""Whether a board has a hole in the middle: letters are printed there as well, and cards lie there."""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from tock_vision.arrays import Floats, Gray, sample
from tock_vision.camera_pose import CameraPose

HALF_PITCHES, SIDE = 0.55, 15
LEAST_CHANCE, LEAST_LIKENESS = 0.35, 0.45
PLAINEST = 0.45
"""What varies less than this, relative to holes, is bare board or the back of a card."""
SAME_SHADE = 0.25
"""The middle is board where its brightness is that of the board at the nearest holes, but for this share."""
NEAREST_HOLES = 16


class Centre(Enum):
    """What the middle of a board shows."""

    HOLE = "hole"
    BARE = "bare"
    UNKNOWN = "unknown"


def look_at_centre(views: Sequence[tuple[Gray, CameraPose]], track: Floats, chance: float) -> Centre:
    """Compare the middle with the holes of the track (shape: [n, 2], pitches); one clear photograph is enough."""
    seen = [_look(gray, pose, track, chance) for gray, pose in views]
    for answer in (Centre.HOLE, Centre.BARE):
        if answer in seen:
            return answer
    return Centre.UNKNOWN


def _look(gray: Gray, pose: CameraPose, track: Floats, chance: float) -> Centre:
    likeness, contrast, shade = compare(gray, pose, track)
    if chance > LEAST_CHANCE and likeness > LEAST_LIKENESS:
        return Centre.HOLE
    is_bare = contrast < PLAINEST and abs(shade - 1) < SAME_SHADE
    return Centre.BARE if is_bare else Centre.UNKNOWN


def compare(gray: Gray, pose: CameraPose, track: Floats) -> tuple[float, float, float]:
    """How much the middle looks like the usual hole (a correlation), and its contrast and brightness.

    Contrast is relative to that of holes, brightness to that of the board beside the nearest ones.
    """
    steps = np.linspace(-HALF_PITCHES, HALF_PITCHES, SIDE)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    places = np.vstack([track, np.zeros((1, 2))])[:, None] + grid
    at = pose.project(places.reshape(-1, 2)).reshape(len(places), SIDE * SIDE, 2)
    looks = sample(gray, at.astype(np.float32)).astype(float)
    spread = looks.std(axis=1)
    even = (looks - looks.mean(axis=1, keepdims=True)) / np.maximum(spread, 1e-6)[:, None]
    usual = np.median(even[:-1], axis=0)
    usual = (usual - usual.mean()) / max(float(usual.std()), 1e-6)
    corners = np.linalg.norm(grid[0], axis=1) > HALF_PITCHES
    near = np.argsort(np.linalg.norm(track, axis=1))[:NEAREST_HOLES]
    board = max(float(np.median(looks[near][:, corners])), 1.0)
    contrast = float(spread[-1] / max(float(np.median(spread[:-1])), 1e-6))
    return float((usual * even[-1]).mean()), contrast, float(looks[-1].mean()) / board
