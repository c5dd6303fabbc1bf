"""Views of a picture, turned, resized or stretched, and the readings of all views combined for each index."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_vision.arrays import Floats, Frame
from tock_vision.cards.classifier import IndexReading
from tock_vision.cards.corners import Corner
from tock_vision.cards.finder import GREY_LEVEL, resized
from tock_vision.cards.finder import MAX_PX as FINDER_PX
from tock_vision.cards.outlines import UPRIGHT_HEIGHT, UPRIGHT_WIDTH, Outline
from tock_vision.cards.physical import likeliest, sureness

SAME_HEIGHTS, ALIKE_HEIGHTS, SAME_TURN = 0.25, 0.5, 0.8
"""Readings of two views are of one index when this close, in heights of the smaller, and turned alike (radians).

The second counts where both read the same card: in a tight fan the next card is half a height away.
"""

FURTHER = (
    (90, 1.0, 640),
    (180, 1.0, 640),
    (270, 1.0, 640),
    (45, 1.0, 800),
    (-45, 1.0, 800),
    (0, 1.7, 800),
    (0, 2.4, 960),
)
"""Further views: degrees turned, times taller, and the longer side of the largest size that is searched."""
MAX_PX = 1280
"""Longer side of the picture for further views; a larger one only takes time."""
QUARTER_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
SMALL_PX, ENLARGED_PX, MAX_ENLARGED = 480, 640, 3.0
"""A picture smaller than the first is enlarged to the second, at most by the factor: indices need ten pixels."""


@dataclass(frozen=True, slots=True)
class View:
    """One view: its pixels, and the homography from them back to the picture."""

    image: Frame
    back: Floats
    """Shape: [3, 3]."""
    longest_px: float
    """Longer side of the largest size at which it is searched."""
    alike: bool = False
    """Whether it shows nothing that the picture does not show finer, turned at most: indices are read there."""

    def home(self, corner: Corner) -> Corner:
        """A corner of this view, in the picture."""
        up = np.array([np.sin(corner.up), -np.cos(corner.up)]) * corner.height_px / 2
        middle = np.array([corner.x, corner.y])
        points = np.array([[middle, middle + up, middle - up]], np.float64)
        at, above, below = cv2.perspectiveTransform(points, self.back)[0]
        right, down = above - below
        return Corner(
            float(at[0]),
            float(at[1]),
            float(np.arctan2(right, -down)),
            float(np.hypot(right, down)),
            corner.score,
        )


def all_views(image: Frame) -> Iterator[View]:
    """Yield the plain picture, then turned and stretched ones."""
    yield plain_view(image, FINDER_PX)
    yield from further_views(image)


def plain_view(image: Frame, longest_px: float) -> View:
    """The plain picture, a small one enlarged."""
    factor = _factor(image)
    if factor > 1:
        return _turned(image, 0, factor, factor, longest_px)
    return View(image, np.eye(3), longest_px, alike=True)


def further_views(image: Frame) -> Iterator[View]:
    """Yield the whole picture turned around, and made taller as if seen less flat.

    A picture that is only turned is drawn no larger than it is searched.
    """
    factor = _factor(image)
    enlarged = factor > 1
    small = plain_view(image, FINDER_PX) if enlarged else _shrunk(image, FINDER_PX)
    upright = _shrunk(image, MAX_PX)
    for degrees, taller, longest_px in FURTHER:
        if degrees in QUARTER_TURNS:
            yield _quarter_turned(small, degrees, longest_px)
        elif taller > 1 or enlarged:
            yield _turned(image, degrees, factor, factor * taller, longest_px)
        else:
            yield _turned_small(upright, degrees, longest_px)


def _shrunk(image: Frame, longest_px: float) -> View:
    """The picture, its longer side no longer than given."""
    height, width = image.shape[:2]
    share = min(1.0, longest_px / max(height, width))
    size = tuple(max(1, round(side * share)) for side in (width, height))
    back = np.diag([width / size[0], height / size[1], 1.0])
    back[:2, 2] = (back[0, 0] - 1) / 2, (back[1, 1] - 1) / 2
    return View(resized(image, size), back, longest_px, alike=True)


def _turned_small(view: View, degrees: float, longest_px: float) -> View:
    """A view turned, as large as it is searched; parts that shrink keep their sharpness."""
    height, width = view.image.shape[:2]
    longest = float(_around(np.deg2rad(degrees), 1.0, 1.0, width, height)[1].max())
    share = min(1.0, longest_px / longest)
    turned = _turned(view.image, degrees, share, share, longest_px)
    return replace(turned, back=view.back @ turned.back, alike=True)


def _quarter_turned(view: View, degrees: int, longest_px: float) -> View:
    """A view turned without drawing it again."""
    height, width = view.image.shape[:2]
    there = _around(np.deg2rad(degrees), 1.0, 1.0, width - 1, height - 1)[0].round()
    seen = np.asarray(cv2.rotate(view.image, QUARTER_TURNS[degrees]), dtype=np.uint8)
    return View(seen, view.back @ np.linalg.inv(there), longest_px, view.alike)


def _factor(image: Frame) -> float:
    """The factor by which a picture is resized."""
    longest_px = float(max(image.shape[:2]))
    if longest_px < SMALL_PX:
        return min(ENLARGED_PX / longest_px, MAX_ENLARGED)
    return min(1.0, MAX_PX / longest_px)


def _turned(image: Frame, degrees: float, wider: float, taller: float, longest_px: float) -> View:
    height, width = image.shape[:2]
    there, sides = _around(np.deg2rad(degrees), wider, taller, width, height)
    size = tuple(max(2, round(float(side))) for side in sides)
    flags = cv2.INTER_CUBIC if wider > 1 else cv2.INTER_LINEAR
    seen = cv2.warpAffine(image, there[:2], size, flags=flags, borderValue=(GREY_LEVEL,) * 3)
    return View(np.asarray(seen, dtype=np.uint8), np.linalg.inv(there), longest_px)


def _around(angle: float, wider: float, taller: float, width: float, height: float) -> tuple[Floats, Floats]:
    """The homography that stretches a rectangle and turns it, so that it begins at 0; and the size it has then."""
    cos, sin = np.cos(angle), np.sin(angle)
    matrix = np.array([[cos, -sin], [sin, cos]]) @ np.diag([wider, taller])
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ matrix.T
    there = np.eye(3)
    there[:2, :2], there[:2, 2] = matrix, -ends.min(axis=0)
    return there, ends.max(axis=0) - ends.min(axis=0)


def straightened_views(image: Frame, outline: Outline) -> Iterator[View]:
    """Yield a card alone, seen from above, both ways: at a flat angle its short side may look longer."""
    for card in (outline, outline.on_its_side()):
        seen, back = card.straightened(image, (UPRIGHT_WIDTH, UPRIGHT_HEIGHT))
        yield View(seen, back, UPRIGHT_HEIGHT)


def grouped_readings(readings: list[list[IndexReading]]) -> list[list[IndexReading]]:
    """The readings that several views give of the same index, the surest first, for each index."""
    rows = [
        _Read(number, likeliest(index), sureness(index), index)
        for number, view in enumerate(readings)
        for index in view
    ]
    groups: list[list[_Read]] = []
    for row in sorted(rows, key=lambda row: -row.sure):
        group = next((one for one in groups if _same(row, one[0])), None)
        if group is None:
            groups.append([row])
        elif all(row.view != other.view for other in group):
            group.append(row)
    return [[row.index for row in group] for group in groups]


@dataclass(frozen=True, slots=True)
class _Read:
    view: int
    label: int
    sure: float
    index: IndexReading


def _same(row: _Read, other: _Read) -> bool:
    corner, near = row.index.corner, other.index.corner
    reach = ALIKE_HEIGHTS if row.label == other.label else SAME_HEIGHTS
    if corner.distance_px(near) >= reach * min(corner.height_px, near.height_px):
        return False
    return abs(corner.seen_from(near)[2]) < SAME_TURN


def joined(readings: list[IndexReading]) -> IndexReading:
    """Combine readings of one index, the surest first: chances from the two surest, agreement from all."""
    best = readings[0]
    label = likeliest(best)
    agreement = sum(sureness(other, label) for other in readings[1:])
    pair = readings[:2]
    weights = [reading.valid for reading in pair]
    chances = sum(reading.valid * reading.chances for reading in pair) / max(sum(weights), 1e-6)
    return replace(best, chances=np.asarray(chances, dtype=np.float32), agreed=agreement)
