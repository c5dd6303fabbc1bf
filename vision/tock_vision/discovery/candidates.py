"""Spots in a photograph that look like holes, at an unknown scale and from an unknown view."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Floats, Ints
from tock_vision.discovery.edges import summits
from tock_vision.discovery.shades import Shades, holes_in
from tock_vision.holeness import PITCH_PX

SPANS_PITCHES = (27.0, 41.0, 18.0, 62.0)
"""Lengths tried for the shorter side of a photograph, likeliest first; each serves 30 % more or less too."""
MIN_CHANCE = 0.2
MAX_SPOTS = 420
USUAL = 80
"""The likeliest spots, whose median says how clearly the photograph shows holes."""
FAINT_SHARE, CLEAR_SHARE = 0.5, 0.75
"""Shares of that median below which spots are left out; checked cloth looks fainter than holes."""


@dataclass(frozen=True)
class Band:
    """Spots that may be holes of boards of about one size, the likeliest first."""

    places_px: Floats
    """Shape: [n, 2]."""
    chances: Floats
    pitch_px: float
    """Approximate distance between holes."""


def find_bands(shades: Shades) -> Iterator[Band]:
    """Find spots at one size of the photograph after the other."""
    for span in SPANS_PITCHES:
        yield _find_band(shades, span)


def find_band_of(shades: Shades, pitch_px: float) -> Band:
    """Find spots of boards whose holes lie about so far apart."""
    span = min(shades.shape[:2]) / pitch_px
    return _find_band(shades, min(SPANS_PITCHES, key=lambda one: abs(float(np.log(one / span)))))


def _find_band(shades: Shades, span: float) -> Band:
    factor = PITCH_PX * span / min(shades.shape[:2])
    size = (round(shades.shape[1] * factor), round(shades.shape[0] * factor))
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = cv2.resize(shades, size, interpolation=way).astype(np.float32)
    x, y, height = summits(holes_in(small), MIN_CHANCE)
    order = likeliest(height)
    # Pixels are squares: their middles move when the picture shrinks.
    places = (np.column_stack([x, y])[order] + 0.5) / factor - 0.5
    return Band(places, height[order], PITCH_PX / factor)


def likeliest(chances: Floats, share: float = FAINT_SHARE) -> Ints:
    """Indices of the spots at least `share` times as likely as a usual hole, the likeliest first."""
    order = np.argsort(-chances, kind="stable")[:MAX_SPOTS]
    usual = float(np.median(chances[order[:USUAL]])) if len(order) else 0.0
    some: Ints = order[chances[order] > share * usual]
    return some
