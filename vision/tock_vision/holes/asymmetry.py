"""Measures how differently a hole is seen on its sides: a bowl is alike all around, a marble with a ribbon is not.

A dark marble with a pale ribbon is much like a dark hole in a pale ring, and a network of small patches takes it for
one. The harmonics of circles around the middle tell them apart: light from one side makes the first one in a bowl, and
only a thing in it makes the higher ones. Noise and a crooked view make them too, so that it takes the clear empty
holes of the same picture to say how much is much.
"""

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats, Singles
from tock_vision.holes.patches import PATCH_PX, SPAN_PITCHES, closeness

CIRCLES = np.linspace(0.25, 0.8, 5)
"""Radii of the circles, in radii of the hole."""
MIN_RADIUS_PX = 3.0
ANGLES = 24
HARMONICS = range(2, 6)
COLOR_CHANNELS = 3


class Asymmetry:
    """Measures patches of one board."""

    def __init__(self, board: BoardFile) -> None:
        px_per_mm = PATCH_PX / SPAN_PITCHES / (board.pitch_mm * closeness(board))
        hole_mm = float(np.median([hole.d_mm for hole in board.holes]))
        self._waves = _waves(max(MIN_RADIUS_PX, hole_mm / 2 * px_per_mm))

    def of(self, patches: Singles) -> Singles:
        """Measure the higher harmonics (shape: [n, PATCH_PX, PATCH_PX, 3] to [n])."""
        pixels = np.ascontiguousarray(patches.transpose(0, 3, 1, 2)).reshape(-1, PATCH_PX * PATCH_PX)
        seen = (pixels @ self._waves).reshape(len(patches), -1)
        strength: Singles = np.sqrt((seen**2).sum(axis=1) / (COLOR_CHANNELS * len(CIRCLES)))
        return strength


def _waves(radius_px: float) -> Singles:
    """What each pixel adds to each harmonic of each circle, as cosine and as sine (shape: [pixels, waves])."""
    turn = np.arange(ANGLES) * 2 * np.pi / ANGLES
    columns: list[Floats] = []
    for circle in CIRCLES * radius_px:
        pixels = _on_circle(circle, turn).reshape(ANGLES, -1).T / ANGLES
        columns += [pixels @ wave(turn * harmonic) for harmonic in HARMONICS for wave in (np.cos, np.sin)]
    waves: Singles = np.stack(columns, axis=1).astype(np.float32)
    return waves


def _on_circle(radius_px: float, turn: Floats) -> Floats:
    """The share of each pixel in each place on a circle, between four pixels (shape: [n, PATCH_PX, PATCH_PX])."""
    last, places = PATCH_PX - 1, np.arange(len(turn))
    x, y = last / 2 + radius_px * np.cos(turn), last / 2 + radius_px * np.sin(turn)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    shares = np.zeros((len(turn), PATCH_PX, PATCH_PX))
    for down in (0, 1):
        for right in (0, 1):
            share = np.abs(1 - down - (y - top)) * np.abs(1 - right - (x - left))
            shares[places, np.minimum(top + down, last), np.minimum(left + right, last)] += share
    return shares
