"""Batches of patches of card indices, changed as augmentation.py describes on the device that trains."""

import math
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.corners import PATCH_HEIGHT, PATCH_WIDTH
from vision.training.cards.augmentation import (
    COARSE,
    COARSE_SIZES,
    COVERED,
    COVERED_BY_PATCH,
    COVERED_COLUMNS,
    COVERED_ROWS,
    DEFOCUS_PX,
    DEFOCUSED,
    NONE_SHARE,
    SOFTENED,
    normalised,
    recut,
    relight,
    used,
)
from vision.training.cards.patches import SIDE_PX

Array = Any
FOUND_SHARE = 0.3
"""Of patches without index, the share that the finder took for one."""
SIZES = 4
"""Sizes in a batch of patches that are made of few pixels."""


class PatchStore:
    """All patches so far, on the device."""

    def __init__(self, device: torch.device, most: int) -> None:
        self.device, self.count = device, 0
        self.patches = torch.zeros((most, 3, SIDE_PX, SIDE_PX), dtype=torch.uint8, device=device)
        self.labels = torch.zeros(most, dtype=torch.long, device=device)
        self.rng = np.random.default_rng(5)
        self.found: list[Array] = [np.zeros(0, np.int64)]
        self.cards, self.nones = list(self.found), list(self.found)
        self.kinds: tuple[torch.Tensor, ...] = ()

    def add(self, patches: Array, labels: Array, by_finder: bool) -> None:
        """Take in patches (shape: [n, SIDE_PX, SIDE_PX, 3]) while there is room."""
        first, count = self.count, min(len(labels), len(self.labels) - self.count)
        labels = labels[:count]
        placed = torch.from_numpy(patches[:count]).to(self.device).permute(0, 3, 1, 2)
        self.patches[first : first + count] = placed
        self.labels[first : first + count] = torch.from_numpy(labels).to(self.device)
        taken = used(labels, self.rng)
        self.cards.append(first + np.nonzero(taken & (labels >= 0))[0])
        (self.found if by_finder else self.nones).append(first + np.nonzero(taken & (labels < 0))[0])
        self.count += count

    def take_part(self) -> bool:
        """Let added patches take part; return whether there are some of every kind."""
        parts = [np.concatenate(part) for part in (self.cards, self.nones, self.found)]
        self.kinds = tuple(torch.from_numpy(part).to(self.device) for part in parts)
        return all(map(len, parts))

    def chosen(self, count: int) -> torch.Tensor:
        """The numbers of the patches of a batch, in no order."""
        nones = int(count * NONE_SHARE)
        found = int(nones * FOUND_SHARE)
        drawn = [
            kind[torch.randint(len(kind), (size,), device=self.device)]
            for kind, size in zip(self.kinds, (count - nones, nones - found, found), strict=True)
        ]
        return torch.cat(drawn)[torch.randperm(count, device=self.device)]

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs, labels and the better places."""
        numbers = self.chosen(count)
        places, better = (self._sent(one) for one in recut(self.rng, count))
        gain, spread = (self._sent(one) for one in relight(self.rng, count))
        cut = covered(cut_at(self.patches[numbers].float(), places))
        cut = blurred(cut, self.rng)
        noise = torch.randn_like(cut) * spread[:, None, None, None]
        cut = normalised((cut * gain[:, :, None, None] + noise).clamp(0, 255))
        return cut.contiguous(memory_format=torch.channels_last), self.labels[numbers], better

    def _sent(self, values: Array) -> torch.Tensor:
        """Numbers on the device, for which nothing waits."""
        tensor = torch.from_numpy(values.astype(np.float32))
        if self.device.type == "cuda":
            tensor = tensor.pin_memory()
        return tensor.to(self.device, non_blocking=True)


def uniform(like: torch.Tensor, low: float, high: float, *shape: int) -> torch.Tensor:
    """Random numbers on the device of a tensor."""
    return torch.rand(*shape, device=like.device) * (high - low) + low


def cut_at(patches: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Cut patches at places (shape: [n, 2, 3]) that lead from pixels of the cut to those of the patch."""
    count, device = len(patches), patches.device
    rows, columns = torch.meshgrid(
        torch.arange(PATCH_HEIGHT, device=device), torch.arange(PATCH_WIDTH, device=device), indexing="ij"
    )
    points = torch.stack([columns, rows]).reshape(2, -1).float()
    source = places[:, :, :2] @ points + places[:, :, 2:]
    grid = (source * 2 / (SIDE_PX - 1) - 1).permute(0, 2, 1).reshape(count, PATCH_HEIGHT, PATCH_WIDTH, 2)
    return functional.grid_sample(patches, grid, padding_mode="border", align_corners=True)


