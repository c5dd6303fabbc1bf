"""Spots in a photograph that look like holes, at an unknown scale and from an unknown view."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Floats, Gray, Ints, Singles
from tock_vision.discovery.edges import summits
from tock_vision.discovery.shades import Shades, holes_in, usual_gray
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


class Bands:
    """The spots of a photograph at each size; a size is searched once, when it is first asked for."""

    def __init__(self, shades: Shades, in_gray: "Bands | None" = None) -> None:
        self.shades = shades
        self._in_gray = in_gray
        self._found: dict[float, Band] = {}
        self._chances: dict[float, Singles] = {}

    @property
    def in_gray(self) -> "Bands":
        """The spots of the same photograph in its usual grey alone."""
        return self if self._in_gray is None else self._in_gray

    @property
    def gray(self) -> Gray:
        """The photograph in its usual grey."""
        return usual_gray(self.in_gray.shades)

    def __iter__(self) -> Iterator[Band]:
        """Yield the spots at one size after the other, the likeliest size first."""
        return (self._at(span) for span in SPANS_PITCHES)

    def near(self, pitch_px: float) -> Band:
        """The spots of boards whose holes lie about so far apart."""
        span = min(self.shades.shape[:2]) / pitch_px
        return self._at(min(SPANS_PITCHES, key=lambda one: abs(float(np.log(one / span)))))

    def _at(self, span: float) -> Band:
        if span not in self._found:
            self._found[span] = self._find(span)
        return self._found[span]

    def _find(self, span: float) -> Band:
        x, y, height = summits(self._chances_at(span), MIN_CHANCE)
        order = likeliest(height)
        factor = self._factor(span)
        # Pixels are squares: their middles move when the picture shrinks.
        places = (np.column_stack([x, y])[order] + 0.5) / factor - 0.5
        return Band(places, height[order], PITCH_PX / factor)

    def _chances_at(self, span: float) -> Singles:
        if span not in self._chances:
            factor = self._factor(span)
            size = (round(self.shades.shape[1] * factor), round(self.shades.shape[0] * factor))
            way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
            small = cv2.resize(self.shades, size, interpolation=way).astype(np.float32)
            known = None if self._in_gray is None else self._in_gray._chances_at(span)
            self._chances[span] = holes_in(small, known)
        return self._chances[span]

    def _factor(self, span: float) -> float:
        """Pixels of the picture that the network sees for each of the photograph."""
        side: int = min(self.shades.shape[:2])
        return PITCH_PX * span / side


def likeliest(chances: Floats, share: float = FAINT_SHARE) -> Ints:
    """Indices of the spots at least `share` times as likely as a usual hole, the likeliest first."""
    order = np.argsort(-chances, kind="stable")[:MAX_SPOTS]
    usual = float(np.median(chances[order[:USUAL]])) if len(order) else 0.0
    some: Ints = order[chances[order] > share * usual]
    return some
