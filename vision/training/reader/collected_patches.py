"""Patches gathered picture by picture, with their truth, in arrays."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.context import KINDS, painted_owners, place_encoding
from tock_vision.holes.network import COLORS
from tock_vision.holes.patches import PatchGrid, closeness, cut, grid_at, light_color, patch_grid, usual_empty
from vision.training.reader.batch import BESIDE

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
        own = [-1 if owner is None else board.seats.index(owner) for owner in painted_owners(board)]
        places = {"P": place_encoding(board).astype(np.uint8), "O": np.array(own)}
        self._keep(grid, patches, truth | places, number, len(self.empty))
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
        colors = [spot["color"] for spot in spots]
        visible = np.array([spot["visible"] for spot in spots])
        hidden = visible < 1 - HIDDEN_SHARE
        states = np.where(hidden, 2, [int(color is not None) for color in colors])
        hues = np.where(hidden, -1, [COLORS.index(color) if color else -1 for color in colors])
        nowhere = {
            "P": np.zeros((len(spots), KINDS + len(COLORS)), np.uint8),
            "O": np.full(len(spots), BESIDE),
        }
        truth = {"Y": states, "C": hues, "V": visible}
        self._keep(grid, cut(frame, grid), truth | nowhere, number, len(self.empty) - 1)

    def _keep(
        self, grid: PatchGrid, patches: Array, truth: dict[str, Array], number: int, picture: int
    ) -> None:
        keep = grid.in_frame
        self.rows["X"].append((np.clip(patches[keep], 0, 3.98) * 64).astype(np.uint8))
        self.rows["S"].append((grid.silhouette[keep] * 255).astype(np.uint8))
        for key, values in truth.items():
            self.rows[key].append(values[keep])
        for key, value in (("B", number), ("R", picture)):
            self.rows[key].append(np.full(int(keep.sum()), value))

    def arrays(self) -> dict[str, Array]:
        """Everything gathered."""
        arrays = {key: np.concatenate(values) for key, values in self.rows.items()}
        return arrays | {"E": np.array(self.empty), "LC": np.array(self.light)}
