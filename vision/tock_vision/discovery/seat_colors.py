"""The colour of each seat: from pawns in camps and from paint on camps, homes and starts.

Constants set in `4c76c3e3`; PAINT_WEIGHT, RARE_COST, SURE_COST, THERE_GAIN in `14bf7eac`; SURE_LEAD in `267b8779`;
RARE in `17a01c3c`.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from tock_companion.boardfile import COLOR_NAMES
from tock_rules import PAWNS_PER_SEAT
from tock_vision.arrays import Floats, Frame
from tock_vision.assignment import assigned
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.pawns import PawnColors

SPOT_PITCHES = np.array([0.0, 0.12, 0.25, 0.38, 0.48])
DIRECTIONS = 12
FAR_FROM_BOARD = 14.0
"""Distance (CIE Lab) from the board's colour below which a colour is the board's own."""
UNSURE_COST = 1500.0
PAINT_WEIGHT, RARE_COST, THERE_GAIN, SURE_COST = 1.5, 2.0, 2.0, 1.0
"""Natural logarithms, beside the cost from the pawns: the weight of paint, the cost of a rare colour, the gain for a
pawn
of the colour on the track; and the highest cost of a seat's own pawns with which its colour is sure."""
SURE_LEAD = 4.0
"""By how much the next naming of the seats must be worse for the colours to be sure: in warm light brown passes for
orange and white for grey. Of 181 stills of D01 to D12 101 are called sure, none of them wrongly."""
RARE = ("grey", "pink", "turquoise")


def colors_around(frame: Frame, pose: CameraPose, places: Floats) -> Floats:
    """Colours around holes, in CIE Lab (shape: [holes, samples, 3])."""
    angle = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ring = (SPOT_PITCHES[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)).reshape(-1, 2)
    at = pose.project((places[:, None] + ring[None]).reshape(-1, 2)).round().astype(int)
    x = np.clip(at[:, 0], 0, frame.shape[1] - 1)
    y = np.clip(at[:, 1], 0, frame.shape[0] - 1)
    seen = frame[y, x].astype(np.float32)[None] / 255
    colors: Floats = cv2.cvtColor(seen, cv2.COLOR_BGR2Lab).astype(float).reshape(len(places), -1, 3)
    return colors


def name_colors(seats: Sequence[Floats], plain: Floats, pawns: PawnColors) -> tuple[list[str], bool]:
    """Name the colour of each seat, all different, and say whether the names are sure.

    `seats` has the colours seen around the holes of each seat, `plain` those around holes of no seat.
    """
    ground = np.median(plain.reshape(-1, 3), axis=0)
    names = list(COLOR_NAMES)
    known = np.array([lab_of(COLOR_NAMES[name]) for name in names])
    painted = np.array(
        [_costs(colors.reshape(-1, 3), ground, plain.reshape(-1, 3), known) for colors in seats]
    )
    rare = RARE_COST * np.isin(names, RARE)
    there = THERE_GAIN * np.minimum(pawns.elsewhere, PAWNS_PER_SEAT - 1)
    cost = pawns.costs + PAINT_WEIGHT * painted / UNSURE_COST + rare - there
    chosen = assigned(cost)
    own = pawns.costs[np.arange(len(seats)), chosen] / np.maximum(pawns.pawns, 1)
    sure = bool((pawns.pawns > 0).all() and own.max() < SURE_COST and _lead(cost, chosen) > SURE_LEAD)
    return [names[number] for number in chosen], sure


def _lead(cost: Floats, chosen: Sequence[int]) -> float:
    """By how much the next best naming costs more: one seat given a free colour, or two seats swapped."""
    rows = np.arange(len(chosen))
    own = cost[rows, chosen]
    other = np.delete(cost, chosen, axis=1).min(axis=1) - own
    given = cost[:, chosen]
    swapped = given + given.T - own[:, None] - own[None]
    return float(min(other.min(), swapped[~np.eye(len(chosen), dtype=bool)].min()))


def _costs(colors: Floats, ground: Floats, plain: Floats, known: Floats) -> Floats:
    """Cost of each known colour as an explanation of the colours seen at a seat and nowhere else."""
    usual = np.linalg.norm(plain - ground, axis=1)
    off = np.linalg.norm(colors - ground, axis=1)
    own = colors[off > max(FAR_FROM_BOARD, float(np.quantile(usual, 0.5)))]
    if len(own) < 8:
        return np.full(len(known), UNSURE_COST)
    gap = own[:, None] - known[None]
    # Lamps change the brightness more than the hue.
    gap[..., 0] *= 0.55
    nearest = np.minimum((gap**2).sum(axis=2), UNSURE_COST)
    cost: Floats = nearest.mean(axis=0)
    return cost


def lab_of(code: str) -> Floats:
    """A colour written as `#rrggbb`, in CIE Lab."""
    rgb = np.array([[[int(code[place : place + 2], 16) / 255 for place in (5, 3, 1)]]], dtype=np.float32)
    lab: Floats = cv2.cvtColor(rgb, cv2.COLOR_BGR2Lab)[0, 0].astype(float)
    return lab
