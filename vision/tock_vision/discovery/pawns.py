"""Reads the pawns on a board that was found, with the table's own networks, to learn the colours of the seats.

Constants set in `14bf7eac`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile
from tock_rules import HoleKind, Seat
from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.context import Context
from tock_vision.holes.feature_cache import HoleFeatureCache
from tock_vision.holes.network import COLORS, STATES, PatchNetwork
from tock_vision.holes.patches import patch_grid, small_frame

SURE_PAWN = 0.8
MAX_PAWN_COST = 5.0
"""Cap on the evidence of one pawn against a colour, as a natural logarithm."""


@dataclass(frozen=True)
class PawnColors:
    """Evidence of the pawns for each colour, in the order of the network."""

    costs: Floats
    """Cost of each colour as an explanation of the pawns in the camps and homes of each seat (shape: [zones,
    colours])."""
    pawns: Floats
    """The number of these pawns, on average over the photographs (shape: [zones])."""
    elsewhere: Floats
    """The number of pawns of each colour on the track."""


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
    """Colours of the seats in the order of their names, from the one numbered `first`."""
    names = list(COLOR_NAMES)
    return MappingProxyType(
        {seat: names[(first + place) % len(names)] for place, seat in enumerate(board.seats)}
    )


def _logits(
    board: BoardFile, network: PatchNetwork, contexts: Sequence[Context], frame: Frame, pose: CameraPose
) -> Floats:
    """Logits of the network for each hole, before anything is known of this board.

    The network's input includes the colour of the seat whose camp a hole is in. It is not known yet, so each colour is
    tried and the answers are averaged.
    """
    grid = patch_grid(pose, board)
    cache = HoleFeatureCache(board, network, None)
    cache.update(frame, small_frame(frame), grid)
    seen = cache.features_seen(grid)
    logits: Floats = np.mean([context.logits(network, seen) for context in contexts], axis=0, dtype=float)
    return logits
