"""Boards made for training are boards that a file may describe."""

import numpy as np
import pytest

from tock_companion.boardfile import parse, to_json
from tock_vision.holes.network import COLORS
from vision.training.pictures.made_layouts import all_zones, made_layout, other_layout


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
