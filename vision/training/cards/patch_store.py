"""Batches of patches of card indices, re-cut, covered, blurred and lit on the device that trains.

The same changes as those of `patch_batches.PatchBatches`, for all patches of a batch at once.
"""

import math
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.corners import INDEX_PX, LABELS, PATCH_HEIGHT, PATCH_WIDTH
from vision.training.cards.patch_batches import (
    DEFOCUS_PX,
    FIRST_JOKER,
    JOKERS_KEPT,
    NARROWED,
    NONE_SHARE,
    SHEARED,
)
from vision.training.cards.patches import SIDE_PX

Array = Any
FOUND_SHARE = 0.3
"""Of patches without index, the share that the finder took for one."""
ASKEW, ASLANT, ASLANT_SHARE = 1.35, 1.2, 0.7
"""Error of the cuts, and how much of them is narrowed and slanted, as multiples of what is usual; and in what share."""
COVERED, DEFOCUSED, COARSE = 0.25, 0.15, 0.2
"""Shares of patches of which a side is covered, that are far out of focus, and that are made of few pixels."""
COARSE_SIZES = 4
"""Sizes in a batch of patches that are made of few pixels."""
TINTED, TINT = 0.25, 0.18
"""Share of patches in strongly coloured light, and the spread of its log."""
assert len(LABELS) > FIRST_JOKER


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
        rare = (labels >= FIRST_JOKER) & (self.rng.random(count) > JOKERS_KEPT)
        self.cards.append(first + np.nonzero((labels >= 0) & ~rare)[0])
        (self.found if by_finder else self.nones).append(first + np.nonzero(labels < 0)[0])
        self.count += count

    def take_part(self) -> bool:
        """Let what was added take part; whether there are patches of every kind."""
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
        cut, better = recut(self.patches[numbers].float())
        cut = lit(blurred(covered(cut), self.rng))
        spread, mean = torch.std_mean(cut.flatten(1), 1, correction=0)
        normal = (cut - mean[:, None, None, None]) / (spread[:, None, None, None] + 8)
        return normal.contiguous(memory_format=torch.channels_last), self.labels[numbers], better


def uniform(like: torch.Tensor, low: float, high: float, *shape: int) -> torch.Tensor:
    """Random numbers on the device of a tensor."""
    return torch.rand(*shape, device=like.device) * (high - low) + low


