"""Light of the pictures of training: shadows and their edges, lamps that clip to white, glare, warm and dim light.

The first functions change patches that are given to them; those of pictures choose which, and change them in place.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.holes.context import KINDS
from vision.training.reader import covers
from vision.training.reader.paint_over import CAMP, HOME

WARM = np.array([-1.0, -0.15, 0.35])
"""Change of blue, green and red under a warm lamp (logarithms)."""
SHADED = 0.3
"""Share of the pictures in which the camp or home of a seat lies in a shadow."""
VEILED = 0.35
"""Share of the pictures in which neighbouring holes lie in a deep shadow or in the glare of a lamp."""
LIT = 0.15
"""Share of the pictures of which a part is lit so much more that it clips to white."""
MIN_CONTRAST = 0.02
"""Spread of brightness where a hole is, below which white has swallowed its pawn."""
HALF_SHADED = 0.15
"""Share of the pictures in which the edge of a shadow goes through some holes."""
SHADOWED, UNDER_SHADOWS = 0.3, 0.12
"""Share of the pictures in which pawns throw shadows over holes beside them, and of the holes of such a picture."""
NOISY = 0.05
"""Share of the pictures in which dim light makes noise as strong as the wood."""
GLARING = 0.15
"""Share of the pictures that are overexposed."""
Array = Any


def shade(rng: Any, patch: Array) -> Array:
    """Patches partly in a shadow with an edge."""
    mask = covers.masks(rng, len(patch), 0.1)[:, None]
    deep = torch.tensor(rng.uniform(0.3, 0.85, (len(patch), 1, 1, 1))).float()
    return patch * (1 - mask * (1 - deep))


def in_shadow(rng: Any, patch: Array, deepest: float) -> Array:
    """Patches that lie wholly in a shadow, which is bluer than the lamp."""
    deep, blue = np.exp(rng.uniform(np.log(deepest), -0.05)), rng.uniform(-0.05, 0.35)
    return patch * _bluish(deep, blue)


def _bluish(deep: float, blue: float) -> Array:
    """The share of blue, green and red in a shadow (shape: [3, 1, 1])."""
    return torch.tensor(deep * np.exp(np.array([blue, 0.0, -blue]))).float()[:, None, None]


def veiled(rng: Any, patch: Array) -> Array:
    """Neighbouring patches in a deep shadow, where noise is plain, or in the glare of a lamp, which hides contrast."""
    smooth = covers.grown(rng, len(patch), 3)
    if rng.random() < 0.5:
        shaded = in_shadow(rng, patch, 0.1) * torch.exp(0.12 * smooth)
        return shaded + covers.noise(rng, len(patch)) * float(rng.uniform(0, 0.05))
    white = float(rng.uniform(1.1, 2.0))
    mix = (float(rng.uniform(0.15, 0.8)) * torch.exp(0.3 * smooth)).clamp(0, 0.9)
    return patch * (1 - mix) + white * mix


def lit(rng: Any, patch: Array, board: Array) -> Array:
    """Neighbouring patches close under a lamp: a part of the picture is brighter than the rest, and clips to white.

    `board` (shape: [3]) is the colour of the wood. Patches are relative to the light, of which seven tenths are
    measured around the hole and the rest in the whole picture.
    """
    count, white = len(patch), float(np.exp(rng.uniform(0.0, 1.3)))
    most = white * float(np.exp(rng.uniform(-0.5, 0.7)))
    ramp = torch.linspace(*(float(v) for v in rng.uniform(0.5, 1.0, 2)), count)[:, None, None, None]
    gain = (most * ramp).clamp(min=1.0) * torch.exp(0.1 * covers.grown(rng, count, 3))
    hard = float(rng.uniform(4, 16))

    def clipped(level: Array) -> Array:
        return level / (1 + (level.clamp(min=0) / white) ** hard) ** (1 / hard)

    wood = torch.tensor(board).float()[:, None, None]
    around = clipped(wood * gain).mean((1, 2, 3))[:, None, None, None]
    return (clipped(patch * gain) / (0.7 * around + 0.3)).clamp(0, 3.98)


def contrast(patch: Array) -> Array:
    """Spread of brightness where a hole is, in each patch (shape: [n])."""
    grey = patch.mean(1)
    middle = (grey * covers.INNER).sum((1, 2)) / covers.INNER.sum()
    return (((grey - middle[:, None, None]) ** 2 * covers.INNER).sum((1, 2)) / covers.INNER.sum()).sqrt()


def grainy(rng: Any, count: int) -> Array:
    """Noise of dim light, coarse where a small picture was enlarged (shape: [count, 3, PATCH_PX, PATCH_PX])."""
    fine = covers.noise(rng, count)
    if rng.random() < 0.6:
        fine = functional.avg_pool2d(functional.pad(fine, (1,) * 4, mode="replicate"), 3, 1) * 2.4
    return fine * float(np.exp(rng.uniform(np.log(0.05), np.log(0.5))))


def half_shaded(rng: Any, patch: Array) -> Array:
    """Neighbouring patches through which the edge of one shadow goes, hard or soft."""
    mask = covers.masks(rng, len(patch), 0.25)[:, None]
    if rng.random() < 0.4:
        mask = functional.avg_pool2d(functional.pad(mask, (4,) * 4, mode="replicate"), 9, 1)
    deep, blue = float(np.exp(rng.uniform(np.log(0.08), np.log(0.7)))), float(rng.uniform(-0.05, 0.3))
    tint = _bluish(deep, blue)
    around = 0.7 * (1 - mask.mean((1, 2, 3)) * (1 - deep))[:, None, None, None] + 0.3
    return (patch * (1 - mask * (1 - tint)) / around).clamp(0, 3.98)


def pawns_shadows(rng: Any, patch: Array) -> Array:
    """Patches under the shadow of a pawn beside them, each with its own: dark, round at its end, mostly sharp.

    A hole in such a shadow is easily taken for a black pawn.
    """
    count = len(patch)

    def drawn(low: float, high: float) -> Array:
        return torch.tensor(rng.uniform(low, high, (count, 1, 1))).float()

    angle, aside = drawn(0, 2 * np.pi), torch.tensor(rng.normal(0, 3.0, (count, 1, 1))).float()
    across = covers.X * torch.cos(angle) + covers.Y * torch.sin(angle) + aside
    along = covers.Y * torch.cos(angle) - covers.X * torch.sin(angle) - drawn(-6.0, 12.0)
    gap = torch.where(along < 0, across.abs(), torch.hypot(across, along)) - drawn(4.0, 13.0)
    mask = (0.5 - gap / torch.exp(drawn(np.log(0.7), np.log(5.0)))).clamp(0, 1)[:, None]
    deep, blue = torch.exp(drawn(np.log(0.06), np.log(0.5)))[:, None], drawn(-0.05, 0.3)[:, None]
    tint = deep * torch.exp(blue * torch.tensor([1.0, 0.0, -1.0])[None, :, None, None])
    return patch * (1 - mask * (1 - tint))


def warmth(rng: Any, pictures: int) -> Array:
    """Tints of lamps, from warm to a little cold for a third of the pictures, and 1 for the others."""
    warm = rng.uniform(-0.2, 0.7, pictures) * (rng.random(pictures) < 0.35)
    return torch.tensor(np.exp(warm[:, None] * WARM)).float()[:, :, None, None]


def glare(rng: Any) -> Callable[[Array], Array]:
    """The look of an overexposed picture: bright parts come near to white, and the board keeps its brightness."""
    white, hard = float(rng.uniform(0.9, 1.7)), float(rng.uniform(3, 12))

    def bright(level: Array) -> Array:
        return level / (1 + (level / white) ** hard) ** (1 / hard)

    board = float(bright(torch.ones(())))
    return lambda level: bright(level.clamp(min=0)) / board


def shade_some(rng: Any, picture: Array, patch: Array) -> None:
    """Let single holes lie partly in a shadow or a pawn's, and some neighbours in a deep one or in a lamp's glare."""
    chosen = np.nonzero(rng.random(len(patch)) < 0.06)[0]
    if len(chosen):
        patch[chosen] = shade(rng, patch[chosen])
    for own in np.nonzero(rng.random(int(picture.max()) + 1) < VEILED)[0]:
        some = _neighbours(rng, np.nonzero(picture == own)[0], 12)
        patch[some] = veiled(rng, patch[some])
    shadowed = np.nonzero(rng.random(int(picture.max()) + 1) < SHADOWED)[0]
    under = np.nonzero(np.isin(picture, shadowed) & (rng.random(len(patch)) < UNDER_SHADOWS))[0]
    if len(under):
        patch[under] = pawns_shadows(rng, patch[under])


def light_parts(rng: Any, picture: Array, patch: Array, empty: Array, weight: Array) -> None:
    """Let a part of some pictures be lit far more than the rest, and edges of shadows go through some holes.

    Where white has swallowed a pawn, nothing is learned.
    """
    for own in range(int(picture.max()) + 1):
        members = np.nonzero(picture == own)[0]
        board = empty[own][:, [0, 0, -1, -1], [0, -1, 0, -1]].mean(1).numpy()
        if rng.random() < LIT:
            some = _neighbours(rng, members, 60)
            patch[some] = lit(rng, patch[some], board)
            weight[some] *= contrast(patch[some]) > MIN_CONTRAST
        if rng.random() < HALF_SHADED:
            some = _neighbours(rng, members, 10)
            patch[some] = half_shaded(rng, patch[some])


def _neighbours(rng: Any, members: Array, most: int) -> Array:
    """Some of these patches one after the other, which mostly are neighbours."""
    first = int(rng.integers(len(members)))
    return members[first : first + int(rng.integers(3, most + 1))]


def shade_seats(rng: Any, picture: Array, patch: Array, place: Array) -> None:
    """Let the camp or the home of a seat lie in a shadow, which is bluer than the lamp, in some pictures."""
    for own in np.nonzero(rng.random(int(picture.max()) + 1) < SHADED)[0]:
        kind = CAMP if rng.random() < 0.7 else HOME
        colors = np.nonzero(place.numpy()[picture == own][:, KINDS:].any(0))[0]
        if not len(colors):
            continue
        seat = KINDS + int(rng.choice(colors))
        rows = np.nonzero((picture == own) & (place[:, kind] == 1).numpy() & (place[:, seat] == 1).numpy())[0]
        patch[rows] = in_shadow(rng, patch[rows], 0.2)


def slope(rng: Any, picture: Array, patch: Array) -> None:
    """Let the light fall off to one side in some pictures."""
    for own in np.nonzero(rng.random(int(picture.max()) + 1) < 0.3)[0]:
        rows = np.nonzero(picture == own)[0]
        down, right = rng.normal(0, 0.012, 2)
        patch[int(rows[0]) : int(rows[-1]) + 1] *= torch.exp(covers.X * right + covers.Y * down)


def blur_and_noise(rng: Any, patch: Array) -> None:
    """Take sharpness from some pictures, and add the noise of the camera to others."""
    if rng.random() < 0.15:
        patch[:] = functional.avg_pool2d(functional.pad(patch, (1,) * 4, mode="replicate"), 3, 1)
    if rng.random() < 0.4:
        patch += covers.noise(rng, len(patch)) * float(rng.uniform(0, 0.1))
    if rng.random() < NOISY:
        patch += grainy(rng, len(patch))
