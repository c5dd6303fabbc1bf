"""A photograph straightened by a view found in it, and where holes are likely."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_vision.arrays import Bools, Floats, Gray, Singles, sample
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.edges import summits
from tock_vision.discovery.holeness import holeness

PITCH_PX = 16
"""Pixels from one hole to the next in the straightened picture."""
LARGEST_SIDE_PITCHES = 44.0
LEAST_CHANCE = 0.15


@dataclass(frozen=True)
class Flat:
    """The plane of the board as if seen from straight above: `px = (place - origin) * PITCH_PX`, places in pitches."""

    gray: Singles
    origin: Floats
    inside: Bools
    """Which pixels lie in the photograph."""
    answer: Singles
    """Chance of a hole's middle at each pixel."""

    def to_px(self, places: Floats) -> Floats:
        """Convert places on the plane to pixels."""
        return (places - self.origin) * PITCH_PX

    def to_plane(self, places_px: Floats) -> Floats:
        """Convert pixels to places on the plane."""
        return places_px / PITCH_PX + self.origin

    def spots(self) -> tuple[Floats, Floats]:
        """What may be holes: their places (shape: [n, 2]) and how likely they are."""
        x, y, height = summits(self.answer, LEAST_CHANCE)
        return self.to_plane(np.column_stack([x, y])), height


def in_pitches(pose: CameraPose, step: float, origin: Floats) -> CameraPose:
    """The same pose for a plane whose unit is `step` and whose origin lies at `origin` (in old units)."""
    params = pose.params.copy()
    at = np.array([*origin, 0.0])
    params[3:6] = (cv2.Rodrigues(params[:3])[0] @ at + params[3:6]) / step
    return replace(pose, params=params, covariance=None)


def flatten(gray: Gray, pose: CameraPose, low: Floats, high: Floats) -> Flat:
    """Straighten what lies between two corners on the plane (places in pitches, as the pose has them)."""
    low, high = (
        np.maximum(low, (low + high - LARGEST_SIDE_PITCHES) / 2),
        np.minimum(high, (low + high + LARGEST_SIDE_PITCHES) / 2),
    )
    width, height = (round(float(side)) for side in (high - low) * PITCH_PX)
    step = 8
    xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    grid = np.stack([xs, ys], axis=-1).reshape(-1, 2) / PITCH_PX + low
    coarse = pose.project(grid).astype(np.float32).reshape(*xs.shape, 2)
    matrix = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float32)
    fine = cv2.warpAffine(coarse, matrix, (width, height), flags=cv2.INTER_LINEAR)
    far = np.array([gray.shape[1], gray.shape[0]]) - 2
    inside = np.asarray((fine > 1).all(axis=2) & (fine < far).all(axis=2))
    flat = sample(gray, fine).astype(np.float32)
    return Flat(flat, low, inside, holeness(flat, PITCH_PX) * inside)
