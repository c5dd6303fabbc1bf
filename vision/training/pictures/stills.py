"""Pictures of boards with the truth of every hole, given or made.

Each given picture has a line in `stills.jsonl`, its entry: `image` and `board` name files; `holes` has for each hole
`px`, `state`, `color`, `hidden` and `visible` (share). Made pictures have entries with `view`, their pose's parameters.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Frame
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, fit, from_points

Entry = dict[str, Any]


def entries_of(folder: Path) -> list[Entry]:
    """The entries of a folder's pictures."""
    return [json.loads(line) for line in (folder / "stills.jsonl").read_text().splitlines()]


def entries_to_learn(folder: Path, without: Sequence[str]) -> list[Entry]:
    """The entries of a folder's pictures of all boards but those named."""
    return [entry for entry in entries_of(folder) if board_name(entry) not in without]


def board_name(entry: Entry) -> str:
    """The name of the board file of a picture, such as D01."""
    return Path(entry["board"]).stem


def frame_of(folder: Path, entry: Entry, flags: int = cv2.IMREAD_COLOR) -> Frame:
    """The pixels of a picture; FileNotFoundError where there are none."""
    frame = cv2.imread(str(folder / entry["image"]), flags)
    if frame is None:
        raise FileNotFoundError(f"{folder / entry['image']} is no picture")
    return np.asarray(frame)


def pose_of(entry: Entry, board: BoardFile, size_px: tuple[int, ...]) -> CameraPose:
    """The pose that a picture was made with, or that fits the true places of its holes."""
    if "view" in entry:
        return CameraPose(np.array(entry["view"]), (size_px[0], size_px[1]))
    return fitted_pose(entry, board, size_px)


def fitted_pose(entry: Entry, board: BoardFile, size_px: tuple[int, ...]) -> CameraPose:
    """The pose that fits the true places of a picture's holes."""
    places_px = np.array([entry["holes"][hole.id]["px"] for hole in board.holes])
    points, size = hole_points_mm(board), (size_px[0], size_px[1])
    poses = []
    for focal, radial in ((1.0, 0.0), (0.8, 0.0), (0.6, -0.12), (0.47, -0.16)):
        for start in from_points(points, places_px, size, focal * size[0], radial):
            pose = fit(start, points, places_px, 1.0)
            off = np.linalg.norm(pose.project(points) - places_px, axis=1)
            poses.append((float(np.median(off)), pose))
    return min(poses, key=lambda pair: pair[0])[1]
