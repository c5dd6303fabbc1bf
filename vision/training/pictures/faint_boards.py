"""Boards whose holes can hardly be seen: shallow or narrow, in the colour of the ground around them, small and dark.

Camps and homes are often stripes of paint with holes in the same paint; on nearly black boards holes are dots.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind, PawnShape
from tock_vision.rendering.appearance import Appearance
from vision.training.pictures.wooden_boards import TEXTURE_PX_PER_MM, linear
from vision.training.pictures.worn_boards import WornBoard

Array = Any
NARROW_SHARE, DARK_SHARE, STRIPED_SHARE, DOTTED_SHARE = 0.5, 0.35, 0.6, 0.25
NARROW_PITCHES = (0.14, 0.32)
"""Width of narrow holes; pegs stand in them."""
FILL = (0.6, 0.95)
"""How much of the picture the board takes: far away a hole has two to five pixels."""
NEAR_GROUND = (0.5, 0.92)
"""Colour of a hole relative to that of the ground around it."""
DEPTH = (0.25, 0.8)
"""Depth of shallow bowls, relative to their radius."""

DARKER, PALER = (0.3, 0.75), (1.35, 2.5)
"""Colour of dots relative to that of the board."""


class FaintBoard(WornBoard):
    """A board whose holes have the colour of the ground around them."""

    def _paint(self) -> None:
        striped, self.dotted = self.rng.random() < STRIPED_SHARE, bool(self.rng.random() < DOTTED_SHARE)
        if striped:
            self._strips()
        super()._paint()
        if striped and self.rng.random() < 0.5:
            # Over rings and collars too, so that nothing but the hole itself is left.
            self._strips()

    def _bowls(self) -> None:
        super()._bowls()
        if self.dotted:
            # A little darker or paler than the board.
            factor = self.rng.uniform(*(DARKER if self.rng.random() < 0.5 else PALER))
            ink = np.clip(np.array(self.appearance.board) * factor, 0, 255)
            size = float(self.rng.uniform(0.07, 0.16)) * self.board.pitch_mm
            self._dots([size] * len(self.holes), ink, 0.3)
            self.texture = linear(self.drawing).astype(np.float32)
            return
        depth, near = self.rng.uniform(*DEPTH), self.rng.uniform(*NEAR_GROUND)
        for row in self.holes:
            row[5:8] = linear(self.ground(row[0], row[1])) * near * self.rng.uniform(0.96, 1.04)
            if not self.drilled:
                row[3] = depth * row[2] * self.rng.uniform(0.9, 1.1)
        self.holes[:, 8] = 0.0

    def ground(self, x_mm: float, y_mm: float) -> Array:
        """The colour around a place (BGR, 0 to 255)."""
        x, y = round(x_mm * TEXTURE_PX_PER_MM), round(y_mm * TEXTURE_PX_PER_MM)
        reach = round(0.3 * self.pitch_px)
        return np.median(
            self.drawing[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach], axis=(0, 1)
        )


def faint_board(board: BoardFile, rng: Any) -> BoardFile:
    """The same board, on some with narrow holes for pegs."""
    if rng.random() >= NARROW_SHARE:
        return board
    width = float(rng.uniform(*NARROW_PITCHES)) * board.pitch_mm
    holes = tuple(
        replace(hole, d_mm=width * (1.0 if hole.kind is HoleKind.TRACK else float(rng.uniform(0.8, 1.2))))
        for hole in board.holes
    )
    return replace(board, holes=holes, pawn=PawnShape("peg", 0.07 * board.pitch_mm))


def faint_appearance(appearance: Appearance, rng: Any) -> Appearance:
    """The same without collars on most boards, nearly black on some."""
    if rng.random() < 0.8:
        appearance = replace(appearance, collar=None, lines=None)
    if rng.random() < DARK_SHARE:
        blue, green, red = (float(value) for value in rng.uniform(6, 45) * rng.uniform(0.8, 1.2, 3))
        appearance = replace(appearance, board=(blue, green, red))
    return appearance
