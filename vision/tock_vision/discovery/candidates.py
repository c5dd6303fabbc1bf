"""Spots in a photograph that look like holes, at an unknown scale and from an unknown view.

Constants set in `88d4c84f`; MAX_SPOTS in `a551ac48`; CLEAR_SHARE in `267b8779`; MORE_SEEN, PROBED_SPAN in `fcdc20ce`;
SURELY_HOLES in `6af95672`; MAYBE_HOLES in `1c902529`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Floats, Gray, Ints, Singles
from tock_vision.discovery.color_channels import Shades, holes_in, usual_gray
from tock_vision.discovery.roundness import summits
from tock_vision.holeness import PITCH_PX

SPANS_PITCHES = (27.0, 41.0, 18.0, 62.0)
"""Lengths tried for the shorter side of a photograph, likeliest first; each serves 30 % more or less too."""
PROBED_SPAN, MORE_SEEN = 41.0, 1.15
"""Size at which two ways of seeing a photograph are compared, and by how much the better one must show more.

By their colours the four boards that are found by them alone show 1.23 to 1.54 times as much as in grey, other games
of which holes are as clear in grey 1.00 to 1.12 times."""
MIN_CHANCE = 0.2
MAX_SPOTS = 420
USUAL = 80
"""The likeliest spots, whose median says how clearly the photograph shows holes."""
SURELY_HOLES, MAYBE_HOLES = 0.85, 0.77
"""The usual chance from which spots are holes of something: boards and drawn games have 0.9 and more at one of the
sizes, cards, noise and boards out of focus 0.5 to 0.87; and that from which they may be: boards that are found by their
colours alone have 0.83 and more in them."""
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

    @property
    def usual(self) -> float:
        """The chance of a usual spot; 0 without any."""
        return _usual(self.chances)


class Bands:
    """The spots of a photograph at each size; a size is searched once, when it is first asked for."""

    def __init__(self, shades: Shades, greys: "Sequence[Bands]" = ()) -> None:
        self.shades = shades
        self._parts = greys
        self._found: dict[float, Band] = {}
        self._chances: dict[float, Singles] = {}

    @classmethod
    def together(cls, greys: "Sequence[Bands]") -> "Bands":
        """The spots of one photograph by several greys, the usual first; what each has shown is not sought again."""
        return greys[0] if len(greys) == 1 else cls(np.dstack([one.shades for one in greys]), greys)

    @property
    def greys(self) -> "Sequence[Bands]":
        """The spots by each grey alone, the usual first."""
        return self._parts or (self,)

    @property
    def in_gray(self) -> "Bands":
        """The spots by the usual grey alone."""
        return self.greys[0]

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

    @property
    def are_clear(self) -> bool:
        """Whether a usual spot, at one of the sizes searched so far, is surely a hole."""
        return max((band.usual for band in self._found.values()), default=0.0) > SURELY_HOLES

    def shows_more_than(self, other: "Bands") -> bool:
        """Whether clearly more holes are seen, or the same more clearly."""
        mine, its = (one._at(PROBED_SPAN) for one in (self, other))
        return mine.usual > MAYBE_HOLES and float(mine.chances.sum()) > MORE_SEEN * float(its.chances.sum())

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
        if self._parts:
            best: Singles = np.max([one._chances_at(span) for one in self._parts], axis=0)
            return best
        if span not in self._chances:
            factor = self._factor(span)
            size = (round(self.shades.shape[1] * factor), round(self.shades.shape[0] * factor))
            way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
            self._chances[span] = holes_in(
                cv2.resize(self.shades, size, interpolation=way).astype(np.float32)
            )
        return self._chances[span]

    def _factor(self, span: float) -> float:
        """Pixels of the picture that the network sees for each of the photograph."""
        side: int = min(self.shades.shape[:2])
        return PITCH_PX * span / side


def likeliest(chances: Floats, share: float = FAINT_SHARE) -> Ints:
    """Indices of the spots at least `share` times as likely as a usual hole, the likeliest first."""
    order = np.argsort(-chances, kind="stable")[:MAX_SPOTS]
    some: Ints = order[chances[order] > share * _usual(chances[order])]
    return some


def _usual(chances: Floats) -> float:
    """The median of the likeliest, which come first."""
    return float(np.median(chances[:USUAL])) if len(chances) else 0.0
