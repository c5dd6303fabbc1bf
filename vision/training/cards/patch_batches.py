"""Batches of patches of card indices from files, re-cut, covered, blurred and lit on a processor core.

`patch_store.PatchStore` makes the same changes on the device that trains, for all patches of a batch at once.
"""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from tock_companion.rules import JOKERS
from tock_vision.cards.corners import INDEX_PX, LABELS, PATCH_HEIGHT, PATCH_WIDTH
from vision.training.cards.patches import SIDE_PX

Array = Any
BATCH = 128
NONE_SHARE = 0.42
JOKERS_KEPT = 0.4
"""Scenes have more jokers than hands do: of their patches only this share is used."""
HELD_OUT = 0.04
NARROWED, SHEARED = 0.14, 0.12
"""Spread of the log of how much wider or narrower cuts are made than their places say, and of how much slanted."""
COVERED, COARSE = 0.22, 0.2
"""Shares of patches of which a side is covered, and that are made of few pixels."""
DEFOCUS_PX = 0.5, 2.4
"""Blur of patches that are far out of focus, as phones take what is nearest."""
SMOOTH = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)
FIRST_JOKER = len(LABELS) - len(JOKERS)


class PatchBatches:
    """Patches in memory, and batches of them, re-cut at random."""

    def __init__(
        self,
        paths: list[Path],
        seed: tuple[int, ...],
        askew: float = 1.0,
        aslant: float = 1.0,
        defocused: float = 0.0,
    ) -> None:
        self.paths = paths
        """Files, or folders of them."""
        self.askew = askew
        """Error of the cuts, as a multiple of the finder's usual one."""
        self.aslant = aslant
        """How much cuts are narrowed and slanted, as a multiple of what is usual."""
        self.defocused = defocused
        """Share of patches that are far out of focus."""
        self.rng = np.random.default_rng(seed)
        self.read: set[Path] = set()
        self.patches: list[Array] = []
        self.labels = np.zeros(0, np.int64)
        self.held = self.cards = self.nones = np.zeros(0, np.int64)
        self.noise = self.rng.normal(0, 1, 2 * BATCH * 3 * PATCH_HEIGHT * PATCH_WIDTH).astype(np.float32)
        self.read_new()

    def read_new(self) -> None:
        """Read the files that are there now and were not read yet."""
        files = [
            file
            for path in self.paths
            for file in (sorted(path.glob("*.npz")) if path.is_dir() else [path])
            if file not in self.read
        ]
        for file in files:
            data = np.load(file)
            labels, first = data["labels"].astype(np.int64), len(self.labels)
            kept = self.rng.random(len(labels)) > HELD_OUT
            rare = (labels >= FIRST_JOKER) & (self.rng.random(len(labels)) > JOKERS_KEPT)
            self.patches += list(data["patches"])
            self.labels = np.concatenate([self.labels, labels])
            self.held = np.concatenate([self.held, first + np.nonzero(~kept)[0]])
            self.cards = np.concatenate([self.cards, first + np.nonzero(kept & (labels >= 0) & ~rare)[0]])
            self.nones = np.concatenate([self.nones, first + np.nonzero(kept & (labels < 0))[0]])
        self.read |= set(files)

    def chosen(self) -> Array:
        """Choose the patches of a batch."""
        nones = int(BATCH * NONE_SHARE)
        return np.concatenate(
            [self.rng.choice(self.cards, BATCH - nones), self.rng.choice(self.nones, nones)]
        )

    def batch(self, numbers: Array, change: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs (shape: [n, 3, PATCH_HEIGHT, PATCH_WIDTH]), labels and the better places (shape: [n, 4])."""
        affine, better = self.recut(len(numbers), aslant=change and self.askew > 1)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size_px = (PATCH_WIDTH, PATCH_HEIGHT)
        cuts = [
            cv2.warpAffine(self.patches[n], one, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for n, one in zip(numbers, affine, strict=True)
        ]
        if change:
            cuts = [self.blurred(self.covered(cut, cuts)) for cut in cuts]
        cut = torch.from_numpy(np.array(cuts).transpose(0, 3, 1, 2).astype(np.float32))
        if change:
            cut = self.lit(cut)
        spread, mean = torch.std_mean(cut.flatten(1), 1, correction=0)
        normal = (cut - mean[:, None, None, None]) / (spread[:, None, None, None] + 8)
        return normal, torch.from_numpy(self.labels[numbers]), torch.from_numpy(better.astype(np.float32))

    def recut(self, count: int, *, aslant: bool) -> tuple[Array, Array]:
        """Cuts that lie a little off, from their pixels to those of patches (shape: [n, 2, 3]), and the better places.

        A better place is how far right and down, how far turned, and by what log of the size to cut (shape: [n, 4]).
        """
        wide = self.askew * (0.5 + self.rng.random((4, count)) ** 2)
        turn = self.rng.uniform(-0.26, 0.26, count) * wide[0]
        grow = self.rng.uniform(-0.17, 0.17, count) * wide[1]
        shift = self.rng.uniform(-0.1, 0.1, (2, count)) * wide[2:]
        cos, sin, size = np.cos(turn), np.sin(turn), np.exp(grow)
        matrix = np.array([[cos, -sin], [sin, cos]]) * size
        # Wider or narrower, as seen from a side: neither the direction nor the height of an index changes.
        wider = np.exp(self.rng.normal(0, NARROWED * self.aslant, count)) if aslant else np.ones(count)
        slant = self.rng.normal(0, SHEARED * self.aslant, count) if aslant else np.zeros(count)
        matrix[1] += slant * matrix[0]
        matrix[0] *= wider
        middle = np.array([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2])
        places = (SIDE_PX - 1) / 2 + shift * INDEX_PX - np.einsum("ijn,j->in", matrix, middle)
        affine = np.concatenate([matrix, places[:, None]], axis=1).transpose(2, 0, 1)
        shift[0] /= wider
        shift[1] -= slant * shift[0]
        back = -np.stack([shift[0] * cos + shift[1] * sin, shift[1] * cos - shift[0] * sin]) / size
        return affine, np.stack([*back, -turn, -grow], axis=1)

    def uniform(self, shape: tuple[int, ...], low: float, high: float) -> torch.Tensor:
        """Random numbers, shaped to be spread over patches."""
        values = self.rng.uniform(low, high, shape).astype(np.float32)
        return torch.from_numpy(values)[(..., *[None] * (4 - len(shape)))]

    def covered(self, cut: Array, others: list[Array]) -> Array:
        """Cover a side of a patch now and then, with a colour or a part of another patch."""
        if self.rng.random() < COVERED:
            low, wide = int(self.rng.integers(2, 9)), int(self.rng.integers(2, 14))
            side = (np.s_[:low], np.s_[-low:], np.s_[:, :wide], np.s_[:, -wide:])[self.rng.integers(4)]
            other = others[self.rng.integers(len(others))]
            cut = cut.copy()
            cut[side] = other[side] if self.rng.random() < 0.6 else self.rng.integers(0, 256, 3)
        return cut

    def blurred(self, cut: Array) -> Array:
        """Blur a patch more or less, or make it of few pixels now and then."""
        share = self.rng.uniform(-1.2, 1.0)
        if share > 0:
            cut = cv2.addWeighted(cut, 1 - share, cv2.blur(cut, (3, 3)), share, 0)
        if self.rng.random() < self.defocused:
            cut = cv2.GaussianBlur(cut, (0, 0), self.rng.uniform(*DEFOCUS_PX))
        if self.rng.random() < COARSE:
            share = self.rng.uniform(0.27, 0.6)
            few = cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            cut = cv2.resize(few, cut.shape[1::-1], interpolation=int(self.rng.choice(SMOOTH)))
        return cut

    def lit(self, cut: torch.Tensor) -> torch.Tensor:
        """Change light and noise."""
        count = len(cut)
        start = int(self.rng.integers(len(self.noise) - cut.numel()))
        noise = torch.from_numpy(self.noise[start : start + cut.numel()]).reshape(cut.shape)
        cut = cut * self.uniform((count, 3), 0.88, 1.12)
        return (cut + noise * self.uniform((count,), -6, 12).clamp(min=0)).clamp(0, 255)
