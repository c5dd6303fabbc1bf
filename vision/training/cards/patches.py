"""Cuts patches for the classifier from scenes.

Each patch is upright, 72 x 72 with an index 36 pixels high in the middle, so that training can re-cut with
other turns, places and sizes. Label 0 to 53 is a card in the order of `tock_vision.cards.corners.LABELS`, -1 no index.
"""

from typing import Any

import numpy as np

from tock_rules import JOKERS
from tock_vision.cards.corners import LABELS, Corner, cut
from vision.training.cards.finder_samples import HIDDEN, SHOWN

Array = Any
FIRST_JOKER = len(LABELS) - len(JOKERS)
"""The first label of a joker; those of all other cards come before."""
SIDE_PX = 72
MIN_PX = 9.0
INNER = np.s_[18:54, 24:48]
FAINT = 7.0
"""An index with less contrast is asked for neither way."""


def of_scene(picture: Array, rows: Array, rng: Any, shown: float = SHOWN) -> tuple[list[Array], list[int]]:
    """Patches and labels: every index of which so much shows, and places that hold no index."""
    patches, labels = [], []
    corners = [Corner(*row[:4]) for row in rows]
    for corner, row in zip(corners, rows, strict=True):
        if corner.height_px < MIN_PX:
            continue
        if row[4] > shown:
            patch = cut(picture, corner, SIDE_PX, SIDE_PX)
            if patch[INNER].std(axis=(0, 1)).max() < FAINT:
                continue
            patches.append(patch)
            labels.append(int(row[5]))
            if rng.random() < 0.5:
                patches.append(cut(picture, misplaced(corner, rng), SIDE_PX, SIDE_PX))
                labels.append(-1)
        elif row[4] < HIDDEN and rng.random() < 0.15:
            patches.append(cut(picture, corner, SIDE_PX, SIDE_PX))
            labels.append(-1)
    side = picture.shape[0]
    for _ in range(2):
        place = rng.uniform(10, side - 10, 2)
        height = float(np.exp(rng.uniform(np.log(10), np.log(60))))
        if far(place, height, corners):
            nowhere = Corner(float(place[0]), float(place[1]), rng.uniform(0, 6.3), height)
            patches.append(cut(picture, nowhere, SIDE_PX, SIDE_PX))
            labels.append(-1)
    return patches, labels


def misplaced(corner: Corner, rng: Any) -> Corner:
    """A corner as it must not be taken: turned far, beside, of another size, or only the rank or the suit."""
    pick = rng.integers(5)
    if pick == 0:
        return corner.moved(0, 0, rng.uniform(0.9, 2 * np.pi - 0.9), 0)
    if pick == 1:
        angle = rng.uniform(0, 6.3)
        return corner.moved(
            np.cos(angle) * rng.uniform(0.7, 1.2), np.sin(angle) * rng.uniform(0.7, 1.2), 0, 0
        )
    if pick == 2:
        return corner.moved(0, 0, 0, rng.choice([-1, 1]) * rng.uniform(0.7, 1.1))
    part = corner.moved(0, rng.choice([-1, 1]) * rng.uniform(0.15, 0.3), 0, rng.uniform(-0.8, -0.4))
    return part.moved(0, 0, rng.choice([0, 1, 2, 3]) * np.pi / 2 + rng.uniform(-0.4, 0.4), 0)


def far(place: Array, height: float, corners: list[Corner]) -> bool:
    """Whether no index is near a place."""
    return all(np.hypot(place[0] - c.x, place[1] - c.y) > 0.6 * max(height, c.height_px) for c in corners)


def meant(found: Corner, real: Corner) -> bool:
    """Whether a find is an index, if inexactly: close, neither turned far nor of a very different size."""
    right, down, turn = found.seen_from(real)
    size = abs(np.log(found.height_px / real.height_px))
    return np.hypot(right, down) < 0.6 and (real.height_px < MIN_PX or (abs(turn) < 0.8 and size < 0.6))
