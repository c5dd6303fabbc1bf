"""The two small networks that tell of a hole whether it is empty, has a pawn or is occluded, and the colour."""

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np

from tock_vision.arrays import Singles

COLORS = (
    "black",
    "blue",
    "brown",
    "green",
    "grey",
    "orange",
    "pink",
    "purple",
    "red",
    "turquoise",
    "white",
    "yellow",
)
"""The colours in the order of the network's outputs."""
STATES = 3
"""Outputs 0 to 2 are the logits of empty, pawn and occluded; the colours follow."""
FEATURES = 64
BATCH = 8
"""A network keeps the memory of its largest batch: 4 MB less than at 64 after 112 holes, with the same answers."""


class PatchNetwork:
    """Runs the networks of the package; one instance for each thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """Load `patches.onnx` and `context.onnx` of a folder, those of the package when none is named."""
        packaged = files("tock_vision").joinpath("data")
        loaded = []
        for name in ("patches.onnx", "context.onnx"):
            data = (
                (folder / name).read_bytes() if folder is not None else packaged.joinpath(name).read_bytes()
            )
            loaded.append(cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)))
        self._patches, self._context = loaded

    def features(self, patches: Singles) -> Singles:
        """Extract features of patches (shape: [n, CHANNELS, PATCH_PX, PATCH_PX] to [n, FEATURES])."""
        parts = []
        for start in range(0, len(patches), BATCH):
            self._patches.setInput(np.ascontiguousarray(patches[start : start + BATCH]))
            parts.append(np.array(self._patches.forward(), dtype=np.float32))
        return np.concatenate(parts) if parts else np.zeros((0, FEATURES), dtype=np.float32)

    def logits(self, stacked: Singles) -> Singles:
        """Outputs for features stacked with their context by `Context` (to [n, 3 + colours])."""
        if not len(stacked):
            return np.zeros((0, STATES + len(COLORS)), dtype=np.float32)
        self._context.setInput(np.ascontiguousarray(stacked))
        return np.array(self._context.forward(), dtype=np.float32)
