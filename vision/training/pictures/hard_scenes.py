"""Traces pictures of boards that are hard to read, with the truth of every hole. Needs numba."""

from dataclasses import replace

import numpy as np

from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import pose_of
from vision.training.pictures.hard_boards import GROUNDS, SHAPES, HardBoard, some_traits, with_pawns_of
from vision.training.pictures.made_layouts import made_layout
from vision.training.pictures.pawns import place_crowd, place_pawns
from vision.training.pictures.random_boards import COMMON, random_appearance
from vision.training.pictures.scenes import Scene, pictured

SIZES_PX = {4: (800, 600), 6: (960, 720), 8: (1120, 840)}
EXPOSURES, GLASS_EXPOSURES = (0.7, 0.2, 0.1), (0.35, 0.6, 0.05)
"""Shares of pictures that are exposed fairly, bright and dim."""
NO_SHAPE = 0.5
"""Share of the boards whose file does not say how wide the pawns are, as of a board that was photographed."""


def hard_scene(seed: int) -> Scene:
    """A picture of a board that is hard to read."""
    rng = np.random.default_rng(seed)
    traits = some_traits(rng)
    zones = int(rng.choice([4, 6, 8], p=[0.65, 0.25, 0.1]))
    names = rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())
    board = made_layout(zones, str(rng.choice(SHAPES)), rng, off=0.015, names=names)
    board = with_pawns_of(board, traits, rng)
    appearance = replace(
        random_appearance(rng),
        board=tuple(np.clip(np.array(GROUNDS[rng.integers(len(GROUNDS))]) * rng.uniform(0.8, 1.2), 5, 240)),
        size_px=SIZES_PX[zones], fill=float(rng.uniform(0.75, 1.1)), starts=bool(rng.random() < 0.75),
    )  # fmt: skip
    pose = pose_of(board, appearance)
    exposure = str(
        rng.choice(["fair", "light", "dim"], p=GLASS_EXPOSURES if "glass" in traits else EXPOSURES)
    )
    scene = pictured(
        HardBoard(board, appearance, traits, rng), pose, rng, seed, hands=0.1, things=0.2,
        placing=place_crowd if "full" in traits else place_pawns, exposure=exposure,
    )  # fmt: skip
    return replace(scene, board=replace(board, pawn=None)) if rng.random() < NO_SHAPE else scene
