"""Finds corner indices by running the same small network on the picture in several sizes."""

from collections.abc import Callable
from importlib.resources import files

import cv2
import numpy as np

from tock_vision.arrays import Frame, Singles
from tock_vision.cards.corners import Corner

STRIDE = 4
USUAL_PX = 20.0
"""The network gives heights as the log of a multiple of this."""
GREY_LEVEL = 128
"""Value of a pixel outside the picture."""
MAX_PX = 640
FINE_SCALE, COARSE_SCALES = 1.0, (0.5, 0.25)
"""Sizes in which the picture is searched, as shares of `MAX_PX`."""
LARGE_PX, SEEN_SCORE = 38.0, 0.5
"""The fine size adds nothing where all indices seen in the coarse ones would be at least this tall in it."""
MIN_SCORE, CLOSER_SCORE = 0.25, 0.1
CLOSER_SCALE = 1.5
"""The additional size where cards are known to be missing."""
MAX_CORNERS = 48
MAX_SIZES = 4
"""Sizes of pictures kept ready, for cameras that send the same size again and again. More only take memory."""


def read_net(name: str) -> cv2.dnn.Net:
    """Load a network of the package; the classic engine is the quicker one on these."""
    data = np.frombuffer(files("tock_vision").joinpath("data", name).read_bytes(), np.uint8)
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    # The annotations of some versions leave the engine out.
    read: Callable[..., cv2.dnn.Net] = cv2.dnn.readNetFromONNX
    return read(data) if engine is None else read(data, engine)


class Finder:
    """Runs the finder; one instance for each thread."""

    def __init__(self) -> None:
        """Load nothing yet: OpenCV plans again whenever the size changes, so every size has its network."""
        self._nets: dict[tuple[int, ...], cv2.dnn.Net] = {}

    def find(
        self,
        image: Frame,
        closer: bool = False,
        longest_px: float = MAX_PX,
        lowest: float = MIN_SCORE,
    ) -> list[Corner]:
        """Find corners, most certain first, at most `MAX_CORNERS`; `closer` takes more time and finds more.

        `longest_px` is the longer side of the largest size in which the picture is searched, `lowest` the least score.
        """
        lowest = min(lowest, CLOSER_SCORE) if closer else lowest
        height, width = image.shape[:2]
        first = min(1.0, longest_px / max(height, width))
        pictures, current = {}, image
        for level in (CLOSER_SCALE, FINE_SCALE, *COARSE_SCALES) if closer else (FINE_SCALE, *COARSE_SCALES):
            size = tuple(max(32, round(side * first * level / 32) * 32) for side in (width, height))
            pictures[level] = current = resized(image if level >= FINE_SCALE else current, size)

        def seen(level: float) -> list[Corner]:
            rows, columns = pictures[level].shape[:2]
            maps = self._answer(pictures[level])
            return decode(maps, lowest, width / columns, height / rows)

        found = [corner for level in COARSE_SCALES for corner in seen(level)]
        heights = [corner.height_px * first for corner in found if corner.score >= SEEN_SCORE]
        if closer or not heights or min(heights) < LARGE_PX:
            found += seen(FINE_SCALE)
        if closer:
            found += seen(CLOSER_SCALE)
        return without_doubles(found)

    def _answer(self, picture: Frame) -> Singles:
        """The output of the network (shape: [6, rows, columns])."""
        size = picture.shape[:2]
        if size not in self._nets:
            full = len(self._nets) >= MAX_SIZES
            # To plan another size is quick, to read the file again is not.
            self._nets[size] = (
                self._nets.pop(next(iter(self._nets))) if full else read_net("card_finder.onnx")
            )
        self._nets[size].setInput(folded(picture))
        return np.asarray(self._nets[size].forward()[0], dtype=np.float32)


def folded(image: Frame) -> Singles:
    """Fold a picture into the form of the network: the four pixels of a cell are 12 channels, with a grey margin.

    Shape: [height, width, 3], both even, to [1, 12, height / 2 + 1, width / 2 + 1], margin above and to the left.
    """
    grey = cv2.copyMakeBorder(image, 2, 0, 2, 0, cv2.BORDER_CONSTANT, value=(GREY_LEVEL,) * 3)
    rows, columns = grey.shape[0] // 2, grey.shape[1] // 2
    cells = grey.reshape(rows, 2, columns, 6)
    values: Singles = np.empty((1, 12, rows, columns), np.float32)
    for line in (0, 1):
        for channel, plane in enumerate(cv2.split(np.ascontiguousarray(cells[:, line]))):
            values[0, 6 * line + channel] = plane
    return values


def resized(image: Frame, size: tuple[int, ...]) -> Frame:
    """Resize a picture; averaging over areas is fast only by whole factors."""
    width, height = image.shape[1::-1]
    if size == (width, height):
        return image
    factor = max(1, min(width // size[0], height // size[1]))
    if factor > 1 and (width, height) != (size[0] * factor, size[1] * factor):
        image = np.asarray(cv2.resize(image, (size[0] * factor, size[1] * factor)), dtype=np.uint8)
    whole = cv2.INTER_AREA if factor > 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=whole), dtype=np.uint8)


def decode(maps: Singles, lowest: float, x_scale: float, y_scale: float) -> list[Corner]:
    """Turn the peaks of one level's output (shape: [6, rows, columns]) into corners in pixels of the picture."""
    logits = np.ascontiguousarray(maps[0])
    peaks = (logits >= np.log(lowest / (1 - lowest))) & (
        logits == cv2.dilate(logits, np.ones((3, 3), np.uint8))
    )
    rows, columns = np.nonzero(peaks)
    heat, right, down, sine, cosine, size = maps[:, rows, columns].astype(np.float64)
    corners = (
        (columns + 0.5 + right) * STRIDE * x_scale,
        (rows + 0.5 + down) * STRIDE * y_scale,
        np.arctan2(sine, cosine),
        np.exp(np.clip(size, -1.5, 1.5)) * USUAL_PX * (x_scale + y_scale) / 2,
        1 / (1 + np.exp(-heat)),
    )
    return [Corner(*values) for values in zip(*(column.tolist() for column in corners), strict=True)]


def without_doubles(corners: list[Corner], most: int = MAX_CORNERS) -> list[Corner]:
    """Keep the most certain of corners that lie within half an index of each other."""
    kept: list[Corner] = []
    places = np.empty((most, 3))
    for corner in sorted(corners, key=lambda c: -c.score):
        if len(kept) == most:
            break
        x, y, heights = places[: len(kept)].T
        reach = 0.4 * np.minimum(heights, corner.height_px)
        if (np.hypot(x - corner.x, y - corner.y) > reach).all():
            places[len(kept)] = corner.x, corner.y, corner.height_px
            kept.append(corner)
    return kept