def covered(cut: torch.Tensor) -> torch.Tensor:
    """Cover a side of some patches, with a colour or a part of another patch."""
    count, device = len(cut), cut.device
    low = torch.randint(*COVERED_ROWS, (count, 1, 1), device=device)
    wide = torch.randint(*COVERED_COLUMNS, (count, 1, 1), device=device)
    side = torch.randint(0, 4, (count, 1, 1), device=device)
    rows = torch.arange(PATCH_HEIGHT, device=device)[None, :, None]
    columns = torch.arange(PATCH_WIDTH, device=device)[None, None]
    sides = rows < low, rows >= PATCH_HEIGHT - low, columns < wide, columns >= PATCH_WIDTH - wide
    hidden = sum((side == number) & one for number, one in enumerate(sides)) > 0
    hidden = hidden & (uniform(cut, 0, 1, count, 1, 1) < COVERED)
    colour = uniform(cut, 0, 255, count, 3, 1, 1).expand_as(cut)
    by_patch = uniform(cut, 0, 1, count, 1, 1, 1) < COVERED_BY_PATCH
    return torch.where(hidden[:, None], torch.where(by_patch, cut.roll(1, 0), colour), cut)


def blurred(cut: torch.Tensor, rng: Any) -> torch.Tensor:
    """Blur patches; put the first far out of focus, and make the next of few pixels: they are in no order."""
    share = uniform(cut, *SOFTENED, len(cut), 1, 1, 1).clamp(min=0)
    soft = functional.avg_pool2d(functional.pad(cut, (1, 1, 1, 1), mode="replicate"), 3, 1)
    cut = cut + (soft - cut) * share
    first, each = int(len(cut) * DEFOCUSED), int(len(cut) * COARSE / SIZES)
    parts = [defocused(cut[:first])]
    for number in range(SIZES):
        part = cut[first + number * each :][:each]
        factor = float(rng.uniform(*COARSE_SIZES))
        size = [max(4, round(side * factor)) for side in (PATCH_HEIGHT, PATCH_WIDTH)]
        few = functional.interpolate(part, size=size, mode="area")
        mode = ("bilinear", "bicubic")[number % 2]
        parts.append(functional.interpolate(few, size=(PATCH_HEIGHT, PATCH_WIDTH), mode=mode))
    return torch.cat([*parts, cut[first + SIZES * each :]])


def defocused(cut: torch.Tensor) -> torch.Tensor:
    """Blur each patch by another width."""
    reach = math.ceil(2.5 * DEFOCUS_PX[1])
    taps = torch.arange(-reach, reach + 1, device=cut.device, dtype=torch.float32)
    kernel = torch.exp(-((taps / uniform(cut, *DEFOCUS_PX, len(cut), 1)) ** 2) / 2)
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(3, 0)
    planes = cut.reshape(1, -1, PATCH_HEIGHT, PATCH_WIDTH)
    planes = functional.pad(planes, (reach, reach, 0, 0), mode="replicate")
    planes = functional.conv2d(planes, kernel[:, None, None, :], groups=len(kernel))
    planes = functional.pad(planes, (0, 0, reach, reach), mode="replicate")
    return functional.conv2d(planes, kernel[:, None, :, None], groups=len(kernel)).reshape(cut.shape)
