"""Changes how pawns are made while training: ribbons and eyes in marbles, clear glass, wood of the board's own colour.

A marble with a white swirl around a dark spot is like a painted ring around a hole, and one of brown glass like the
wood below it. That neither is an empty hole shows its outline, its height and its shine, and the other holes.
"""

from typing import Any

import numpy as np
import torch

from vision.training.reader import covers

RIBBONED = 0.25
"""Share of the pictures all of whose pawns have ribbons."""
GLASS = 0.1
"""Share of the pictures whose pawns are of glass that lets the hole below be seen."""
WOODEN = 0.08
"""Share of the pictures some of whose pawns have the colour of the board, so that theirs is not learned."""
Array = Any


def ribboned(rng: Any, patch: Array, outline: Array) -> Array:
    """Pawns with a band, a wave or an eye of another colour (shapes: [n, 3, side, side], [n, side, side])."""
    across, along = _own_axes(rng, outline)
    kind = str(rng.choice(["band", "eye", "wave"]))
    count = (len(patch), 1, 1)
    width = torch.tensor(rng.uniform(0.12, 0.42, count)).float()
    off = torch.tensor(rng.uniform(-0.4, 0.4, count)).float()
    bend = torch.tensor(rng.uniform(-1.2, 1.2, count)).float()
    if kind == "band":
        away = along - off - bend * across**2
    elif kind == "wave":
        away = along - off - 0.4 * torch.sin(3.0 * bend * across + 3.0 * off)
    else:
        far = torch.hypot(across - 0.6 * off, along * (1 + 0.3 * bend.abs()))
        away = far - torch.tensor(rng.uniform(0.35, 0.75, count)).float()
    mask = ((width - away.abs()) / 0.12 + 0.5).clamp(0, 1) * outline
    return _painted(patch, mask, outline, _ribbon_color(rng))


def of_glass(rng: Any, patch: Array, outline: Array, below: Array) -> Array:
    """Pawns through which the holes `below` them are seen a little (shape: [n, 3, side, side])."""
    clear = outline[:, None] * float(rng.uniform(0.2, 0.55))
    return patch * (1 - clear) + below * clear


def of_wood(rng: Any, patch: Array, outline: Array, board: Array) -> Array:
    """Pawns that have the colour of the `board` (shape: [3]), darker or a little lighter; shade and shine stay."""
    color = torch.tensor(board * np.exp(rng.uniform(-0.5, 0.25) + rng.normal(0, 0.08, 3))).float()
    return _painted(patch, outline, outline, color)


def _own_axes(rng: Any, outline: Array) -> tuple[Array, Array]:
    """Two axes of each pawn, turned by chance, from its middle in units of its radius (shape: [n, side, side] each)."""
    size = outline.sum((1, 2)).clamp(min=1.0)[:, None, None]
    radius = torch.sqrt(size / np.pi)
    x = (covers.X - (covers.X * outline).sum((1, 2))[:, None, None] / size) / radius
    y = (covers.Y - (covers.Y * outline).sum((1, 2))[:, None, None] / size) / radius
    turn = torch.tensor(rng.uniform(0, 2 * np.pi, (len(outline), 1, 1))).float()
    return x * torch.cos(turn) + y * torch.sin(turn), y * torch.cos(turn) - x * torch.sin(turn)


def _ribbon_color(rng: Any) -> Array:
    """Blue, green and red of a ribbon, relative to the light: mostly white, sometimes black or of any colour."""
    kind = rng.choice(3, p=[0.55, 0.2, 0.25])
    low, high = ((0.9, 1.6), (0.05, 0.25), (0.1, 1.4))[kind]
    value = rng.uniform(low, high, 3) if kind == 2 else rng.uniform(low, high) * rng.uniform(0.9, 1.1, 3)
    return torch.tensor(value).float()


def _painted(patch: Array, mask: Array, outline: Array, color: Array) -> Array:
    """Paint the masked parts of pawns in a colour that keeps most of their shade and all of their shine."""
    grey = patch.mean(1)
    usual = (grey * outline).sum((1, 2)) / outline.sum((1, 2)).clamp(min=1.0)
    shade = (grey / usual.clamp(min=0.05)[:, None, None]).clamp(0.2, 4.0)
    shine = (shade - 1.8).clamp(min=0.0)
    paint = color[:, None, None] * shade[:, None] ** 0.7 + shine[:, None]
    return (patch * (1 - mask[:, None]) + paint * mask[:, None]).clamp(0, 3.98)
