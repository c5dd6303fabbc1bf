"""The parts that trainings share: the learning rate, workers, made boards and shortened weights."""

import zlib
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from itertools import count

import numpy as np
import pytest

from tock_companion.boardfile import parse, to_json
from tock_vision.holes.network import COLORS
from vision.training.learning_rate import LearningRate
from vision.training.pictures.made_layouts import all_zones, made_layout, other_layout
from vision.training.shorten_weights import shortened
from vision.training.workers import Stream


def test_the_rate_rises_in_the_warm_up_and_falls_to_the_floor() -> None:
    rate = LearningRate(peak=2e-3, warm_up=0.1, floor=1e-5)
    rates = [rate.at(step / 100) for step in range(101)]
    assert rates[0] == 1e-5
    assert rates[:11] == sorted(rates[:11])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[50] == pytest.approx(1e-3 + 1e-5)
    assert rates[100] == pytest.approx(1e-5)


def test_a_rate_may_begin_above_nothing_and_ends_with_the_time() -> None:
    rate = LearningRate(peak=1.0, warm_up=0.04, start=0.1)
    assert rate.at(0.0) == pytest.approx(0.1)
    assert rate.at(1.3) == rate.at(1.0) == pytest.approx(0.0)


def numbers(first: int, step: int, end: int) -> Iterator[int]:
    yield from range(first, end, step)


def faulty() -> Iterator[int]:
    yield 1
    raise ValueError("no picture")


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_all_that_is_made_arrives_once() -> None:
    stream = Stream([partial(numbers, first, 2, 9) for first in range(2)])
    assert sorted(stream) == list(range(9))
    assert list(stream.ready()) == []


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_fault_of_a_worker_is_raised_where_its_pictures_are_used() -> None:
    with pytest.raises(RuntimeError, match="no picture"):
        list(Stream([faulty]))


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_stream_without_end_ends_when_it_is_stopped() -> None:
    stream = Stream([partial(count, 5)], room=2)
    taken = []
    for number in stream:
        taken.append(number)
        if number == 9:
            stream.stop()
    assert taken == [5, 6, 7, 8, 9]


@pytest.mark.parametrize(("seed", "shape"), [(11, "circle"), (11, "polygon"), (12, "circle")])
def test_no_board_of_eight_zones_is_too_large_for_its_file(seed: int, shape: str) -> None:
    board = made_layout(8, shape, np.random.default_rng(seed), names=COLORS)
    assert parse(to_json(board)).zones == 8


@pytest.mark.parametrize(("zones", "length"), [(3, 16), (5, 9), (7, 24)])
def test_a_ring_of_another_game_closes_in_even_steps(zones: int, length: int) -> None:
    zone = other_layout(zones, length, "flower", np.random.default_rng(1))
    assert zone is not None
    ring = all_zones(zone, zones).reshape(zones, -1)[:, :length].ravel()
    steps = np.abs(np.roll(ring, -1) - ring)
    assert len(ring) == zones * length
    assert steps.min() > 0.7
    assert steps.max() < 1.3


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
