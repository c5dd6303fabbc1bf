"""The colours of the pawns on a board that was found, as the table's reader sees them: whose seat is which."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile
from tock_companion.rules import HoleKind, Seat
from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.context import Context
from tock_vision.holes.feature_cache import HoleFeatureCache
from tock_vision.holes.network import COLORS, STATES, PatchNetwork
from tock_vision.holes.patches import patch_grid, small_frame

SURE_PAWN = 0.8
MAX_PAWN_COST = 5.0
"""What one pawn speaks against a colour at most, in natural logarithms."""


@dataclass(frozen=True)
class PawnColors:
    """What the pawns of one board say, colour by colour in the order of the network."""

    costs: Floats
    """How badly each colour explains the pawns in the camps and homes of each seat (shape: [zones, colours])."""
    pawns: Floats
    """So many pawns these are in a photograph, on average (shape: [zones])."""
    elsewhere: Floats
    """So many pawns of each colour stand on the track."""


def read_pawns(views: Sequence[tuple[Frame, CameraPose]], board: BoardFile) -> PawnColors:
    """Read the colours of all pawns in photographs; poses are for the board file, in millimetres."""
    costs = np.zeros((board.zones, len(COLORS)))
    pawns, elsewhere = np.zeros(board.zones), np.zeros(len(COLORS))
    network = PatchNetwork()
    contexts = [
        Context(replace(board, colors=_colors_from(board, first))) for first in range(len(COLOR_NAMES))
    ]
    for frame, pose in views:
        logits = _logits(board, network, contexts, frame, pose)
        states = np.exp(logits[:, :STATES] - logits[:, :STATES].max(axis=1, keepdims=True))
        stands = states[:, 1] / states.sum(axis=1) > SURE_PAWN
        colors = logits[:, STATES:] - logits[:, STATES:].max(axis=1, keepdims=True)
        colors -= np.log(np.exp(colors).sum(axis=1, keepdims=True))
        for number, hole in enumerate(board.holes):
            if not stands[number]:
                continue
            if hole.seat is not None:
                costs[hole.seat] += np.minimum(-colors[number], MAX_PAWN_COST)
                pawns[hole.seat] += 1
            elif hole.kind is HoleKind.TRACK:
                elsewhere += np.exp(colors[number])
    return PawnColors(costs / max(len(views), 1), pawns / max(len(views), 1), elsewhere / max(len(views), 1))


def _colors_from(board: BoardFile, first: int) -> MappingProxyType[Seat, str]:
    """Colours in the order of their names, from some one on."""
    names = list(COLOR_NAMES)
    return MappingProxyType(
        {seat: names[(first + place) % len(names)] for place, seat in enumerate(board.seats)}
    )


def _logits(
    board: BoardFile, network: PatchNetwork, contexts: Sequence[Context], frame: Frame, pose: CameraPose
) -> Floats:
    """What the network says of each hole, before anything is known of this board.

    It expects the colour of whose camp a hole is in, and nobody knows it yet: it is told each colour once.
    """
    grid = patch_grid(pose, board)
    cache = HoleFeatureCache(board, network, None)
    cache.update(frame, small_frame(frame), grid)
    seen = cache.features_seen(grid)
    logits: Floats = np.mean([context.logits(network, seen) for context in contexts], axis=0, dtype=float)
    return logits
