"""Outlines of whole cards: a card alone on the table shows its edges, and so its size and its direction."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Bools, Floats, Frame

SEARCH_PX = 640
"""Longer side of the picture in which outlines are searched."""
MIN_SHARE, MAX_SHARE = 0.003, 0.9
"""Area of a card, as a share of the picture."""
MIN_FILLED_SHARE = 0.93
"""Share of its four-sided outline that the bright patch of a card fills: all but the round corners."""
ROUGHNESS = 0.04
"""Largest bend of the sides, as a share of their sum."""
MAX_SIDE_RATIO = 3.0
"""Sides of a card in any usual view differ by less than this factor; it is 1.4 seen from above."""
SAME_SHARE = 0.6
"""Outlines that share this much are one."""
MIN_PAPER_SHARE = 0.45
"""Least share of a face that is paper: the backs of cards have less."""
PAPER_SATURATION, PAPER_BRIGHTNESS_SHARE = 70, 0.7
LEVELS = (0.3, 0.5, 0.7)
"""Brightness that parts paper from table, between that of the darkest and of the brightest things."""
CORNER_SHARE = 0.33
"""Indices are this near to two sides of a card, as a share of it."""
UPRIGHT_WIDTH, UPRIGHT_HEIGHT = 128, 192
"""Size in pixels of a card straightened for a second look: an index is about 30 high there."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The four corners of a card in pixels of the picture, clockwise, the first side being a short one."""

    corners: Floats
    """Shape: [4, 2]."""

    @property
    def area(self) -> float:
        """In pixels of the picture."""
        return float(cv2.contourArea(self.corners.astype(np.float32)))

    @property
    def shape(self) -> float:
        """Ratio of the long sides to the short ones."""
        short, long, other_short, other_long = np.hypot(*(np.roll(self.corners, -1, axis=0) - self.corners).T)
        return float((long + other_long) / (short + other_short))

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point in the card: 0 to 1 across and along."""
        point = cv2.perspectiveTransform(np.array([[[x, y]]], np.float64), self._to(1.0, 1.0))[0, 0]
        return float(point[0]), float(point[1])

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies within the card."""
        return all(0.0 <= side <= 1.0 for side in self.place(x, y))

    def has_in_corner(self, x: float, y: float) -> bool:
        """Whether a point lies where cards have their indices; a card seen flat may lie either way."""
        return all(0.0 <= min(side, 1.0 - side) < CORNER_SHARE for side in self.place(x, y))

    def on_its_side(self) -> "Outline":
        """The same card beginning with the next side."""
        return Outline(np.roll(self.corners, -1, axis=0))

    def straightened(self, image: Frame, size: tuple[int, int]) -> tuple[Frame, Floats]:
        """The card as seen from above, and the homography from there back to the picture."""
        matrix = self._to(*size)
        seen = cv2.warpPerspective(
            image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, dtype=np.uint8), np.linalg.inv(matrix)

    def _to(self, width: float, height: float) -> Floats:
        target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(self.corners.astype(np.float32), target), np.float64)


def outlines_of(image: Frame) -> list[Outline]:
    """Find the cards that show all four edges, the largest first."""
    factor = min(1.0, SEARCH_PX / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found: list[Floats] = []
    for quad in sorted(_quads(small), key=lambda one: -cv2.contourArea(one)):
        if _is_face(small, quad) and not any(_share(quad, other) > SAME_SHARE for other in found):
            found.append(quad)
    return [Outline(_ordered(quad.astype(np.float64) / factor)) for quad in found]


def _quads(small: Frame) -> Iterator[Floats]:
    """The four-sided bright patches (shape of each: [4, 2], float32)."""
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    low, high = np.percentile(grey, (5, 99))
    side = max(31, max(small.shape[:2]) // 6 | 1)
    masks = [grey > low + (high - low) * level for level in LEVELS]
    masks.append(grey > cv2.blur(grey, (side, side)).astype(np.float32) + 8)
    for mask in masks:
        yield from _quads_of(mask)


def _quads_of(mask: Bools) -> Iterator[Floats]:
    area_px = mask.size
    filled = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(filled, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not MIN_SHARE * area_px < area < MAX_SHARE * area_px:
            continue
        quad = cv2.approxPolyDP(hull, ROUGHNESS * cv2.arcLength(hull, True), True)[:, 0].astype(np.float32)
        if len(quad) != 4 or cv2.contourArea(contour) < MIN_FILLED_SHARE * cv2.contourArea(quad):
            continue
        sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
        inside = (quad > 1).all() and (quad < np.array(mask.shape[::-1]) - 2).all()
        if inside and sides.max() < MAX_SIDE_RATIO * sides.min():
            yield quad


def _is_face(small: Frame, quad: Floats) -> bool:
    """Whether enough of a four-sided patch is paper."""
    corners = np.round(quad).astype(np.int32)
    x, y, width, height = cv2.boundingRect(corners)
    part = small[y : y + height, x : x + width]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, corners - (x, y), 1)
    pixels = cv2.cvtColor(part, cv2.COLOR_BGR2HSV)[mask > 0]
    bright = pixels[:, 2] > PAPER_BRIGHTNESS_SHARE * np.percentile(pixels[:, 2], 95)
    return bool((bright & (pixels[:, 1] < PAPER_SATURATION)).mean() >= MIN_PAPER_SHARE)


def _share(quad: Floats, other: Floats) -> float:
    """The overlap of two outlines, as a share of the smaller."""
    common = cv2.intersectConvexConvex(quad.astype(np.float32), other.astype(np.float32))[0]
    return float(common / max(min(cv2.contourArea(quad), cv2.contourArea(other)), 1e-6))


def _ordered(quad: Floats) -> Floats:
    """The corners clockwise in the picture, beginning with a short side."""
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        quad = quad[::-1]
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return np.roll(quad, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else quad
