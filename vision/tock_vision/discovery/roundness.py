"""Roundness around each pixel: how alike brightness changes along the radius on opposite sides.

Constants set in `4c76c3e3`.
"""

import cv2
import numpy as np

from tock_vision.arrays import Floats, Singles

EDGE_FLOOR = 3.0
"""Brightness step below which edges count less, as grain and noise."""
DIRECTIONS = 8
SOFTNESS = 0.3
"""Tolerance of a hole's radius against its ring, relative to the radius."""


def edges(picture: Singles) -> tuple[Singles, Singles]:
    """Directions of the brightness steps to the right and down, faint and strong ones nearly alike."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.8)
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3)
    size = cv2.magnitude(dx, dy)
    norm = size + max(EDGE_FLOOR, 1.5 * float(np.median(size[::3, ::3])))
    return dx / norm, dy / norm


def roundness(dx: Singles, dy: Singles, radius_px: float) -> Singles:
    """Roundness at each pixel for one radius, 0 to about 1.

    Of two opposite sides the fainter counts, because an edge of the board has only one side.
    """
    sigma = SOFTNESS * radius_px
    soft_x, soft_y = cv2.GaussianBlur(dx, (0, 0), sigma), cv2.GaussianBlur(dy, (0, 0), sigma)
    dark, bright = _Sides(dx.shape), _Sides(dx.shape)
    half = DIRECTIONS // 2
    for number in range(half):
        angle = np.pi * number / half
        right, down = float(np.cos(angle)), float(np.sin(angle))
        along = soft_x * right + soft_y * down
        ahead = moved(along, radius_px * right, radius_px * down)
        behind = moved(along, -radius_px * right, -radius_px * down)
        dark.add(np.minimum(ahead, -behind))
        bright.add(np.minimum(-ahead, behind))
    best: Singles = np.maximum(dark.all_but_best(), bright.all_but_best()) / (half - 1)
    return np.maximum(best, 0.0)


class _Sides:
    """Sums over pairs of opposite sides, without the best pair, which a straight line has as well."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._sum = np.zeros(shape, np.float32)
        self._best = np.full(shape, -1.0, np.float32)

    def add(self, pair: Singles) -> None:
        self._sum += pair
        np.maximum(self._best, pair, out=self._best)

    def all_but_best(self) -> Singles:
        return self._sum - self._best


def moved(picture: Singles, right: float, down: float) -> Singles:
    """The picture shifted by some pixels to the left and up."""
    matrix = np.array([[1, 0, right], [0, 1, down]], dtype=np.float64)
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def summits(answer: Singles, least: float) -> tuple[Floats, Floats, Floats]:
    """Local maxima above `least`, to a fraction of a pixel: x, y and height."""
    high = cv2.dilate(answer, np.ones((5, 5), np.uint8))
    peak = (answer >= high) & (answer > least)
    peak[:2], peak[-2:], peak[:, :2], peak[:, -2:] = False, False, False, False
    y, x = np.nonzero(peak)
    return (*vertices(answer, x, y), answer[y, x].astype(float))


def vertices(answer: Singles, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Tops of parabolas through pixels and their neighbours (x and y in whole pixels, inside the picture)."""
    middle = answer[y, x]
    across = _vertex(answer[y, x - 1], middle, answer[y, x + 1])
    return x + across, y + _vertex(answer[y - 1, x], middle, answer[y + 1, x])


def _vertex(before: Singles, middle: Singles, after: Singles) -> Floats:
    bend = np.minimum(before + after - 2 * middle, -1e-6)
    top: Floats = np.clip(0.5 * (before - after) / bend, -0.5, 0.5).astype(float)
    return top
