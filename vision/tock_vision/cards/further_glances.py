"""Further glances at a picture of which the first leaves a card in doubt: from further away, sharper, taller.

An index that fills a quarter of a picture is larger than any the finder knows; with a border around it is as large as
usual. Readings are placed in the picture again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Frame

TIMES_AWAY = (2, 3)
"""Sizes of the picture with its border, in sizes of the picture."""
MAX_PX = 1600
"""Longer side of the picture for a look from further away."""
SHARPENED_SIGMA, SHARPENED_BY = 0.1, 3.0
"""Blur that is taken back, in heights of an index, and how strongly."""
TALLER = 2.0
MIN_HEIGHT_PX, ENLARGED = 18.0, 2.0
"""Height of an index below which the picture is enlarged, and by how much."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A changed picture, and how its places become those of the first: less the margin, then by the scale."""

    image: Frame
    margin: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)

    def home(self, points: Sequence[Sequence[float]]) -> list[list[float]]:
        """Points of this look in the picture."""
        places = (np.array(points, np.float64) - self.margin) * self.scale
        return [[round(float(x), 1), round(float(y), 1)] for x, y in places]


def further_glances(image: Frame, heights_px: Sequence[float]) -> Iterator[Glance]:
    """Yield the glances in the order in which they help most often; `heights_px` are those of the indices seen."""
    for times in TIMES_AWAY:
        yield _from_further_away(image, times)
    tall = float(np.median(heights_px)) if len(heights_px) else 0.0
    if tall:
        yield Glance(_sharpened(image, SHARPENED_SIGMA * tall))
    yield _resized(image, 1.0, TALLER)
    if 0 < tall < MIN_HEIGHT_PX:
        yield _resized(image, ENLARGED, ENLARGED)


def _from_further_away(image: Frame, times: float) -> Glance:
    shrunk = _resized(image, *[min(1.0, MAX_PX / max(image.shape[:2]))] * 2)
    height, width = shrunk.image.shape[:2]
    top, left = round(height * (times - 1) / 2), round(width * (times - 1) / 2)
    seen = cv2.copyMakeBorder(shrunk.image, top, top, left, left, cv2.BORDER_REPLICATE)
    return Glance(np.asarray(seen, np.uint8), (left, top), shrunk.scale)


def _sharpened(image: Frame, sigma_px: float) -> Frame:
    picture = image.astype(np.float32)
    sharper = picture + SHARPENED_BY * (picture - cv2.GaussianBlur(picture, (0, 0), sigma_px))
    return np.asarray(np.clip(sharper, 0, 255), np.uint8)


def _resized(image: Frame, wider: float, taller: float) -> Glance:
    height, width = image.shape[:2]
    size = (max(1, round(width * wider)), max(1, round(height * taller)))
    flags = cv2.INTER_AREA if min(wider, taller) < 1 else cv2.INTER_CUBIC
    seen = (
        image
        if size == (width, height)
        else np.asarray(cv2.resize(image, size, interpolation=flags), np.uint8)
    )
    return Glance(seen, scale=(width / size[0], height / size[1]))
