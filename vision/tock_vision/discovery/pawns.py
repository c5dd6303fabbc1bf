"""The colours of the pawns on a board that was found, as the table's reader sees them: whose seat is which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.rules import HoleKind
from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.feature_cache import HoleFeatureCache
from tock_vision.holes.hole_reader import HoleClassifier
from tock_vision.holes.network import COLORS, STATES, PatchNetwork
from tock_vision.holes.patches import patch_grid, small_frame

SURE_PAWN = 0.8
MOST_COST = 5.0
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


def look_at_pawns(views: Sequence[tuple[Frame, CameraPose]], board: BoardFile) -> PawnColors:
    """Read the colours of all pawns in photographs; poses are for the board file, in millimetres."""
    costs = np.zeros((board.zones, len(COLORS)))
    pawns, elsewhere = np.zeros(board.zones), np.zeros(len(COLORS))
    classifier = HoleClassifier(board, PatchNetwork())
    for frame, pose in views:
        logits = _logits(classifier, frame, pose).astype(float)
        states = np.exp(logits[:, :STATES] - logits[:, :STATES].max(axis=1, keepdims=True))
        stands = states[:, 1] / states.sum(axis=1) > SURE_PAWN
        colors = logits[:, STATES:] - logits[:, STATES:].max(axis=1, keepdims=True)
        colors -= np.log(np.exp(colors).sum(axis=1, keepdims=True))
        for number, hole in enumerate(board.holes):
            if not stands[number]:
                continue
            if hole.seat is not None:
                costs[hole.seat] += np.minimum(-colors[number], MOST_COST)
                pawns[hole.seat] += 1
            elif hole.kind is HoleKind.TRACK:
                elsewhere += np.exp(colors[number])
    return PawnColors(costs / max(len(views), 1), pawns / max(len(views), 1), elsewhere / max(len(views), 1))


def _logits(classifier: HoleClassifier, frame: Frame, pose: CameraPose) -> Floats:
    """What the network says of each hole, before anything is known of this board."""
    grid = patch_grid(pose, classifier.board)
    cache = HoleFeatureCache(classifier.board, classifier.network, None)
    cache.update(frame, small_frame(frame), grid)
    return np.asarray(classifier.context.logits(classifier.network, cache.features_seen(grid)))
