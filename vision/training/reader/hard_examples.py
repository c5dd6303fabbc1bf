"""Finds what a network of the reader does not know yet, so that further training dwells on it.

Pictures of boards with more than four pawns of a colour teach what is untrue in Tock: there the usual hole of the track
is a full one. They are left out, as are pictures of which the network knows less than most.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tock_companion.rules import PAWNS_PER_SEAT
from tock_vision.holes.network import STATES
from vision.training.reader.augmentation import batch_of
from vision.training.reader.batch import BESIDE, HIDDEN
from vision.training.reader.networks import ReaderNetworks
from vision.training.reader.patch_data import PatchData

KNOWN_CHANCE = 0.8
"""A patch whose true state the network finds less likely than this is hard."""
CLEARLY_SEEN, CLEARLY_HIDDEN = 0.85, 0.4
"""Only of what is seen at least or at most so far the truth is beyond doubt."""
MIN_KNOWN = 0.7
"""Of a picture the network must know this share, or there is something wrong with it."""
HARD_WEIGHT = 1.5
EASY_PICTURE, MAX_COUNTED = 0.3, 3
"""A picture is drawn as often as it has hard patches, counted up to the second; one without as often as the first."""
HARD_PICTURES = 3
"""Pictures of a batch that are drawn so; the others are drawn evenly from the other files."""
Array = Any


@dataclass(frozen=True)
class HardPictures:
    """Pictures to dwell on, and how often each is drawn."""

    pictures: Array
    shares: Array

    def drawn(self, rng: np.random.Generator, others: Array, count: int) -> Array:
        """Some pictures for a batch."""
        hard = rng.choice(self.pictures, HARD_PICTURES, replace=False, p=self.shares)
        return np.concatenate([rng.choice(others, count - HARD_PICTURES, replace=False), hard])


def dwell_on(net: ReaderNetworks, patches: PatchData, pictures: Array) -> HardPictures:
    """Mark what is hard in some pictures, and give it more weight."""
    net.eval()
    on_board = patches.data["O"] > BESIDE
    taken = [one for one in pictures if not _has_too_many(patches, patches.members[one], on_board)]
    counts = {}
    with torch.no_grad():
        for one in taken:
            own = patches.members[one]
            hard = _hard(net, patches, own) & on_board[own]
            seen = on_board[own] & (patches.data["Y"][own] != HIDDEN)
            if hard[seen].mean() <= 1.0 - MIN_KNOWN:
                patches.hard[own], counts[one] = hard, int(hard.sum())
    patches.weight = np.where(patches.hard, patches.weight * HARD_WEIGHT, patches.weight)
    often = EASY_PICTURE + np.minimum(list(counts.values()), MAX_COUNTED)
    return HardPictures(np.array(list(counts)), often / often.sum())


def _has_too_many(patches: PatchData, own: Array, on_board: Array) -> bool:
    colors, states = patches.data["C"][own], patches.data["Y"][own]
    standing = colors[on_board[own] & (states == 1) & (colors >= 0)]
    return bool(len(standing)) and int(np.bincount(standing).max()) > PAWNS_PER_SEAT


def _hard(net: ReaderNetworks, patches: PatchData, own: Array) -> Array:
    truth, visible = patches.data["Y"][own], patches.data["V"][own]
    chances = net.run(batch_of(patches, own))[1][:, :STATES].softmax(1).numpy()
    beyond_doubt = np.where(truth == HIDDEN, visible < CLEARLY_HIDDEN, visible > CLEARLY_SEEN)
    return (chances[np.arange(len(own)), truth] < KNOWN_CHANCE) & beyond_doubt
