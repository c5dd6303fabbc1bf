"""What is learned of one family's board and pawns from calibration pictures by the same camera."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_companion.rules import Seat
from tock_vision.arrays import Bools, Frame, Singles
from tock_vision.context import Context, Seen
from tock_vision.network import STATES, PatchNetwork
from tock_vision.orient import scanner
from tock_vision.patches import SIZE, PatchGrid, cut, light_color, network_input, patch_grid, usual_empty
from tock_vision.register import Refusal, Registrar, Registration

Shows = Literal["empty", "camps"]
SURELY_EMPTY = 0.9
"""A camp hole that is empty with this chance in the picture of the camps teaches no pawn's colour."""


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
    network: PatchNetwork | None = None,
) -> Learned | Refusal:
    """Learn from pictures of the empty board and of all pawns in their camps; a refusal when none registers.

    `known_empty` is what was learned of the empty board before. A camp hole without a pawn teaches nothing.
    """
    registrar = Registrar(board, stored, scanner(board))
    registration: Registration | None = None
    refusal = Refusal("camera/no_board", "there is no calibration picture; take one of the empty board")
    empty = known_empty
    camps: Singles | None = None
    standing = np.zeros(len(board.holes), dtype=bool)
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
            camps = patches
            standing = _standing(board, patches, grid, network or PatchNetwork())
            colors = _camp_colors(board, patches, grid, standing)
    if registration is None:
        return refusal
    alike = None
    if empty is not None and camps is not None and standing.any():
        alike = float(likeness(camps[standing], empty[standing]).max())
    return Learned(registration, empty, colors, alike)


def _standing(board: BoardFile, patches: Singles, grid: PatchGrid, network: PatchNetwork) -> Bools:
    """Return the holes of the camps in which a pawn may stand (shape: [holes])."""
    shown = network_input(patches, usual_empty(patches, board), light_color(patches), grid.silhouette)
    logits = Context(board).logits(network, Seen(network.features(shown), grid.in_frame))[:, :STATES]
    chance = np.exp(logits - logits.max(axis=1, keepdims=True))
    empty = chance[:, 0] / chance.sum(axis=1) > SURELY_EMPTY
    camp = np.array([hole.kind is HoleKind.CAMP for hole in board.holes])
    standing: Bools = camp & grid.in_frame & ~empty
    return standing


def _camp_colors(board: BoardFile, patches: Singles, grid: PatchGrid, standing: Bools) -> dict[Seat, Singles]:
    features = color_features(patches, grid.silhouette)
    owned = np.array([-1 if hole.seat is None else int(hole.seat) for hole in board.holes])
    return {
        seat: features[standing & (owned == seat)]
        for seat in board.seats
        if (standing & (owned == seat)).any()
    }
