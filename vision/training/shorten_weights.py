"""Rounds the weights of a network to be shipped, so that the package that carries it is smaller.

`python -m vision.training.shorten_weights FILE.onnx…`. Needs onnx.

A weight of four bytes has 24 significant bits, of which compression saves next to nothing. With twelve, one more than
numbers of half precision have, the file is as large as before, and packs to little more than half of it.
"""

import argparse
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


def main() -> None:
    """Round the files that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    for file in parser.parse_args().files:
        shorten(file)


if __name__ == "__main__":
    main()
