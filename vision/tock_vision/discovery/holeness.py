"""How much a straightened picture looks like a hole, pixel by pixel: a small network on rings of brightness."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tock_vision.arrays import Singles
from tock_vision.discovery.edges import edges, moved

WEIGHTS = Path(__file__).parent.parent / "data" / "holeness.npz"
RADII_PITCHES = (0.1, 0.15, 0.21, 0.29, 0.38, 0.48)
PAIRS = 4
REDUCED = 2
"""Features are taken at every second pixel: a hole is several pixels wide."""


@dataclass(frozen=True)
class Network:
    """Layers of a fully connected network: weights (shape: [in, out]) and offsets."""

    weights: tuple[Singles, ...]
    offsets: tuple[Singles, ...]

    def __call__(self, features: Singles) -> Singles:
        """Chance that each row of features (shape: [n, features]) is the middle of a hole."""
        values = features
        for number, (weight, offset) in enumerate(zip(self.weights, self.offsets, strict=True)):
            values = values @ weight + offset
            if number + 1 < len(self.weights):
                np.maximum(values, 0.0, out=values)
        chance: Singles = 1 / (1 + np.exp(-values[:, 0]))
        return chance


@cache
def network() -> Network:
    """The network of the package."""
    with np.load(WEIGHTS) as data:
        layers = len(data.files) // 2
        return Network(
            tuple(data[f"weight{number}"] for number in range(layers)),
            tuple(data[f"offset{number}"] for number in range(layers)),
        )


def holeness(gray: Singles, pitch_px: float, judge: Network | None = None) -> Singles:
    """Chance of a hole's middle at each pixel of a straightened picture."""
    rows = features(gray, pitch_px)
    height, width = rows.shape[:2]
    chance = (judge or network())(rows.reshape(-1, rows.shape[2])).reshape(height, width)
    out: Singles = cv2.resize(chance, (gray.shape[1], gray.shape[0]), interpolation=cv2.INTER_CUBIC)
    return out


def features(gray: Singles, pitch_px: float) -> Singles:
    """What rings around each second pixel look like (shape: [rows, columns, features]); no turn changes it."""
    dx, dy = edges(gray)
    local = cv2.GaussianBlur(gray, (0, 0), 0.9 * pitch_px)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur((gray - local) ** 2, (0, 0), 0.9 * pitch_px), 9.0))
    relative = (gray - local) / spread
    planes = [_small(cv2.GaussianBlur(relative, (0, 0), 0.06 * pitch_px))]
    step = pitch_px / REDUCED
    for radius in RADII_PITCHES:
        sigma = 0.25 * radius * pitch_px
        soft_x, soft_y = (_small(cv2.GaussianBlur(part, (0, 0), sigma)) for part in (dx, dy))
        shade = _small(cv2.GaussianBlur(relative, (0, 0), max(0.8, 0.6 * sigma)))
        planes += _ring_features(soft_x, soft_y, shade, radius * step)
    stack: Singles = np.stack(planes, axis=2)
    return stack


def _small(picture: Singles) -> Singles:
    return cv2.resize(picture, None, fx=1 / REDUCED, fy=1 / REDUCED, interpolation=cv2.INTER_AREA)


def _ring_features(soft_x: Singles, soft_y: Singles, shade: Singles, radius_px: float) -> list[Singles]:
    dark, bright, sides = [], [], []
    for number in range(PAIRS):
        angle = np.pi * number / PAIRS
        right, down = float(np.cos(angle)), float(np.sin(angle))
        along = soft_x * right + soft_y * down
        ahead, behind = (moved(along, sign * radius_px * right, sign * radius_px * down) for sign in (1, -1))
        dark.append(np.minimum(ahead, -behind))
        bright.append(np.minimum(-ahead, behind))
        sides += [moved(shade, sign * radius_px * right, sign * radius_px * down) for sign in (1, -1)]
    ring = np.stack(sides)
    mean = ring.mean(axis=0)
    return [
        *np.sort(np.stack(dark), axis=0)[[0, 1, 3]],
        *np.sort(np.stack(bright), axis=0)[[0, 1, 3]],
        mean,
        ring.std(axis=0),
    ]
