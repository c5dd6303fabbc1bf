"""Rounds the weights of a network, so that its package is smaller.

A weight of four bytes has 24 significant bits, and compression saves next to nothing of them. With twelve, one more
than half precision has, the file packs to little more than half. Needs onnx.
"""

from pathlib import Path

import numpy as np

from tock_vision.arrays import Singles

SIGNIFICANT_BITS, ALL_BITS = 12, 24


def shortened(weights: Singles) -> Singles:
    """The nearest numbers with SIGNIFICANT_BITS; they differ by at most 1/4096 of themselves."""
    left_out = ALL_BITS - SIGNIFICANT_BITS
    bits = np.ascontiguousarray(weights, dtype=np.float32).view(np.uint32)
    rounded = (bits + np.uint32(1 << (left_out - 1))) >> left_out << left_out
    out: Singles = rounded.view(np.float32).reshape(weights.shape)
    return out


def shorten(file: Path) -> None:
    """Round the weights of all layers of a file, but no bias."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(file))
    for one in model.graph.initializer:
        values = numpy_helper.to_array(one)
        if values.dtype == np.float32 and values.ndim > 1:
            one.CopyFrom(numpy_helper.from_array(shortened(values), one.name))
    onnx.save(model, str(file))
