"""Learns one family's board and pawns from calibration pictures, and the features they are compared by."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape
from tock_rules import Seat
from tock_vision.arrays import Bools, Singles
from tock_vision.holes.patches import PATCH_PX
from tock_vision.registration.results import Registration

Shows = Literal["empty", "camps"]


@dataclass(frozen=True)
class Calibration:
    """The appearance of every empty hole and the colours of the pawns, under the light of the calibration."""

    registration: Registration
    empty: Singles | None
    """Patches of the empty board (shape: [holes, PATCH_PX, PATCH_PX, 3]); None where nothing is known to be empty."""
    colors: Mapping[Seat, Singles]
    """Colour features of the seat's pawns (shape: [pawns, 4])."""
    pawn_likeness: float | None = None
    """Highest likeness of a hole with a pawn to the same hole when empty; None unless both were seen."""
    saw_empty: bool = True
    """Whether a picture of the empty board was seen; otherwise `empty` is what all pawns in their camps leave empty."""
    pawn: PawnShape | None = None
    """The shape of the pawns, where they are narrow and the board file does not say so."""

    def fitted(self, board: BoardFile) -> BoardFile:
        """The learned board, with pawns as narrow as they were seen."""
        return board if self.pawn is None else replace(board, pawn=self.pawn)


def zoomed(patches: Singles, share: float) -> Singles:
    """The same patches cut closer, to so much of their width."""
    if share == 1.0:
        return patches
    middle = (PATCH_PX - 1) / 2
    matrix = np.array([[share, 0, middle * (1 - share)], [0, share, middle * (1 - share)]], dtype=np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.stack(
        [
            cv2.warpAffine(patch, matrix, (PATCH_PX, PATCH_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for patch in patches
        ]
    )


def likeness(patches: Singles, empty: Singles) -> Singles:
    """Correlation of the middles of two sets of patches, in any light (shape: [n], -1 to 1)."""
    inner = slice(PATCH_PX // 4, PATCH_PX - PATCH_PX // 4)
    first, second = (
        some[:, inner, inner].mean(axis=3).reshape(len(some), -1).astype(np.float32)
        for some in (patches, empty)
    )
    first, second = (some - some.mean(axis=1, keepdims=True) for some in (first, second))
    norm = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    out: Singles = (first * second).sum(axis=1) / np.maximum(norm, 1e-6)
    return out


def color_features(patches: Singles, silhouettes: Singles) -> Singles:
    """Colour of the pawns in the patches: log of mean B, G, R and of the brightness (shape: [n, 4]).

    Highlights and deep shade are left out, and only the middle of the outline counts.
    """
    core = erode(silhouettes) > 0.5
    core[core.sum(axis=(1, 2)) < 12] = (silhouettes > 0.5)[core.sum(axis=(1, 2)) < 12]
    # Places outside of all outlines do not count.
    window = _span(np.asarray(core.any(axis=(0, 2)))), _span(np.asarray(core.any(axis=(0, 1))))
    core, patches = core[:, *window], patches[:, *window]
    level = np.where(core, patches.mean(axis=3), np.inf).reshape(len(patches), -1)
    low, high = _quantiles(level, (0.25, 0.85))
    inside = (level >= low[:, None]) & (level <= high[:, None])
    pixels = patches.reshape(len(patches), -1, 3)
    mean = (pixels * inside[..., None]).sum(axis=1) / np.maximum(inside.sum(axis=1), 1)[:, None]
    bright = mean.mean(axis=1, keepdims=True)
    out = np.concatenate([np.log(mean + 0.03) - np.log(bright + 0.03), np.log(bright + 0.05)], axis=1)
    return out.astype(np.float32)


def _span(used: Bools) -> slice:
    """From the first to the last that is used, and one if none is."""
    places = np.nonzero(used)[0]
    return slice(int(places[0]), int(places[-1]) + 1) if len(places) else slice(0, 1)


def _quantiles(level: Singles, shares: tuple[float, float]) -> list[Singles]:
    """Quantiles of the finite numbers of each row (shape: [n] each); far faster than NumPy's, row by row."""
    level = np.sort(level, axis=1)
    last = np.isfinite(level).sum(axis=1) - 1
    level[last < 0], last = 0.0, np.maximum(last, 0)
    rows, out = np.arange(len(level)), []
    for share in shares:
        place = share * last
        below = place.astype(int)
        first, second = level[rows, below], level[rows, np.minimum(below + 1, last)]
        out.append(first + (second - first) * (place - below).astype(np.float32))
    return out


def erode(silhouettes: Singles) -> Singles:
    """Shrink outlines by two pixels on every side."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    return np.stack([cv2.erode(shape, kernel) for shape in silhouettes])
