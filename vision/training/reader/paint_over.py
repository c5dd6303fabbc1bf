"""Paints the holes of training patches in the colours of their seats: rings, filled fields, strokes, whole corners.

Real boards are painted by hand, and more thickly than path-traced ones: on photographs of related games rings thicker
than the rim, fields and strokes under a hole are taken for pawns.  Painting over the patches of every picture costs a
fraction of tracing it.  Paint lies on the wood: it keeps the wood's shade, pawns stand on it, and where the
hole was drilled afterwards its dark middle shows through.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tock_vision.holes.context import KINDS
from tock_vision.holes.network import COLORS
from tock_vision.holes.patches import PATCH_PX
from vision.training.pictures.random_boards import random_color
from vision.training.reader import covers

KINDS_OF_PAINT = ("ring", "double ring", "field", "square", "stroke", "whole")
PITCH_PX = PATCH_PX / 2
"""A patch is two pitches wide."""
CAMP, HOME, START = 2, 3, 1
"""Places of owned holes among the kinds of `context.place_encoding`."""
OWN_COLOR = 0.9
"""Share of the painted boards whose holes have the colour of their seat; on others they have any."""
MIN_VISIBLE = 0.9
"""Patches of which less is seen are left alone: what covers them would be painted over."""
Array = Any


@dataclass(frozen=True)
class Brush:
    """Manner of painting one board: one kind for all of its seats."""

    kind: str
    size_px: float
    """Radius to the middle of a ring, or of a field; half the width of a stroke."""
    thick_px: float
    hole_px: float
    """Radius of the hole that was drilled through the paint; 0 where the bowl is painted too."""
    flat: float
    """Height of a circle on the board against its width, as the camera sees it."""
    angle: float
    """Direction of a stroke."""
    cover: float
    """How much of the wood's own colour the paint hides."""


def some_brush(rng: Any) -> Brush:
    """A way to paint one board."""
    kind = str(rng.choice(KINDS_OF_PAINT))
    hole_px = float(rng.uniform(0.12, 0.3)) * PITCH_PX
    size_px = {
        "ring": hole_px + float(rng.uniform(0.0, 0.16)) * PITCH_PX,
        "double ring": hole_px + float(rng.uniform(0.05, 0.2)) * PITCH_PX,
        "stroke": float(rng.uniform(0.06, 0.4)) * PITCH_PX,
    }.get(kind, float(rng.uniform(0.28, 0.5)) * PITCH_PX)
    return Brush(
        kind,
        size_px,
        float(rng.uniform(0.05, 0.26)) * PITCH_PX,
        hole_px if rng.random() < 0.65 else 0.0,
        float(rng.uniform(0.6, 1.0)),
        float(rng.uniform(0, np.pi)),
        float(rng.uniform(0.75, 1.0)),
    )


def mask_of(brush: Brush, angles: Array) -> torch.Tensor:
    """Mask of the paint in patches whose strokes run at `angles` (shapes: [n], [n, PATCH_PX, PATCH_PX])."""
    y = covers.Y / brush.flat
    far = torch.hypot(covers.X, y)[None].expand(len(angles), -1, -1)
    if brush.kind == "whole":
        mask = torch.ones_like(far)
    elif brush.kind == "stroke":
        turn = torch.tensor(angles).float()[:, None, None]
        mask = (0.5 + brush.size_px - (covers.X * torch.sin(turn) - y * torch.cos(turn)).abs()).clamp(0, 1)
    elif brush.kind in ("ring", "double ring"):
        # A ring never covers the hole, so that it begins at its rim at the earliest.
        mask = (0.5 + brush.thick_px - (far - brush.size_px - brush.thick_px).abs()).clamp(0, 1)
    elif brush.kind == "square":
        mask = (0.5 + brush.size_px - torch.maximum(covers.X.abs(), y.abs())[None]).clamp(0, 1)
        mask = mask.expand(len(angles), -1, -1)
    else:
        mask = (0.5 + brush.size_px - far).clamp(0, 1)
    if brush.hole_px and brush.kind not in ("ring", "double ring"):
        mask = mask * (far - brush.hole_px + 0.5).clamp(0, 1)
    return mask


def edge_of(brush: Brush) -> torch.Tensor | None:
    """Mask of a second colour along the edge of the paint (shape: [PATCH_PX, PATCH_PX]); None for a single one."""
    if brush.kind != "double ring":
        return None
    far = torch.hypot(covers.X, covers.Y / brush.flat)
    outer = brush.size_px + 2 * brush.thick_px
    return (0.5 + brush.thick_px / 2 - (far - outer - brush.thick_px / 2).abs()).clamp(0, 1)


def painted_kinds(rng: Any) -> tuple[int, ...]:
    """The kinds of holes that a board has painted: camps, mostly homes, often starts."""
    kinds = [CAMP]
    if rng.random() < 0.7:
        kinds.append(HOME)
    if rng.random() < 0.5:
        kinds.append(START)
    return tuple(kinds)


def paint_of(name: str, light: Array, rng: Any) -> torch.Tensor:
    """A seat's colour as paint, relative to the light around (shape: [3])."""
    level = float(rng.uniform(95, 190))
    color = np.array(random_color(name, rng)) / level * np.asarray(light)
    return torch.tensor(np.clip(color, 0.02, 3.5)).float()


def paint_over(
    rng: Any,
    patch: torch.Tensor,
    shape: torch.Tensor,
    place: torch.Tensor,
    pawn: torch.Tensor,
    light: Array,
    brush: Brush,
) -> None:
    """Paint the owned holes of one picture in place (shapes: [n, 3, PATCH_PX, PATCH_PX], outlines without the 3).

    `place` is that of `context.place_encoding` (shape: [n, KINDS + colours]); `pawn` tells where one stands.
    """
    kinds = painted_kinds(rng)
    strange = rng.random() > OWN_COLOR
    wood = patch.mean(1).median().clamp(min=0.05)
    edge, edge_paint = edge_of(brush), torch.tensor(rng.uniform(0.05, 1.6) * np.ones(3)).float()
    for column, name in enumerate(COLORS):
        own = (place[:, KINDS + column] == 1) & place[:, list(kinds)].any(1)
        rows = torch.nonzero(own)[:, 0]
        if not len(rows):
            continue
        paint = paint_of(str(rng.choice(COLORS)) if strange else name, light, rng)
        angles = brush.angle + rng.normal(0, 0.1, len(rows)) + (np.pi / 2) * column
        mask = mask_of(brush, angles) * brush.cover
        on_top = shape[rows] * pawn[rows, None, None]
        under = 1 - torch.nn.functional.max_pool2d(on_top[:, None], 3, 1, 1)[:, 0].clamp(0, 1)
        _lay(patch, rows, mask * under, paint, wood)
        if edge is not None:
            _lay(patch, rows, edge[None] * under, edge_paint, wood)


def _lay(
    patch: torch.Tensor, rows: torch.Tensor, mask: torch.Tensor, paint: torch.Tensor, wood: torch.Tensor
) -> None:
    shade = (patch[rows].mean(1, keepdim=True) / wood).clamp(0.15, 1.8)
    mask = mask[:, None]
    patch[rows] = patch[rows] * (1 - mask) + (paint[None, :, None, None] * shade).clamp(0, 3.98) * mask
