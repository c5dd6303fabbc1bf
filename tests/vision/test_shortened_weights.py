"""Networks as they are shipped: their weights are short enough for the package to hold them."""

import zlib
from importlib.resources import files

import numpy as np

from vision.training.shorten_weights import shortened

MAX_PACKED_BYTES = 7_500_000
"""All networks of the package; with them it has 89 of the 90 MB that it may have for amd64."""


def test_a_shortened_weight_is_the_nearest_number_with_twelve_bits() -> None:
    weights = np.random.default_rng(3).normal(size=(40, 50)).astype(np.float32)
    short = shortened(weights)
    assert (np.abs(short - weights) <= np.abs(weights) * 2**-12).all()
    assert not (short.view(np.uint32) & 0xFFF).any()
    np.testing.assert_array_equal(shortened(short), short)


def test_the_networks_leave_room_in_the_package() -> None:
    networks = [one for one in files("tock_vision").joinpath("data").iterdir() if one.name.endswith(".onnx")]
    assert len(networks) > 5
    assert sum(len(zlib.compress(one.read_bytes(), 1)) for one in networks) < MAX_PACKED_BYTES
