"""Occlusion: what covers one hole mostly covers its neighbours, and a tall pawn hides the hole behind it.

Which hole a tall pawn hides follows from the pose alone.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Ints, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.patches import TALL_PITCHES
from tock_vision.holes.readings import Chances

NEIGHBOURS = 4
OCCLUDED_FROM_CHANCE = 0.5
"""A neighbour counts as covered above this chance, so that a blurred picture does not spread mere doubts."""
USUAL_OCCLUDED_SHARE = 0.04
"""Share of covered neighbours that says nothing; more of them make a hole likelier covered."""
NEIGHBOUR_EXPONENT = 0.75
"""Weight of the neighbours.

On 140 path-traced pictures that no training saw and 209 readings of the given stills it leaves 1,332 of 44,199 holes
unknown and calls 37 of 1,476 occluded ones; 1.25 leaves 1,393 and calls 36.
"""
MIN_COVERED_SHARE = 0.5
"""A hole covered this far by a tall pawn is unknown; in the sample stills all such holes are occluded."""
NARROWEST_PITCHES = 0.2
"""Least half width of a tall pawn."""


@lru_cache(maxsize=64)
def _neighbours(board: BoardFile) -> Ints:
    """The nearest neighbours of every hole (shape: [n, NEIGHBOURS])."""
    points = hole_points_mm(board)
    far = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(far, np.inf)
    nearest: Ints = np.argsort(far, axis=1)[:, :NEIGHBOURS]
    return nearest


def with_neighbours(chance: Chances, board: BoardFile) -> Chances:
    """Make holes among covered ones likelier covered, and those among clear ones less likely."""
    firm = np.maximum(chance.occluded - OCCLUDED_FROM_CHANCE, 0.0) / (1.0 - OCCLUDED_FROM_CHANCE)
    near = firm[_neighbours(board)].mean(axis=1)
    factor = ((near + USUAL_OCCLUDED_SHARE / 2) / USUAL_OCCLUDED_SHARE) ** NEIGHBOUR_EXPONENT
    total = 1.0 - chance.occluded + chance.occluded * factor
    return replace(
        chance,
        empty=chance.empty / total,
        pawn=chance.pawn / total,
        occluded=chance.occluded * factor / total,
    )


@dataclass(frozen=True)
class TallPawnOcclusion:
    """Holes that tall pawns hide: one in hole `front[n]` hides hole `back[n]`."""

    front: Ints
    back: Ints

    def occluded_holes(self, chance: Chances) -> Bools:
        """Mask the holes behind pawns that likely stand (shape: [n])."""
        seat = chance.seats.argmax(axis=1)
        # A pawn of another colour is still recognised by its head above the pawn in front.
        other = (chance.pawn[self.back] > 0.5) & (seat[self.back] != seat[self.front])
        occluded = np.zeros(len(chance.pawn), dtype=bool)
        occluded[self.back[(chance.pawn[self.front] > 0.5) & ~other]] = True
        return occluded


def tall_pawn_occlusion(pose: CameraPose, board: BoardFile) -> TallPawnOcclusion:
    """Work out which holes tall pawns hide from a pose; none where pawns are marbles."""
    if board.pawn is None or board.pawn.is_marble:
        return TallPawnOcclusion(np.zeros(0, int), np.zeros(0, int))
    points, places_px = hole_points_mm(board), pose.project(hole_points_mm(board))
    front, back = np.nonzero(np.linalg.norm(points[:, None] - points[None], axis=2) < 2.2 * board.pitch_mm)
    front, back = front[front != back], back[front != back]
    height = TALL_PITCHES * board.pitch_mm
    body = (pose.up(points, height) * height)[front]
    scale = pose.scale(points)
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    disc = np.vstack([[0, 0], *(part * np.stack([np.cos(angle), np.sin(angle)], 1) for part in (0.4, 0.8))])
    radius = np.array([hole.d_mm / 2 for hole in board.holes])[back] * scale[back]
    spots = places_px[back][:, None] + radius[:, None, None] * disc[None] - places_px[front][:, None]
    length = np.maximum((body**2).sum(axis=1), 1e-6)
    along = np.clip((spots * body[:, None]).sum(axis=2) / length[:, None], 0.0, 1.0)
    gap = np.linalg.norm(spots - along[..., None] * body[:, None], axis=2)
    width = max(board.pawn.radius_mm, NARROWEST_PITCHES * board.pitch_mm) * scale[front]
    covers: Singles = (gap < width[:, None]).mean(axis=1)
    kept = covers > MIN_COVERED_SHARE
    return TallPawnOcclusion(front[kept], back[kept])
