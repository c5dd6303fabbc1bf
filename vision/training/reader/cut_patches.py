"""Cuts the patches of the board reader from pictures with truth, given or made."""

from dataclasses import replace
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.network import COLORS
from vision.training.pictures.stills import Entry, pose_of
from vision.training.reader.collected_patches import Collected

Array = Any

NO_OUTLINE = -1
"""Number of boards whose file does not say how wide the pawns are: their outlines are only a guess."""


def shaken(pose: CameraPose, board: BoardFile, rng: np.random.Generator) -> CameraPose:
    """A slightly wrong pose, like one from registration."""
    params = pose.params.copy()
    params[3:5] += rng.normal(0, 0.07 * board.pitch_mm, 2)
    params[5] *= 1 + rng.normal(0, 0.006)
    params[:3] += rng.normal(0, 0.004, 3)
    return replace(pose, params=params)


def cut_picture(out: Collected, frame: Array, board: BoardFile, entry: Entry, rng: Any, times: int) -> None:
    """Cut one picture: once with its true pose, then with slightly wrong ones."""
    holes = [entry["holes"][hole.id] for hole in board.holes]
    pose = pose_of(entry, board, frame.shape[1::-1])
    truth = {
        "Y": np.array([2 if hole["hidden"] else int(hole["state"] == "pawn") for hole in holes]),
        "C": np.array([COLORS.index(hole["color"]) if hole["color"] else -1 for hole in holes]),
        "V": np.array([hole["visible"] for hole in holes]),
    }
    number = 0 if "view" in entry else int("".join(filter(str.isdigit, board.name)) or 0)
    number = NO_OUTLINE if board.pawn is None else number
    for turn in range(times):
        seen = shaken(pose, board, rng) if turn else pose
        out.add(frame, seen, board, truth, number)
        out.add_spots(frame, seen, board, spots_of(entry, board, pose, rng), number)


def spots_of(entry: Entry, board: BoardFile, pose: CameraPose, rng: np.random.Generator) -> list[Any]:
    """Places beside the holes; where the truth names none, those of loose pawns and some bare wood."""
    if "spots" in entry:
        return list(entry["spots"])
    if entry["hand"] or "cards_centre" in entry["tags"]:
        return []
    shape = board.usual_pawn
    lying = [(loose["px"], loose["colour"]) for loose in entry["loose"] if loose["state"] == "off_hole"]
    spots = []
    for _ in range(10):
        place = rng.uniform(0.03, 0.97, 2) * board.size_mm
        seen = pose.project(place[None], shape.radius_mm if shape.is_marble else 0.0)[0]
        pitch_px = board.pitch_mm * float(pose.scale(place[None])[0])
        gaps = [float(np.linalg.norm(seen - px)) / pitch_px for px, _ in lying]
        if board.nearest(*place)[1] > 0.6 * board.pitch_mm and min(gaps, default=9.0) > 1.2:
            spots.append({"mm": place.tolist(), "color": None, "visible": 1.0})
    for px, color in lying if shape.is_marble else []:
        place = np.array(board.size_mm) / 2
        for _ in range(8):
            slope = np.stack([pose.project((place + step)[None], shape.radius_mm)[0] for step in np.eye(2)])
            now = pose.project(place[None], shape.radius_mm)[0]
            place = place + np.linalg.solve((slope - now).T, np.array(px) - now)
        if board.nearest(*place)[1] > 0.5 * board.pitch_mm:
            spots += [{"mm": place.tolist(), "color": color, "visible": 1.0}] * 2
    return spots
