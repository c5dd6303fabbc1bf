"""Patches of training pictures with their truth, and each picture's light, empty holes, noise and pawns to lend."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from tock_vision.holes.patches import PATCH_PX
from vision.training.reader.batch import BESIDE, HIDDEN
from vision.training.reader.cut_patches import NO_OUTLINE

PLAIN_KEPT = 0.28
"""Share of the plain empty holes of a picture that a batch has."""
RARE = np.array([1.0, 1.4, 1.4])
"""Weights of empty, pawn and hidden."""
MAX_DONORS = 6000
Array = Any


class PatchData:
    """All patches, by picture."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.data = {key: arrays[key] for key in "XSYCVBPO"}
        self.data["X"] = np.ascontiguousarray(self.data["X"].transpose(0, 3, 1, 2))
        self.row = arrays["R"]
        self.empty, self.light = torch.tensor(arrays["E"]), torch.tensor(arrays["LC"])
        self.rng = np.random.default_rng(0)
        unclear = (self.data["Y"] != HIDDEN) & (self.data["V"] < 0.7)
        self.weight = np.where(unclear, 0.3, 1.0) * RARE[self.data["Y"]]
        order = np.argsort(self.row, kind="stable")
        edges = np.searchsorted(self.row[order], np.arange(len(self.empty) + 1))
        self.members = [order[edges[n] : edges[n + 1]] for n in range(len(self.empty))]
        clear = (self.data["Y"] == 0) & (self.data["V"] > 0.9) & (self.data["O"] > BESIDE)
        self.clear = [own[clear[own]] for own in self.members]
        self.is_made = np.array([self.data["B"][own[0]] <= 0 for own in self.members])
        self.grain = [self._grain(own) for own in self.clear]
        self.hidden = self.donors = np.zeros(0, int)
        self.outlines = np.zeros((0, 2))

    def choose_donors(self) -> None:
        """Choose pawns and covered patches to be laid over others."""
        self.hidden = np.nonzero((self.data["Y"] == HIDDEN) & (self.data["V"] < 0.1))[0]
        known = self.data["B"] != NO_OUTLINE
        pawns = np.nonzero(known & (self.data["Y"] == 1) & (self.data["V"] > 0.95))[0]
        self.donors = self.rng.permutation(pawns)[:MAX_DONORS]
        self.outlines = self.outline(self.donors)

    def outline(self, numbers: Array) -> Array:
        """Size and middle of the outlines that pawns have (shape: [n, 2], in pixels)."""
        shape = self.data["S"][numbers].astype(np.float32) / 255
        size = shape.sum((1, 2))
        middle = (shape.sum(2) * np.arange(PATCH_PX)).sum(1) / np.maximum(size, 1)
        return np.stack([np.sqrt(size), middle], 1)

    def _grain(self, numbers: Array) -> float:
        """Roughness of the picture from pixel to pixel: its noise."""
        if not len(numbers):
            return 0.0
        some = self.data["X"][numbers[::8]].astype(np.float32) / 64
        fine = some[:, :, 1:-1] - (some[:, :, :-2] + some[:, :, 2:]) / 2
        return float(np.median(np.abs(fine)) * 1.2)

    def pixels(self, numbers: Array) -> torch.Tensor:
        """Patches relative to the light (shape: [n, 3, PATCH_PX, PATCH_PX])."""
        return torch.tensor(self.data["X"][numbers]).float() / 64

    def wood(self, row: int) -> Array:
        """Colour of a picture's board beside its holes (shape: [3])."""
        return self.empty[row][[0, 0, -1, -1], [0, -1, 0, -1]].mean(0).numpy()

    def thinned(self, picture: int) -> Array:
        """The patches of a picture without most of its plain empty holes."""
        own = self.members[picture]
        plain = (self.data["Y"][own] == 0) & (self.data["O"][own] == -1)
        return own[~plain | (self.rng.random(len(own)) < PLAIN_KEPT)]
