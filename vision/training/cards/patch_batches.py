"""Batches of patches of card indices from files, changed on a processor core as augmentation.py describes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from tock_vision.cards.corners import PATCH_HEIGHT, PATCH_WIDTH
from vision.training.cards.augmentation import (
    COARSE_SIZES,
    COVERED_BY_PATCH,
    COVERED_COLUMNS,
    COVERED_ROWS,
    DEFOCUS_PX,
    NONE_SHARE,
    SOFTENED,
    Amounts,
    normalised,
    recut,
    relight,
    used,
)

Array = Any
BATCH = 128
HELD_OUT = 0.04
SMOOTH = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)


class PatchBatches:
    """Patches in memory, and batches of them, changed at random."""

    def __init__(self, paths: list[Path], seed: tuple[int, ...], amounts: Amounts | None = None) -> None:
        self.paths = paths
        """Files, or folders of them."""
        self.amounts = amounts or Amounts()
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
            taken = kept & used(labels, self.rng)
            self.patches += list(data["patches"])
            self.labels = np.concatenate([self.labels, labels])
            self.held = np.concatenate([self.held, first + np.nonzero(~kept)[0]])
            self.cards = np.concatenate([self.cards, first + np.nonzero(taken & (labels >= 0))[0]])
            self.nones = np.concatenate([self.nones, first + np.nonzero(taken & (labels < 0))[0]])
        self.read |= set(files)

    def chosen(self) -> Array:
        """Choose the patches of a batch."""
        nones = int(BATCH * NONE_SHARE)
        return np.concatenate(
            [self.rng.choice(self.cards, BATCH - nones), self.rng.choice(self.nones, nones)]
        )

    def batch(self, numbers: Array, change: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs (shape: [n, 3, PATCH_HEIGHT, PATCH_WIDTH]), labels and the better places (shape: [n, 4]).

        Without a change patches are only cut again.
        """
        amounts = self.amounts if change else replace(self.amounts, aslant=0.0)
        affine, better = recut(self.rng, len(numbers), amounts)
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
        labels = torch.from_numpy(self.labels[numbers])
        return normalised(cut), labels, torch.from_numpy(better.astype(np.float32))

    def covered(self, cut: Array, others: list[Array]) -> Array:
        """Cover a side of a patch now and then, with a colour or a part of another patch."""
        if self.rng.random() < self.amounts.covered:
            low, wide = int(self.rng.integers(*COVERED_ROWS)), int(self.rng.integers(*COVERED_COLUMNS))
            side = (np.s_[:low], np.s_[-low:], np.s_[:, :wide], np.s_[:, -wide:])[self.rng.integers(4)]
            other = others[self.rng.integers(len(others))]
            by_patch = self.rng.random() < COVERED_BY_PATCH
            cut = cut.copy()
            cut[side] = other[side] if by_patch else self.rng.integers(0, 256, 3)
        return cut

    def blurred(self, cut: Array) -> Array:
        """Blur a patch more or less, or make it of few pixels now and then."""
        share = self.rng.uniform(*SOFTENED)
        if share > 0:
            cut = cv2.addWeighted(cut, 1 - share, cv2.blur(cut, (3, 3)), share, 0)
        if self.rng.random() < self.amounts.defocused:
            cut = cv2.GaussianBlur(cut, (0, 0), self.rng.uniform(*DEFOCUS_PX))
        if self.rng.random() < self.amounts.coarse:
            share = self.rng.uniform(*COARSE_SIZES)
            few = cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            cut = cv2.resize(few, cut.shape[1::-1], interpolation=int(self.rng.choice(SMOOTH)))
        return cut

    def lit(self, cut: torch.Tensor) -> torch.Tensor:
        """Change light and noise."""
        start = int(self.rng.integers(len(self.noise) - cut.numel()))
        noise = torch.from_numpy(self.noise[start : start + cut.numel()]).reshape(cut.shape)
        gain, spread = (torch.from_numpy(one) for one in relight(self.rng, len(cut), self.amounts))
        return (cut * gain[:, :, None, None] + noise * spread[:, None, None, None]).clamp(0, 255)
