"""Refers the colours of a picture to known ones: this board's wood and its empty holes.

A camera that becomes brighter, redder or bluer changes all of them alike. By how much they differ from how they were
learned is what every pawn's colour differs by, too.
"""

import numpy as np

from tock_vision.arrays import Bools, Singles
from tock_vision.holes.patches import MARKS_PER_SIDE, PATCH_PX

SAMPLED = np.s_[:, ::2, ::2]
"""Of the samples around a hole every fourth one is compared: enough, at a quarter of the time."""
DARKEST, BRIGHTEST = 12.0, 242.0
"""Grey levels between which a sensor's answer grows with the light."""
MIN_SAMPLES = 60
ALIKE = 0.12
"""Samples that differ from the median by less than this part show the same thing as before."""
MIN_SHARE_ALIKE = 0.35
"""With fewer of them something covers the board, and the factors of the last picture stand."""
MAX_GAIN = 2.0
"""Largest factor, either way."""
USUAL_LEVEL = 110.0
"""Grey level of the light where only colours relative to it were kept."""


def compared(samples: Singles) -> Singles:
    """The samples that are compared, of all around each hole (shape: [holes, 9, 3])."""
    return samples[SAMPLED].reshape(len(samples), -1, 3)


def samples_of_patches(patches: Singles) -> Singles:
    """Samples that `marks` would take of patches, wider by a third than the samples are (shape: [holes, 9, 3])."""
    side = PATCH_PX * 3 // 4 // MARKS_PER_SIDE
    edge = (PATCH_PX - side * MARKS_PER_SIDE) // 2
    inner = patches[:, edge : PATCH_PX - edge, edge : PATCH_PX - edge]
    blocks = inner.reshape(-1, MARKS_PER_SIDE, side, MARKS_PER_SIDE, side, 3)
    return compared(blocks.mean(axis=(2, 4), dtype=np.float32))


class LightReference:
    """The look of the holes and the wood around them in the light of the calibration, or of the first picture."""

    def __init__(self, reference: Singles | None = None) -> None:
        """Take the reference over (shape: [holes, 9, 3], relative to the light around); None for the first picture."""
        self._logs = None if reference is None else _logs(reference)
        self._gains: Singles = np.ones(3, dtype=np.float32)

    def gains(self, seen: Singles, levels: Singles) -> Singles:
        """Factors (B, G, R) from the colours of now to those of the reference.

        `seen` is relative to the `levels` of light around the holes (shapes: [holes, 9, 3], [holes]). Where too much
        has changed, the factors of the last picture are given again.
        """
        if self._logs is None:
            self._logs = _logs(seen)
            return self._gains
        raw = seen * levels[:, None, None]
        usable = (raw > DARKEST) & (raw < BRIGHTEST)
        off = self._logs - _logs(seen)
        gains = [_shift(off[..., channel], usable[..., channel]) for channel in range(3)]
        if None not in gains:
            self._gains = np.exp(np.array(gains, dtype=np.float32))
        return self._gains


def referred_colors(colors: Singles, before: Singles, after: Singles) -> Singles:
    """Colour features learned beside one look of the empty board, as they would be beside another (shape: [n, 4])."""
    usual = np.full(len(before), USUAL_LEVEL, dtype=np.float32)
    gains = LightReference(samples_of_patches(after)).gains(samples_of_patches(before), usual)
    mean = np.exp(colors[:, :3] + colors[:, 3:]) * gains
    bright = mean.mean(axis=1, keepdims=True)
    return np.concatenate([np.log(mean) - np.log(bright), np.log(bright)], axis=1).astype(np.float32)


def _logs(samples: Singles) -> Singles:
    return np.log(np.maximum(samples, 0.02))


def _shift(off: Singles, usable: Bools) -> float | None:
    """The shift that most samples share; None where they share none."""
    values = off[usable]
    if len(values) < MIN_SAMPLES:
        return None
    middle = float(np.median(values))
    alike = np.abs(values - middle) < ALIKE
    if alike.mean() < MIN_SHARE_ALIKE or abs(middle) > np.log(MAX_GAIN):
        return None
    return float(values[alike].mean())
