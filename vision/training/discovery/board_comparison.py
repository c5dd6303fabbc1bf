"""Compares a found board with the true one: the holes that lie elsewhere, with the zones counted from any."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_rules import Hole, camp_holes_of
from tock_vision.arrays import Floats

SAME_PITCHES = 0.25
"""A hole that lies farther from where it should is wrong."""


@dataclass(frozen=True)
class Comparison:
    """A board that was found beside the true one, after a turn and the best homography."""

    turn: int
    """By how many zones the one is numbered further than the other."""
    off_pitches: Floats
    """Distance of each true hole from the found one (infinite where it is missing)."""
    wrong: tuple[Hole, ...]


def compare(found: BoardFile, true: BoardFile, turn: int) -> Comparison:
    """Find the wrong holes and the distance of each; which hole of a camp is the first does not matter."""
    track = [Hole.track(number) for number in range(true.shape.track_length)]
    names = [true.turned(hole, turn) for hole in track]
    plane = None
    if found.zones == true.zones:
        plane, _ = cv2.findHomography(_places(found, names), _places(true, track), cv2.RANSAC, 4.0)
    if plane is None:
        return Comparison(0, np.full(len(true.holes), np.inf), tuple(hole.id for hole in true.holes))
    off = _offsets(found, true, plane, turn)
    wrong = [hole.id for hole, away in zip(true.holes, off, strict=True) if away > SAME_PITCHES]
    return Comparison(turn, off, (*wrong, *sorted(set(found.by_id) - set(true.by_id))))


def _offsets(found: BoardFile, true: BoardFile, plane: Floats, turn: int) -> Floats:
    off = []
    for hole in true.holes:
        name = true.turned(hole.id, turn)
        known = [one for one in same_rank(name) if one in found.by_id]
        if not known:
            off.append(np.inf)
            continue
        moved = cv2.perspectiveTransform(_places(found, known)[None], plane)[0]
        off.append(float(np.linalg.norm(moved - [hole.x_mm, hole.y_mm], axis=1).min()) / true.pitch_mm)
    return np.array(off)


def same_rank(hole: Hole) -> Sequence[Hole]:
    """The holes that may stand for one: all four of its camp, or itself."""
    return camp_holes_of(hole.seat) if hole.in_camp and hole.seat is not None else [hole]


def _places(board: BoardFile, names: Sequence[Hole]) -> Floats:
    return np.array([(board.hole(name).x_mm, board.hole(name).y_mm) for name in names])
