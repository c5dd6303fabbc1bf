"""Measures how narrow the pawns of a board are, best from a picture of which every hole is known."""

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

MIN_DOUBT_LOST, MAX_DOUBT_LEFT, MIN_PAWNS_SEEN, CLEAR_PAWN = 0.04, 0.55, 4, 0.9
"""Where nothing is known, narrow pawns must leave less doubt by this much and show at least this number of pawns."""


def narrow_pawn(
    board: BoardFile, frame: Frame, pose: CameraPose, standing: Bools, network: PatchNetwork | None = None
) -> PawnShape | None:
    """The shape of narrow pawns that explains best which holes hold one (shape: [holes]); None for usual ones."""
    network = network or PatchNetwork()
    shapes = _shapes(board)
    fits = [_fit(replace(board, pawn=shape), frame, pose, standing, network) for shape in shapes]
    best = int(np.argmax(fits))
    return shapes[best] if fits[best] > fits[0] + MIN_GAIN else None


def seen_pawn(
    board: BoardFile, frame: Frame, pose: CameraPose, network: PatchNetwork | None = None
) -> PawnShape | None:
    """The shape of narrow pawns with which the reader is by far surer of any picture with pawns; None for usual ones.

    Nothing is known of the holes, so that this finds fewer narrow pawns than `narrow_pawn`.
    """
    network = network or PatchNetwork()
    shapes = _shapes(board)
    read = [_doubt_and_pawns(replace(board, pawn=shape), frame, pose, network) for shape in shapes]
    best = min(range(len(shapes)), key=lambda number: read[number][0])
    doubt, pawns = read[best]
    clear = doubt < min(MAX_DOUBT_LEFT * read[0][0], read[0][0] - MIN_DOUBT_LOST)
    return shapes[best] if clear and pawns >= MIN_PAWNS_SEEN else None


def _shapes(board: BoardFile) -> list[PawnShape]:
    """The shape of usual pawns, and those of narrow ones."""
    usual = replace(board, pawn=None).usual_pawn
    return [usual, *(PawnShape("opaque", wide * board.pitch_mm) for wide in NARROW_PITCHES)]


def _doubt_and_pawns(
    board: BoardFile, frame: Frame, pose: CameraPose, network: PatchNetwork
) -> tuple[float, int]:
    """The mean doubt whether a hole is empty or has a pawn, in natural logarithms, and the number of clear pawns."""
    grid = patch_grid(pose, board)
    chance = state_chances(board, cut(frame, grid), grid, network)[grid.in_frame]
    if not len(chance):
        return 0.0, 0
    open_ = np.maximum(chance[:, :2], 1e-6)
    surer = open_.max(axis=1) / open_.sum(axis=1)
    return -float(np.log(surer).mean()), int((chance[:, 1] > CLEAR_PAWN).sum())


def _fit(board: BoardFile, frame: Frame, pose: CameraPose, standing: Bools, network: PatchNetwork) -> float:
    """The mean log chance of the known truth, holes with a pawn counting as much as all the others."""
    grid = patch_grid(pose, board)
    chance = np.log(state_chances(board, cut(frame, grid), grid, network))
    known = np.where(standing, chance[:, 1], chance[:, 0])
    groups = [known[grid.in_frame & chosen] for chosen in (standing, ~standing)]
    return float(sum(group.mean() for group in groups if len(group)))
