"""Photographs straightened by a view found in them, with the chance of a hole at each pixel.

Constants set in `acab70c3`; MIN_CHANCE in `4c76c3e3`; MAX_SIDE_PITCHES in `88d4c84f`.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_vision.arrays import Bools, Floats, Singles, sample
from tock_vision.camera_pose import CameraPose, rotation_matrix, rotation_vector, unproject
from tock_vision.discovery.candidates import likeliest
from tock_vision.discovery.color_channels import Shades, holes_in, usual_gray
from tock_vision.discovery.roundness import summits
from tock_vision.holeness import PITCH_PX

MAX_SIDE_PITCHES = 62.0
MIN_CHANCE = 0.15
MIN_SOFTENED, SOFT_SHARE, FEW = 1.5, 0.4, 16
"""Pixels of a photograph for each of the straightened picture from which it is softened; sigma in such pixels; of how
many pixels one is measured."""


@dataclass(frozen=True)
class Flat:
    """The plane of the board as if seen from straight above: `px = (place - origin) * PITCH_PX`, places in pitches."""

    gray: Singles
    origin: Floats
    inside: Bools
    """Mask of the pixels that lie in the photograph."""
    answer: Singles
    """Chance of a hole's middle at each pixel."""

    def to_px(self, places: Floats) -> Floats:
        """Convert places on the plane to pixels."""
        return (places - self.origin) * PITCH_PX

    def to_plane(self, places_px: Floats) -> Floats:
        """Convert pixels to places on the plane."""
        return places_px / PITCH_PX + self.origin

    def spots(self) -> tuple[Floats, Floats]:
        """Places that may be holes (shape: [n, 2]) and how likely each is."""
        x, y, height = summits(self.answer, MIN_CHANCE)
        return self.to_plane(np.column_stack([x, y])), height

    def spots_clear(self) -> Floats:
        """Places about as likely as a usual hole (shape: [n, 2])."""
        places, chances = self.spots()
        return np.asarray(places[likeliest(chances)])


def in_pitches(pose: CameraPose, step: float, origin: Floats) -> CameraPose:
    """The same pose for a plane whose unit is `step` and whose origin lies at `origin` (in old units)."""
    params = pose.params.copy()
    at = np.array([*origin, 0.0])
    params[3:6] = (cv2.Rodrigues(params[:3])[0] @ at + params[3:6]) / step
    return replace(pose, params=params, covariance=None)


def turned(pose: CameraPose, angle: float) -> CameraPose:
    """The same camera above a plane whose axes are turned, so that `p` becomes `p` turned by the angle."""
    spin = rotation_matrix(np.array([0.0, 0.0, -angle]))
    params = pose.params.copy()
    params[:3] = rotation_vector(rotation_matrix(params[:3]) @ spin)
    return replace(pose, params=params, covariance=None)


def flatten(shades: Shades, pose: CameraPose, low: Floats, high: Floats) -> Flat:
    """Straighten the part of a photograph between two corners on the plane, in pitches."""
    low, high = _bounded(low, high)
    at = _pixels(pose, low, high)
    flat = sample(_softened(shades, at), at).astype(np.float32)
    inside = _inside(at, shades.shape)
    return Flat(usual_gray(flat), low, inside, holes_in(flat) * inside)


def _softened(shades: Shades, at: Singles) -> Shades:
    """The photograph without details finer than the pixels of the straightened picture, as training shows it."""
    across, down = at[:-1:FEW, 1::FEW] - at[:-1:FEW, :-1:FEW], at[1::FEW, :-1:FEW] - at[:-1:FEW, :-1:FEW]
    areas = np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0])
    shrink = float(np.sqrt(np.median(areas)))
    return shades if shrink < MIN_SOFTENED else cv2.GaussianBlur(shades, (0, 0), SOFT_SHARE * shrink)


def moved(flat: Flat, pose: CameraPose, other: CameraPose, low: Floats, high: Floats) -> Flat:
    """Move a picture straightened by one pose onto the plane of another, without running the network again."""
    low, high = _bounded(low, high)
    at = _pixels(other, low, high, pose, flat)
    size = (pose.size_px[1], pose.size_px[0])
    inside = _inside(_pixels(other, low, high), size)
    answer = cv2.remap(flat.answer, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)  # type: ignore[call-overload]
    return Flat(sample(flat.gray, at), low, inside, answer * inside)


def _bounded(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    middle = (low + high) / 2
    return np.maximum(low, middle - MAX_SIDE_PITCHES / 2), np.minimum(high, middle + MAX_SIDE_PITCHES / 2)


def _pixels(
    pose: CameraPose, low: Floats, high: Floats, onto: CameraPose | None = None, flat: Flat | None = None
) -> Singles:
    """The places of a straightened picture's pixels in the photograph, or in one straightened by another pose."""
    width, height = (round(float(side)) for side in (high - low) * PITCH_PX)
    step = 8
    xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    at = pose.project(np.stack([xs, ys], axis=-1).reshape(-1, 2) / PITCH_PX + low)
    if onto is not None and flat is not None:
        at = np.nan_to_num(flat.to_px(unproject(onto, at)), nan=-1e4)
    coarse = at.astype(np.float32).reshape(*xs.shape, 2)
    matrix = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float32)
    return cv2.warpAffine(coarse, matrix, (width, height), flags=cv2.INTER_LINEAR)


def _inside(at: Singles, shape: tuple[int, ...]) -> Bools:
    far = np.array([shape[1], shape[0]]) - 2
    return np.asarray((at > 1).all(axis=2) & (at < far).all(axis=2))
