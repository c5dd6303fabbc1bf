"""Goes a part of the way from one training of the reader to another.

`python -m vision.training.reader.blend BEFORE AFTER OUT --share 0.2` writes networks whose weights lie between those
of two folders. What a training on hard boards teaches comes early on this way; what it takes from other boards comes
late.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

NETWORKS = ("patches.onnx", "context.onnx")


def blended(before: onnx.ModelProto, after: onnx.ModelProto, share: float) -> onnx.ModelProto:
    """The network of `before` with its weights moved by a share of the way; raises ValueError for another network."""
    out = onnx.ModelProto()
    out.CopyFrom(before)
    for weights, others in zip(out.graph.initializer, after.graph.initializer, strict=True):
        first, second = numpy_helper.to_array(weights), numpy_helper.to_array(others)
        if first.shape != second.shape:
            raise ValueError(
                f"{weights.name} has another shape than {others.name}: these are different networks"
            )
        if first.dtype == np.float32:
            between = ((1 - share) * first + share * second).astype(np.float32)
            weights.CopyFrom(numpy_helper.from_array(between, weights.name))
    return out


def main() -> None:
    """Read the arguments and write the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, required=True, help="0 for the first, 1 for the second")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        mixed = blended(onnx.load(args.before / name), onnx.load(args.after / name), args.share)
        onnx.save(mixed, str(args.out / name))


if __name__ == "__main__":
    main()
