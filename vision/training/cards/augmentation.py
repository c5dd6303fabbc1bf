"""Describes how patches of card indices are changed by chance: in what order, how far, and how often.

`patch_store.PatchStore` makes the changes on the device that trains, for all patches of a batch at once, in this order:

1. cut again, a little off, turned, larger or smaller, some narrowed and slanted (`recut`);
2. a side covered with a colour or a part of another patch (`COVERED_ROWS` and after);
3. blurred, put far out of focus, made of few pixels (`SOFTENED` and after);
4. lit and given noise (`relight`).
"""

from typing import Any

import numpy as np
import torch

from tock_vision.cards.corners import INDEX_PX, PATCH_HEIGHT, PATCH_WIDTH
from vision.training.cards.patches import FIRST_JOKER, SIDE_PX

Array = Any
NONE_SHARE = 0.42
"""Share of a batch that shows no index."""
JOKERS_KEPT = 0.4
"""Scenes have more jokers than hands do: of their patches only this share is used."""
TURNED_RAD, SCALED, SHIFTED = 0.26, 0.17, 0.1
"""How far cuts are turned, scaled (log) and shifted (heights of an index) at the most, to either side."""
NARROWED, SHEARED = 0.14, 0.12
"""Spread of the log of how much wider or narrower cuts are made than their places say, and of how much slanted."""
COVERED_ROWS, COVERED_COLUMNS = (2, 9), (2, 14)
"""From how many pixels of a side are covered, to how many, the last not among them."""
COVERED_BY_PATCH = 0.6
"""Share of covers that are a part of another patch; the others are of one colour."""
SOFTENED = -1.2, 1.0
"""Weight of the mean of 3 x 3 pixels; below 0 none."""
DEFOCUS_PX = 0.5, 2.4
"""Blur of patches that are far out of focus, as phones take near things."""
COARSE_SIZES = 0.27, 0.6
"""How small patches are made that are made of few pixels."""
GAIN, NOISE = (0.88, 1.12), (-6, 12)
"""Factor of each colour, and the spread of the noise of a patch; below 0 none."""
MIN_CONTRAST = 8
"""Added to the contrast by which a patch is divided, so that flat ones stay flat."""


ASKEW = 1.35
"""Error of the cuts, as a multiple of the finder's usual one."""
ASLANT, ASLANT_SHARE = 1.2, 0.7
"""How much cuts are narrowed and slanted, as a multiple of the usual, and in which share of patches."""
COVERED, DEFOCUSED, COARSE, TINTED = 0.25, 0.15, 0.2, 0.25
"""Shares of patches with a covered side, far out of focus, made of few pixels, in strongly coloured light."""
TINT = 0.18
"""Spread of the log of strongly coloured light."""


def used(labels: Array, rng: Any) -> Array:
    """Which patches may take part in batches: all but some jokers."""
    return ~((labels >= FIRST_JOKER) & (rng.random(len(labels)) > JOKERS_KEPT))


def recut(rng: Any, count: int) -> tuple[Array, Array]:
    """Cuts that lie a little off, from their pixels to those of patches (shape: [n, 2, 3]), and the better places.

    A better place is how far right and down, how far turned, and by what log of the size to cut (shape: [n, 4]).
    """
    wide = ASKEW * (0.5 + rng.random((4, count)) ** 2)
    turn = rng.uniform(-TURNED_RAD, TURNED_RAD, count) * wide[0]
    grow = rng.uniform(-SCALED, SCALED, count) * wide[1]
    shift = rng.uniform(-SHIFTED, SHIFTED, (2, count)) * wide[2:]
    cos, sin, size = np.cos(turn), np.sin(turn), np.exp(grow)
    matrix = np.array([[cos, -sin], [sin, cos]]) * size
    some = ASLANT * (rng.random(count) < ASLANT_SHARE)
    wider, slant = np.exp(rng.normal(0, NARROWED * some, count)), rng.normal(0, SHEARED * some, count)
    # Wider or narrower, as seen from a side: neither the direction nor the height of an index changes.
    matrix[1] += slant * matrix[0]
    matrix[0] *= wider
    middle = np.array([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2])
    places = (SIDE_PX - 1) / 2 + shift * INDEX_PX - np.einsum("ijn,j->in", matrix, middle)
    affine = np.concatenate([matrix, places[:, None]], axis=1).transpose(2, 0, 1)
    shift[0] /= wider
    shift[1] -= slant * shift[0]
    back = -np.stack([shift[0] * cos + shift[1] * sin, shift[1] * cos - shift[0] * sin]) / size
    return affine, np.stack([*back, -turn, -grow], axis=1)


def relight(rng: Any, count: int) -> tuple[Array, Array]:
    """The factors of each patch's colours (shape: [n, 3]), and the spread of its noise (shape: [n])."""
    gain = rng.uniform(*GAIN, (count, 3)).astype(np.float32)
    noise = rng.uniform(*NOISE, count).astype(np.float32).clip(min=0)
    strong = rng.random((count, 1)) < TINTED
    gain *= np.exp(rng.normal(0, TINT, (count, 3)) * strong).astype(np.float32)
    return gain, noise


def normalised(cut: torch.Tensor) -> torch.Tensor:
    """Patches of one brightness and contrast, as a network takes them (shape: [n, 3, PATCH_HEIGHT, PATCH_WIDTH])."""
    spread, mean = torch.std_mean(cut.flatten(1), 1, correction=0)
    return (cut - mean[:, None, None, None]) / (spread[:, None, None, None] + MIN_CONTRAST)
