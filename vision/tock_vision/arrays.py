"""Names for arrays, and sampling them; OpenCV's own annotations lose the element types."""

from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Frame: TypeAlias = NDArray[Any]
"""A picture, BGR, uint8 (shape: [height, width, 3])."""
Gray: TypeAlias = NDArray[Any]
"""A picture without colour, uint8 (shape: [height, width])."""
Singles: TypeAlias = NDArray[Any]
"""float32."""
Floats: TypeAlias = NDArray[Any]
"""float64; points have the shape [n, 2]."""
Ints: TypeAlias = NDArray[Any]
"""intp."""
Bools: TypeAlias = NDArray[Any]
"""bool."""


MAX_ROWS = 32_000
"""OpenCV samples fewer than 32,767 rows at once."""


def sample(picture: Frame, places_px: Singles) -> Frame:
    """Sample a picture at places (float32, shape: [rows, columns, 2]); beyond its edge the edge is repeated."""
    if len(places_px) > MAX_ROWS:
        parts = range(0, len(places_px), MAX_ROWS)
        return np.concatenate([sample(picture, places_px[begin : begin + MAX_ROWS]) for begin in parts])
    return cv2.remap(  # type: ignore[call-overload, no-any-return]
        picture, places_px, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def softmax(values: Singles) -> Singles:
    """Chances that add up to 1 along the last axis."""
    exponents = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(exponents / exponents.sum(axis=-1, keepdims=True), dtype=np.float32)


def on_grid(values: Floats, step: float | Floats) -> Floats:
    """Round to multiples of a step, a power of two.

    Processors add floats in another order and end a hair apart, which a fit in many steps makes visible.
    Values rounded on the way, much more coarsely than they differ, are the same on all of them.
    """
    rounded: Floats = np.rint(values / step) * step
    return rounded
