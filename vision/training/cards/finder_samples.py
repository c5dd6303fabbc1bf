"""Pieces of synthetic scenes for the finder: pictures, and the maps that it should answer with."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from tock_vision.cards.finder import STRIDE, USUAL_PX
from vision.training.cards.scenes import Scene

Array = Any
SIDE = 144
MIN_PX, MAX_PX = 10.0, 38.0
"""Heights of indices that count; others are neither asked for nor forbidden."""
SHOWN, HIDDEN = 0.85, 0.3
"""From this visible share an index is to be found; below the other it must not be."""


LARGE_PX = 30.0
"""From this median height of a scene's indices on, one piece is the halved scene."""
QUALITY = (35, 96)


def pieces(scene: Scene, rng: Any) -> Iterator[tuple[Array, Array]]:
    """Two pieces of each quarter turn of a scene, SIDE x SIDE, and their rows, as a camera coded the scene."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*QUALITY))]
    whole = cv2.imdecode(cv2.imencode(".jpg", scene.image, quality)[1], cv2.IMREAD_COLOR)
    all_rows = np.array(scene.rows, np.float32).reshape(-1, 7)
    is_large = len(all_rows) > 0 and float(np.median(all_rows[:, 3])) > LARGE_PX
    for quarters in range(4):
        picture, rows = quarter_turned(whole, all_rows, quarters)
        yield piece(picture, rows, rng)
        if is_large:
            halved = rows.copy()
            halved[:, :4] *= (0.5, 0.5, 1, 0.5)
            yield cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA), halved
        else:
            yield piece(picture, rows, rng)


def quarter_turned(picture: Array, rows: Array, quarters: int) -> tuple[Array, Array]:
    """A square picture and its rows turned clockwise by some quarters."""
    rows = rows.copy()
    for _ in range(quarters):
        rows[:, 0], rows[:, 1] = picture.shape[0] - rows[:, 1], rows[:, 0].copy()
        rows[:, 2] += np.pi / 2
    return np.ascontiguousarray(np.rot90(picture, -quarters)), rows


def piece(picture: Array, rows: Array, rng: Any) -> tuple[Array, Array]:
    """A piece of a picture, mostly near a card, a little larger or smaller than it was."""
    side = int(SIDE * rng.uniform(0.8, 1.25))
    room = picture.shape[0] - side
    corner = rng.integers(0, room + 1, 2)
    shown = rows[rows[:, 4] > SHOWN]
    if len(shown) and rng.random() < 0.85:
        near = shown[int(rng.integers(len(shown))), :2]
        corner = (near - rng.uniform(0.15, 0.85, 2) * side).clip(0, room).astype(int)
    x, y = (int(value) for value in corner)
    rows = rows.copy()
    rows[:, :2] -= (x, y)
    scale = SIDE / side
    rows[:, :4] = rows[:, :4] * (scale, scale, 1, scale)
    inside = (rows[:, :2] > 2).all(axis=1) & (rows[:, :2] < SIDE - 2).all(axis=1)
    return cv2.resize(picture[y : y + side, x : x + side], (SIDE, SIDE)), rows[inside]


def target(rows: Array) -> tuple[Array, Array]:
    """The wanted maps (shape: [6, 36, 36]) and where they count (heat, then the others; [2, …])."""
    cells = SIDE // STRIDE
    maps = np.zeros((6, cells, cells), np.float32)
    counts = np.zeros((2, cells, cells), np.float32)
    counts[0] = 1
    for x, y, up, height, share, *_ in rows:
        if share < HIDDEN:
            continue
        cx, cy = x / STRIDE, y / STRIDE
        row, column = min(int(cy), cells - 1), min(int(cx), cells - 1)
        reach = int(max(2.0, height * 0.5 / STRIDE)) + 2
        window = np.s_[
            max(row - reach, 0) : row + reach + 1,
            max(column - reach, 0) : column + reach + 1,
        ]
        down = np.arange(window[0].start, min(window[0].stop, cells))[:, None] + 0.5 - cy
        right = np.arange(window[1].start, min(window[1].stop, cells))[None, :] + 0.5 - cx
        distance = np.hypot(right, down)
        part, count = maps[:, *window], counts[:, *window]
        if share < SHOWN or not MIN_PX <= height <= MAX_PX:
            count[0][distance < max(1.5, height * 0.5 / STRIDE)] = 0
            continue
        sigma = max(0.55, 0.09 * height / STRIDE)
        heat = np.exp(-(distance**2) / (2 * sigma**2))
        heat[row - window[0].start, column - window[1].start] = 1
        part[0] = np.maximum(part[0], heat)
        near = distance < max(1.3, 0.16 * height / STRIDE)
        count[1][near] = 1
        count[0][(distance < max(1.5, 0.4 * height / STRIDE)) & (count[0] == 0)] = 1
        part[1][near] = -np.broadcast_to(right, near.shape)[near]
        part[2][near] = -np.broadcast_to(down, near.shape)[near]
        part[3][near], part[4][near], part[5][near] = np.sin(up), np.cos(up), np.log(height / USUAL_PX)
    return maps, counts
