"""Patches gathered picture by picture, with their truth, in arrays."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.context import KINDS, painted_owners, place_encoding
from tock_vision.holes.network import COLORS
from tock_vision.holes.patches import closeness, cut, grid_at, light_color, patch_grid, usual_empty

Array = Any
HIDDEN_SHARE = 0.4


@dataclass
class Collected:
    """Rows of the file, gathered picture by picture."""

    rows: dict[str, list[Array]] = field(default_factory=lambda: {key: [] for key in "XSYCVBRPO"})
    empty: list[Array] = field(default_factory=list)
    light: list[Array] = field(default_factory=list)

    def add(
        self, frame: Array, pose: CameraPose, board: BoardFile, truth: dict[str, Array], number: int
    ) -> None:
        """Cut the patches of a frame and keep them with their truth."""
        grid = patch_grid(pose, board)
        patches = cut(frame, grid)
        keep = grid.in_frame
        self.rows["X"].append((np.clip(patches[keep], 0, 3.98) * 64).astype(np.uint8))
        self.rows["S"].append((grid.silhouette[keep] * 255).astype(np.uint8))
        for key, values in truth.items():
            self.rows[key].append(values[keep])
        count = int(keep.sum())
        self.rows["B"].append(np.full(count, number))
        self.rows["R"].append(np.full(count, len(self.empty)))
        self.rows["P"].append(place_encoding(board)[keep].astype(np.uint8))
        own = [-1 if owner is None else board.seats.index(owner) for owner in painted_owners(board)]
        self.rows["O"].append(np.array(own)[keep])
        self.empty.append(usual_empty(patches, board))
        self.light.append(light_color(patches))

    def add_spots(
        self, frame: Array, pose: CameraPose, board: BoardFile, spots: list[Any], number: int
    ) -> None:
        """Cut places beside the holes of the picture added last."""
        if not spots:
            return
        points = np.array([spot["mm"] for spot in spots])
        grid = grid_at(pose, board, points, np.full(len(points), board.pitch_mm * closeness(board)))
        keep = grid.in_frame
        patches = cut(frame, grid)[keep]
        colors = [spot["color"] for spot in spots]
        visible = np.array([spot["visible"] for spot in spots])
        hidden = visible < 1 - HIDDEN_SHARE
        states = np.where(hidden, 2, [int(color is not None) for color in colors])
        hues = np.where(hidden, -1, [COLORS.index(color) if color else -1 for color in colors])
        self.rows["X"].append((np.clip(patches, 0, 3.98) * 64).astype(np.uint8))
        self.rows["S"].append((grid.silhouette[keep] * 255).astype(np.uint8))
        for key, values in (("Y", states), ("C", hues), ("V", visible)):
            self.rows[key].append(values[keep])
        count = int(keep.sum())
        self.rows["B"].append(np.full(count, number))
        self.rows["R"].append(np.full(count, len(self.empty) - 1))
        self.rows["P"].append(np.zeros((count, KINDS + len(COLORS)), np.uint8))
        self.rows["O"].append(np.full(count, -2))

    def arrays(self) -> dict[str, Array]:
        """Everything gathered."""
        arrays = {key: np.concatenate(values) for key, values in self.rows.items()}
        return arrays | {"E": np.array(self.empty), "LC": np.array(self.light)}
