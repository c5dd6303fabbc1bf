"""What is learned of one family's board and pawns from calibration pictures by the same camera."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_companion.rules.geometry import Seat
from tock_vision.arrays import Frame, Singles
from tock_vision.orient import scanner
from tock_vision.patches import SIZE, PatchGrid, cut, patch_grid
from tock_vision.register import Refusal, Registrar, Registration

Shows = Literal["empty", "camps"]


@dataclass(frozen=True)
class Learned:
    """The empty look of every hole and the colours of the pawns, under the light of the calibration."""

    registration: Registration
    empty: Singles | None
    """Patches of the empty board (shape: [holes, SIZE, SIZE, 3]); None when it was never seen empty."""
    colors: Mapping[Seat, Singles]
    """Colour features of the seat's pawns (shape: [pawns, 4])."""
    pawn_likeness: float | None = None
    """How much a hole with a pawn looks like the same hole when empty, at most; None when either was never seen."""


def likeness(patches: Singles, empty: Singles) -> Singles:
    """Return how much the middle of patches looks like that of others, whatever the light (shape: [n], -1 to 1)."""
    inner = slice(SIZE // 4, SIZE - SIZE // 4)
    first, second = (
        some[:, inner, inner].mean(axis=3).reshape(len(some), -1).astype(np.float32)
        for some in (patches, empty)
    )
    first, second = (some - some.mean(axis=1, keepdims=True) for some in (first, second))
    norm = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    out: Singles = (first * second).sum(axis=1) / np.maximum(norm, 1e-6)
    return out


def color_features(patches: Singles, silhouettes: Singles) -> Singles:
    """Return the colour of what stands in patches: log of mean B, G, R and of the brightness (shape: [n, 4]).

    Highlights and deep shade are left out, and only the middle of the outline counts.
    """
    core = erode(silhouettes) > 0.5
    core[core.sum(axis=(1, 2)) < 12] = (silhouettes > 0.5)[core.sum(axis=(1, 2)) < 12]
    level = np.where(core, patches.mean(axis=3), np.nan).reshape(len(patches), -1)
    low, high = np.nanquantile(level, [0.25, 0.85], axis=1)
    inside = (level >= low[:, None]) & (level <= high[:, None])
    pixels = patches.reshape(len(patches), -1, 3)
    mean = (pixels * inside[..., None]).sum(axis=1) / np.maximum(inside.sum(axis=1), 1)[:, None]
    bright = mean.mean(axis=1, keepdims=True)
    out = np.concatenate([np.log(mean + 0.03) - np.log(bright + 0.03), np.log(bright + 0.05)], axis=1)
    return out.astype(np.float32)


def erode(silhouettes: Singles) -> Singles:
    """Return outlines made two pixels narrower on every side."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    return np.stack([cv2.erode(shape, kernel) for shape in silhouettes])


def learn(
    board: BoardFile,
    pictures: Sequence[tuple[Frame, Shows]],
    stored: Registration | None = None,
    known_empty: Singles | None = None,
) -> Learned | Refusal:
    """Learn from pictures of the empty board and of all pawns in their camps; a refusal when none registers.

    `known_empty` is what was learned of the empty board before.
    """
    registrar = Registrar(board, stored, scanner(board))
    registration: Registration | None = None
    refusal = Refusal("camera/no_board", "there is no calibration picture; take one of the empty board")
    empty = known_empty
    camps: Singles | None = None
    colors: dict[Seat, Singles] = {}
    for frame, shows in pictures:
        found = registrar.locate(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))
        if isinstance(found, Refusal):
            refusal = found
            continue
        registration = found
        grid = patch_grid(found.view, board)
        patches = cut(frame, grid)
        if shows == "empty":
            empty = patches
        else:
            camps, colors = patches, _camp_colors(board, patches, grid)
    if registration is None:
        return refusal
    alike = None
    if empty is not None and camps is not None:
        standing = [number for number, hole in enumerate(board.holes) if hole.kind is HoleKind.CAMP]
        alike = float(likeness(camps[standing], empty[standing]).max())
    return Learned(registration, empty, colors, alike)


def _camp_colors(board: BoardFile, patches: Singles, grid: PatchGrid) -> dict[Seat, Singles]:
    features = color_features(patches, grid.silhouette)
    colors = {}
    for seat in board.seats:
        own = [
            number
            for number, hole in enumerate(board.holes)
            if hole.kind is HoleKind.CAMP and hole.seat == seat and grid.in_frame[number]
        ]
        if own:
            colors[seat] = features[own]
    return colors
