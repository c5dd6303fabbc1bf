"""Lays drawn things over patches while training: hands, sleeves, cards, books, cups, shadows. No two are alike.

A cover is drawn in the patch itself, so it costs little: a smooth shaded colour (skin, a cup), stripes and
weave (cloth), scattered print (cards, books), over all of the patch, up to an edge, or as a strip like a finger.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.holes.patches import PATCH_PX

Array = Any
SKIN = np.array(
    [[0.72, 0.84, 1.12], [0.55, 0.75, 1.1], [0.38, 0.6, 0.98], [0.2, 0.34, 0.62], [0.12, 0.18, 0.32]]
)
"""Blue, green, red of skins, relative to the light."""
MIDDLE = 0.235 * PATCH_PX
"""Radius of the part of a patch in which an empty hole is seen."""


def _disc() -> tuple[Array, Array, Array]:
    steps = torch.arange(PATCH_PX).float() - (PATCH_PX - 1) / 2
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    return x, y, (x**2 + y**2 < MIDDLE**2).float()


X, Y, INNER = _disc()
HOLE = (X**2 + Y**2 < (0.125 * PATCH_PX) ** 2).float()
"""The bowl or drilled hole itself, as most boards have it."""
NOISE = torch.randn(512, 3, PATCH_PX, PATCH_PX, generator=torch.Generator().manual_seed(1))
"""Drawn once: noise for every batch would take longer than the network."""


@dataclass(frozen=True)
class Cover:
    """Something that lies over some patches (shapes: [n, 3, PATCH_PX, PATCH_PX], [n, PATCH_PX, PATCH_PX])."""

    texture: Array
    mask: Array

    def share(self, outline: Array) -> Array:
        """The covered share of an outline in each patch (shape: [n])."""
        return (self.mask * outline).sum((1, 2)) / outline.sum((1, 2)).clamp(min=1.0)


def noise(rng: Any, count: int) -> Array:
    """Noise of spread 1 (shape: [count, 3, PATCH_PX, PATCH_PX])."""
    return NOISE[rng.integers(len(NOISE), size=count)]


def grown(rng: Any, count: int, cells: int, channels: int = 1) -> Array:
    """Smooth random fields between about -2 and 2, coarse when `cells` are few."""
    coarse = torch.tensor(rng.normal(0, 1, (count, channels, cells, cells))).float()
    return functional.interpolate(coarse, (PATCH_PX, PATCH_PX), mode="bicubic", align_corners=False)


def masks(rng: Any, count: int, whole: float) -> Array:
    """Draw masks of things: all of a patch with chance `whole`, otherwise up to an edge, a strip or a round end."""
    kind = rng.choice(4, count, p=[whole, *(np.array([0.55, 0.3, 0.15]) * (1 - whole))])
    angle = torch.tensor(rng.uniform(0, 2 * np.pi, (count, 1, 1))).float()
    edge = torch.tensor(rng.uniform(-0.5, 0.5, (count, 1, 1)) * PATCH_PX).float()
    width = torch.tensor(rng.uniform(0.12, 0.4, (count, 1, 1)) * PATCH_PX).float()
    bow = torch.tensor(rng.normal(0, 0.006, (count, 1, 1))).float()
    across, along = X * torch.cos(angle) + Y * torch.sin(angle), Y * torch.cos(angle) - X * torch.sin(angle)
    away = across + bow * along**2 - edge
    end = along - torch.tensor(rng.uniform(-0.5, 0.5, (count, 1, 1)) * PATCH_PX).float()
    finger = torch.where(end < 0, away.abs(), torch.hypot(away, end)) - width
    strip = away.abs() - width
    gaps = torch.stack([torch.full_like(away, -9.0), away, strip, finger])
    gap = gaps[torch.tensor(kind), torch.arange(count)]
    # A moving sleeve has a soft edge.
    softest = 2.5 if rng.random() < 0.8 else 9.0
    soft = torch.tensor(rng.uniform(0.5, softest, (count, 1, 1))).float()
    return (0.5 - gap / soft).clamp(0, 1)


def textures(rng: Any, count: int, board: Array) -> Array:
    """Draw textures of things; `board` (shape: [3]) is the colour of the wood or paint around the holes."""
    kind = rng.choice(5, p=[0.38, 0.22, 0.24, 0.08, 0.08])
    if kind == 0:
        base = SKIN[rng.integers(len(SKIN))] * np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.45))
    elif kind == 2:
        base = np.full(3, rng.uniform(0.8, 1.9)) * np.exp(rng.normal(0, 0.07, 3))
    elif kind == 4:
        base = board * np.exp(rng.normal(0, 0.05, 3)) * np.exp(rng.normal(0, 0.25))
    else:
        base = rng.uniform(0.03, 1.5, 3)
    base = torch.tensor(np.clip(base, 0.02, 3.5)).float()[:, None, None]
    shade = torch.exp(grown(rng, count, 3) * float(rng.uniform(0.01, 0.3)))
    shade = shade * torch.exp(grown(rng, count, 12) * float(rng.uniform(0.0, 0.06)))
    texture = base * shade
    if kind == 1:
        angle, wave = rng.uniform(0, np.pi), float(rng.uniform(0.25, 2.2))
        lines = torch.sin(wave * (X * np.cos(angle) + Y * np.sin(angle)) + float(rng.uniform(0, 6)))
        other = torch.tensor(rng.uniform(0.03, 1.4, 3)).float()[:, None, None]
        mix = float(rng.uniform(0, 0.7)) * (0.5 + 0.5 * lines)[None, None]
        texture = texture * (1 - mix) + other * shade * mix
    if kind == 2 or rng.random() < 0.15:
        ink = torch.tensor([[0.1, 0.1, 0.1], [0.15, 0.12, 0.9]][rng.integers(2)]).float()[:, None, None]
        print_ = ((grown(rng, count, int(rng.integers(4, 12))) - float(rng.uniform(0.7, 1.6))) * 4).clamp(
            0, 1
        )
        texture = texture * (1 - print_) + ink * shade * print_
    return texture


def lay(rng: Any, count: int, board: Array, grain: float, whole: float = 0.5) -> Cover:
    """One thing that lies over some patches, as rough as the picture (`grain`)."""
    texture = textures(rng, count, board)
    rough = float(grain * rng.uniform(0.6, 1.3))
    return Cover((texture + noise(rng, count) * rough).clamp(0, 3.98), masks(rng, count, whole))


def moved(texture: Array, outline: Array, down: int, right: int) -> Cover:
    """Move a pawn in a hole (shapes: [3, PATCH_PX, PATCH_PX], [1, PATCH_PX, PATCH_PX]) beside it."""
    mask = torch.roll(outline, (down, right), (1, 2))
    rows, columns = torch.arange(PATCH_PX) - down, torch.arange(PATCH_PX) - right
    inside = ((rows >= 0) & (rows < PATCH_PX))[:, None] & ((columns >= 0) & (columns < PATCH_PX))[None]
    return Cover(torch.roll(texture, (down, right), (1, 2))[None], mask * inside)


def held(rng: Any, pawn: Cover) -> Cover:
    """A pawn with one to three fingers that hold it from above."""
    texture, mask = pawn.texture, pawn.mask
    skin = torch.tensor(SKIN[rng.integers(len(SKIN))] * np.exp(rng.normal(0, 0.3))).float()[
        None, :, None, None
    ]
    weights = mask.sum().clamp(min=1.0)
    x, y = float((mask * X).sum() / weights), float((mask * Y).sum() / weights)
    for _ in range(int(rng.integers(1, 4))):
        angle = float(rng.normal(0, 0.7))
        across = (X - x - float(rng.normal(0, 0.14) * PATCH_PX)) * np.cos(angle) + (Y - y) * np.sin(angle)
        along = (Y - y) * np.cos(angle) - (X - x) * np.sin(angle) + float(rng.uniform(0.0, 0.18) * PATCH_PX)
        width = float(rng.uniform(0.1, 0.22) * PATCH_PX)
        finger = (0.5 + width - torch.where(along < 0, across.abs(), torch.hypot(across, along))).clamp(0, 1)
        shaded = skin * (1.05 - 0.45 * (across / width).clamp(-1, 1) ** 2)
        texture = texture * (1 - finger) + shaded * finger
        mask = torch.maximum(mask, finger[None])
    return Cover(texture.clamp(0, 3.98), mask)


def rod(rng: Any, paint: Array) -> Cover:
    """A peg of this colour (shape: [3]) that lies across the middle of a patch or beside it."""
    angle, width = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.03, 0.085) * PATCH_PX)
    across = X * np.cos(angle) + Y * np.sin(angle) + float(rng.uniform(-0.16, 0.16) * PATCH_PX)
    along = Y * np.cos(angle) - X * np.sin(angle) + float(rng.uniform(-0.5, 0.5) * PATCH_PX)
    half = float(rng.uniform(0.25, 0.6) * PATCH_PX)
    gap = torch.maximum(across.abs() - width, along.abs() - half)
    if rng.random() < 0.6:
        gap = torch.minimum(gap, torch.hypot(across, along - half) - width * float(rng.uniform(1.2, 2.2)))
    mask = (0.5 - gap).clamp(0, 1)
    shaded = paint[:, None, None] * (
        1.1 - 0.5 * (across / width - float(rng.uniform(-0.5, 0.5))).clamp(-1.2, 1.2) ** 2
    )
    shine = torch.exp(-((across / width - float(rng.uniform(-0.5, 0.5))) ** 2) * 12) * float(
        rng.uniform(0, 0.6)
    )
    dark = (0.5 - torch.roll(gap, tuple(int(v) for v in rng.integers(-3, 4, 2)), (0, 1))).clamp(0, 1) * 0.5
    shadow = (dark * (1 - mask) * float(rng.uniform(0, 1))).clamp(0, 1)
    whole = torch.maximum(mask, shadow)
    texture = (shaded + shine) * mask / whole.clamp(min=1e-3)
    return Cover(texture.clamp(0, 3.98)[None], whole[None])
