"""Traces pictures of boards in play, with the truth of every hole. Needs numba."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.camera_pose import CameraPose
from tock_vision.rendering.appearance import pose_of
from vision.training.pictures.pawns import place_pawns
from vision.training.pictures.random_boards import random_appearance, random_board
from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.shapes import covered
from vision.training.pictures.traced_pictures import furnished
from vision.training.pictures.wooden_boards import Board

Array = Any
PAINTS: tuple[Literal["ring", "bowl", "disc"], ...] = ("ring", "bowl", "disc")
EXPOSURES, EXPOSURE_SHARES = ("fair", "light", "dim"), (0.76, 0.12, 0.12)


@dataclass(frozen=True)
class Scene:
    """A made picture."""

    frame: Array
    board: BoardFile
    """The board as the reader is given it."""
    entry: dict[str, Any]
    """The truth, as a still's entry has it."""


def one_scene(seed: int) -> Scene:
    """A picture with pawns as the rules allow; light and hands are about as frequent as in the given stills."""
    rng = np.random.default_rng(seed)
    board = random_board(rng)
    appearance = random_appearance(rng)
    if rng.random() < 0.35:
        appearance = replace(appearance, collar=None, paint=PAINTS[int(rng.choice(len(PAINTS)))])
    # The small frames of a quick look still have as many pixels from hole to hole as the stills.
    size_px = (800, 600) if appearance.size_px[1] == 960 else (900, 600)
    pose = pose_of(board, replace(appearance, fill=float(rng.uniform(0.75, 1.15)), size_px=size_px))
    drawn = Board(board, appearance, rng)
    placing, exposure = partial(place_pawns, strictly=True), str(rng.choice(EXPOSURES, p=EXPOSURE_SHARES))
    return pictured(drawn, pose, rng, seed, hands=0.25, things=0.45, placing=placing, exposure=exposure)


def pictured(drawn: Board, pose: CameraPose, rng: Any, seed: int, **furniture: Any) -> Scene:
    """A picture of a board with `furniture` as `furnished` takes it, and its truth."""
    truth = furnished(drawn, pose, rng, **furniture)
    spots = _beside(drawn.board, truth, np.random.default_rng(seed + 1_000_000))
    return Scene(
        truth["frame"], drawn.board, {"holes": truth["holes"], "view": truth["view"], "spots": spots}
    )


def _beside(board: BoardFile, truth: dict[str, Any], rng: Any) -> list[Any]:
    """Places beside the holes, with and without a pawn there."""
    (origin, rows, bounds), loose = truth["rows"], truth["loose"]
    spots = []
    lying = np.array([place for place, _ in loose]).reshape(-1, 2)
    pitch = board.pitch_mm
    tries = [(place + rng.normal(0, 0.08, 2) * pitch, color) for place, color in loose for _ in range(2)]
    tries += [(rng.uniform(0.02, 0.98, 2) * board.size_mm, None) for _ in range(14)]
    for place, color in tries:
        gap = np.linalg.norm(lying - place, axis=1).min() if len(lying) else 1e9
        if color is None and (gap < 1.1 * pitch or board.nearest(*place)[1] < 0.6 * pitch):
            continue
        foot = np.array([*place, 0.0])
        points = foot + np.column_stack([rng.normal(0, 0.15, (24, 2)) * pitch, np.full(24, 0.3)])
        hidden = covered(origin, points, COVER_ID + 1, rows, bounds)
        spots.append({"mm": place.tolist(), "color": color, "visible": round(1 - hidden, 3)})
    return spots