def recut(patches: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut patches a little off, narrowed and slanted; and say how they should be cut better (shape: [n, 4])."""
    count, device = len(patches), patches.device
    wide = ASKEW * (0.5 + uniform(patches, 0, 1, 4, count) ** 2)
    turn = uniform(patches, -0.26, 0.26, count) * wide[0]
    grow = uniform(patches, -0.17, 0.17, count) * wide[1]
    shift = uniform(patches, -0.1, 0.1, 2, count) * wide[2:]
    cos, sin, size = torch.cos(turn), torch.sin(turn), torch.exp(grow)
    aslant = ASLANT * (uniform(patches, 0, 1, count) < ASLANT_SHARE).float()
    wider = torch.exp(torch.randn(count, device=device) * NARROWED * aslant)
    slant = torch.randn(count, device=device) * SHEARED * aslant
    # From pixels of the patch to those of the larger one that was kept.
    across, along = torch.stack([cos, -sin]) * size, torch.stack([sin, cos]) * size
    matrix = torch.stack([across * wider, along + slant * across])
    middle = torch.tensor([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2], device=device)
    places = (SIDE_PX - 1) / 2 + shift * INDEX_PX - torch.einsum("ijn,j->in", matrix, middle)
    rows, columns = torch.meshgrid(
        torch.arange(PATCH_HEIGHT, device=device), torch.arange(PATCH_WIDTH, device=device), indexing="ij"
    )
    points = torch.stack([columns, rows]).reshape(2, -1).float()
    source = torch.einsum("ijn,jp->nip", matrix, points) + places.T[:, :, None]
    grid = (source * 2 / (SIDE_PX - 1) - 1).permute(0, 2, 1).reshape(count, PATCH_HEIGHT, PATCH_WIDTH, 2)
    cut = functional.grid_sample(patches, grid, padding_mode="border", align_corners=True)
    right = shift[0] / wider
    down = shift[1] - slant * right
    back = -torch.stack([right * cos + down * sin, down * cos - right * sin]) / size
    return cut, torch.stack([back[0], back[1], -turn, -grow], dim=1)


def covered(cut: torch.Tensor) -> torch.Tensor:
    """Cover a side of some patches, with a colour or a part of another patch."""
    count, device = len(cut), cut.device
    low = torch.randint(2, 9, (count, 1, 1), device=device)
    wide = torch.randint(2, 15, (count, 1, 1), device=device)
    side = torch.randint(0, 4, (count, 1, 1), device=device)
    rows = torch.arange(PATCH_HEIGHT, device=device)[None, :, None]
    columns = torch.arange(PATCH_WIDTH, device=device)[None, None]
    sides = rows < low, rows >= PATCH_HEIGHT - low, columns < wide, columns >= PATCH_WIDTH - wide
    hidden = sum((side == number) & one for number, one in enumerate(sides)) > 0
    hidden = hidden & (uniform(cut, 0, 1, count, 1, 1) < COVERED)
    colour = uniform(cut, 0, 255, count, 3, 1, 1).expand_as(cut)
    other = torch.where(uniform(cut, 0, 1, count, 1, 1, 1) < 0.6, cut.roll(1, 0), colour)
    return torch.where(hidden[:, None], other, cut)


def blurred(cut: torch.Tensor, rng: Any) -> torch.Tensor:
    """Blur patches; put the first far out of focus, and make the next of few pixels: they are in no order."""
    share = uniform(cut, -1.2, 1.0, len(cut), 1, 1, 1).clamp(min=0)
    soft = functional.avg_pool2d(functional.pad(cut, (1, 1, 1, 1), mode="replicate"), 3, 1)
    cut = cut + (soft - cut) * share
    first, each = int(len(cut) * DEFOCUSED), int(len(cut) * COARSE / COARSE_SIZES)
    parts = [defocused(cut[:first])]
    for number in range(COARSE_SIZES):
        part = cut[first + number * each :][:each]
        factor = float(rng.uniform(0.27, 0.6))
        size = [max(4, round(side * factor)) for side in (PATCH_HEIGHT, PATCH_WIDTH)]
        few = functional.interpolate(part, size=size, mode="area")
        mode = ("bilinear", "bicubic")[number % 2]
        parts.append(functional.interpolate(few, size=(PATCH_HEIGHT, PATCH_WIDTH), mode=mode))
    return torch.cat([*parts, cut[first + COARSE_SIZES * each :]])


def defocused(cut: torch.Tensor) -> torch.Tensor:
    """Blur each patch by a width of its own."""
    reach = math.ceil(2.5 * DEFOCUS_PX[1])
    taps = torch.arange(-reach, reach + 1, device=cut.device, dtype=torch.float32)
    kernel = torch.exp(-((taps / uniform(cut, *DEFOCUS_PX, len(cut), 1)) ** 2) / 2)
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(3, 0)
    planes = cut.reshape(1, -1, PATCH_HEIGHT, PATCH_WIDTH)
    planes = functional.pad(planes, (reach, reach, 0, 0), mode="replicate")
    planes = functional.conv2d(planes, kernel[:, None, None, :], groups=len(kernel))
    planes = functional.pad(planes, (0, 0, reach, reach), mode="replicate")
    return functional.conv2d(planes, kernel[:, None, :, None], groups=len(kernel)).reshape(cut.shape)


def lit(cut: torch.Tensor) -> torch.Tensor:
    """Change light and noise."""
    count = len(cut)
    strong = (uniform(cut, 0, 1, count, 1) < TINTED).float()
    tint = torch.exp(torch.randn(count, 3, device=cut.device) * TINT * strong)
    gain = (uniform(cut, 0.88, 1.12, count, 3) * tint)[:, :, None, None]
    noise = torch.randn_like(cut) * uniform(cut, -6, 12, count, 1, 1, 1).clamp(min=0)
    return (cut * gain + noise).clamp(0, 255)
