"""The lens of a photograph, from its straight lines."""

import cv2
import numpy as np
import pytest

from tock_vision.arrays import Frame
from tock_vision.discovery.straight_lines import radial_term

SIZE_PX = (960, 720)


def photo(radial: float) -> Frame:
    """A pale board on a dark table, turned a little, through a lens."""
    x, y = np.meshgrid(np.arange(SIZE_PX[0]), np.arange(SIZE_PX[1]))
    bent = np.stack([x, y], axis=-1) - (np.array(SIZE_PX) - 1) / 2
    radius = np.hypot(*SIZE_PX) / 2
    straight = bent
    for _ in range(8):
        straight = bent / (1 + radial * (straight**2).sum(axis=-1, keepdims=True) / radius**2)
    turned = straight @ np.array([[0.97, -0.24], [0.24, 0.97]])
    board = (np.abs(turned) < (330, 290)).all(axis=-1)
    rings = np.abs(np.hypot(turned[..., 0] - 150, turned[..., 1] + 60) - 110) < 4
    gray = np.where(board & ~rings, 190.0, 70.0) + np.random.default_rng(1).normal(0, 3, board.shape)
    return np.repeat(np.clip(gray, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@pytest.mark.parametrize("radial", [-0.15, 0.0, 0.02])
def test_the_edges_of_a_board_tell_the_lens(radial: float) -> None:
    assert radial_term(photo(radial)) == pytest.approx(radial, abs=0.012)


def test_a_large_photo_is_looked_at_smaller() -> None:
    large = cv2.resize(photo(-0.15), (1920, 1440))
    assert radial_term(large) == pytest.approx(-0.15, abs=0.012)


def test_nothing_straight_shows_no_lens() -> None:
    noise = np.random.default_rng(2).normal(128, 20, (*SIZE_PX[::-1], 3))
    assert radial_term(np.clip(noise, 0, 255).astype(np.uint8)) is None
    wave = np.hypot(*np.meshgrid(np.arange(960) - 480.0, np.arange(720) - 360.0))
    rings = (128 + 60 * np.sign(np.sin(wave / 20))).astype(np.uint8)
    assert radial_term(np.repeat(rings[..., None], 3, axis=2)) is None
