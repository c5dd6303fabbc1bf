"""Measures how narrow the pawns of a board are, from a picture of which every hole is known."""

from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape
from tock_vision.arrays import Bools, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.hole_reader import state_chances
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import cut, patch_grid

NARROW_PITCHES = (0.16, 0.19, 0.22, 0.26, 0.3)
MIN_GAIN = 0.1
"""By so much, in natural logarithms for each hole, a narrow pawn must explain the picture better than the usual one."""


def narrow_pawn(
    board: BoardFile, frame: Frame, pose: CameraPose, standing: Bools, network: PatchNetwork | None = None
) -> PawnShape | None:
    """The shape of narrow pawns that explains best which holes hold one (shape: [holes]); None for usual ones."""
    network = network or PatchNetwork()
    usual = replace(board, pawn=None).usual_pawn
    shapes = [usual, *(PawnShape("opaque", wide * board.pitch_mm) for wide in NARROW_PITCHES)]
    fits = [_fit(replace(board, pawn=shape), frame, pose, standing, network) for shape in shapes]
    best = int(np.argmax(fits))
    return shapes[best] if fits[best] > fits[0] + MIN_GAIN else None


def _fit(board: BoardFile, frame: Frame, pose: CameraPose, standing: Bools, network: PatchNetwork) -> float:
    """The mean log chance of the known truth, holes with a pawn counting as much as all the others."""
    grid = patch_grid(pose, board)
    chance = np.log(state_chances(board, cut(frame, grid), grid, network))
    known = np.where(standing, chance[:, 1], chance[:, 0])
    groups = [known[grid.in_frame & chosen] for chosen in (standing, ~standing)]
    return float(sum(group.mean() for group in groups if len(group)))
