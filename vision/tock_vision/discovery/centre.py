"""Whether a board has a hole in the middle: letters are printed there as well, and cards lie there."""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from tock_vision.arrays import Floats, Gray, sample
from tock_vision.camera_pose import CameraPose

HALF_PITCHES, SIDE = 0.55, 15
LEAST_CHANCE, LEAST_LIKENESS = 0.35, 0.55
PLAINEST = 0.45
"""What varies less than this, relative to holes, is bare board."""


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
    likeness, contrast = compare(gray, pose, track)
    if chance > LEAST_CHANCE and likeness > LEAST_LIKENESS:
        return Centre.HOLE
    return Centre.BARE if contrast < PLAINEST else Centre.UNKNOWN


def compare(gray: Gray, pose: CameraPose, track: Floats) -> tuple[float, float]:
    """How much the middle looks like the usual hole (a correlation), and its contrast relative to that of holes."""
    steps = np.linspace(-HALF_PITCHES, HALF_PITCHES, SIDE)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    places = np.vstack([track, np.zeros((1, 2))])[:, None] + grid
    at = pose.project(places.reshape(-1, 2)).reshape(len(places), SIDE * SIDE, 2)
    looks = sample(gray, at.astype(np.float32)).astype(float)
    spread = looks.std(axis=1)
    even = (looks - looks.mean(axis=1, keepdims=True)) / np.maximum(spread, 1e-6)[:, None]
    usual = np.median(even[:-1], axis=0)
    usual = (usual - usual.mean()) / max(float(usual.std()), 1e-6)
    return float((usual * even[-1]).mean()), float(spread[-1] / max(float(np.median(spread[:-1])), 1e-6))
