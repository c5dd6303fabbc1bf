"""The small network that says of a patch: empty, pawn or hidden, and which colour."""

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
"""Outputs 0 to 2 are the logits of empty, pawn and hidden; the colours follow."""
BATCH = 64


class PatchNetwork:
    """Runs the network of the package; one instance for each thread."""

    def __init__(self, file: Path | None = None) -> None:
        """Load a file in ONNX form, the one of the package when none is named."""
        packaged = files("tock_vision").joinpath("data", "reader.onnx")
        weights = file.read_bytes() if file is not None else packaged.read_bytes()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))

    def logits(self, patches: Singles) -> Singles:
        """Return the outputs for patches (shape: [n, CHANNELS, SIZE, SIZE] to [n, 3 + colours])."""
        parts = []
        for start in range(0, len(patches), BATCH):
            self._net.setInput(np.ascontiguousarray(patches[start : start + BATCH]))
            parts.append(np.array(self._net.forward(), dtype=np.float32))
        if not parts:
            return np.zeros((0, STATES + len(COLORS)), dtype=np.float32)
        return np.concatenate(parts)
