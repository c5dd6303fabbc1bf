"""Cuts patches for the classifier from photographs of cards held close, and of cards of other games.

The cards give the indices of which enough shows; all photographs give the finder's false finds, in the plain picture,
turned and made taller, as still pictures are read.
"""

from pathlib import Path
from typing import Any

import cv2

from tock_vision.cards.corners import INDEX_PX, Corner, cut
from tock_vision.cards.finder import Finder
from tock_vision.cards.views import View, further_views, plain_view
from vision.training.cards.near import Near, NearMaker
from vision.training.cards.patches import FAINT, INNER, SIDE_PX, meant

Array = Any
SHRUNK = 2
"""Photographs are read at half their size: patches are no finer."""
MIN_SCORE = 0.12
SHOWN = 0.55
MAX_FALSE_FINDS = 30
"""False finds kept of a picture."""


class NearPatches:
    """Makes photographs and cuts them."""

    def __init__(self, art: Path, seed: int) -> None:
        self.maker = NearMaker(art, seed)
        self.finder = Finder()
        self.patches: list[Array] = []
        self.labels: list[int] = []

    def take(self, near: Near) -> None:
        """Cut one photograph."""
        half = cv2.resize(near.image, None, fx=1 / SHRUNK, fy=1 / SHRUNK, interpolation=cv2.INTER_AREA)
        real = [Corner(x / SHRUNK, y / SHRUNK, up, px / SHRUNK) for x, y, up, px, *_ in near.rows]
        for corner, (*_, share, card, _) in zip(real, near.rows, strict=True):
            patch = fitting(half, corner)
            if share >= SHOWN and patch[INNER].std(axis=(0, 1)).max() >= FAINT:
                self.patches.append(patch)
                self.labels.append(int(card))
        views = [plain_view(half, 640.0), *further_views(half)]
        chosen = self.maker.rng.choice(len(views), 3, replace=False)
        wrong = [patch for number in chosen for patch in self.false_finds(half, views[number], real)]
        self.maker.rng.shuffle(wrong)
        self.patches += wrong[:MAX_FALSE_FINDS]
        self.labels += [-1] * len(wrong[:MAX_FALSE_FINDS])

    def false_finds(self, picture: Array, view: View, real: list[Corner]) -> list[Array]:
        """Cut the finder's false finds of a view where the reader cuts them."""
        found = self.finder.find(view.image, longest_px=view.longest_px, lowest=MIN_SCORE)
        return [
            fitting(picture, view.home(corner)) if view.alike else fitting(view.image, corner)
            for corner in found
            if not any(meant(view.home(corner), one) for one in real)
        ]


def fitting(image: Array, corner: Corner) -> Array:
    """The patch of a corner, cut from a picture that is small enough for it."""
    while corner.height_px > INDEX_PX * 1.6:
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        corner = Corner(corner.x / 2 - 0.25, corner.y / 2 - 0.25, corner.up, corner.height_px / 2)
    return cut(image, corner, SIDE_PX, SIDE_PX)
