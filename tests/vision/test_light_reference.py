"""Wood and empty holes show by how much a camera has changed all colours."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, moved, unknown_holes, wrong_holes
from tock_companion.boardfile import BoardFile
from tock_rules import Seat
from tock_vision.holes.light_reference import LightReference, referred_colors
from tock_vision.reader import BoardReader

Draw = Callable[..., Any]
HONEY = replace(SMALL, board=(92.0, 156.0, 214.0))
TOO_RED = (0.7, 1.0, 1.5)
GAMMA = 2.2


def exposed(frame: Any, gains_bgr: tuple[float, float, float]) -> Any:
    """The frame as a camera with these gains delivers it: bright parts clip to white."""
    values = np.arange(256) / 255.0
    table = [255.0 * np.clip(values * gain ** (1 / GAMMA), 0.0, 1.0) for gain in gains_bgr]
    return cv2.LUT(frame, np.stack(table, axis=1).round().astype(np.uint8)[None])


@pytest.fixture
def look() -> Any:
    """Samples of a hundred holes, in wood of about the usual colour."""
    rng = np.random.default_rng(1)
    return (np.array([0.7, 1.0, 1.25]) * rng.uniform(0.5, 1.1, (100, 9, 1))).astype(np.float32)


LIGHT = np.full(100, 120.0, dtype=np.float32)


def test_factors_undo_what_the_camera_did(look: Any) -> None:
    off = np.array([0.8, 1.0, 1.2], dtype=np.float32)
    seen = look * off
    seen[:30] = 0.5  # Pawns, a hand: less than half of the picture.
    assert LightReference(look).gains(seen, LIGHT) == pytest.approx(1 / off, rel=0.02)


def test_the_first_picture_is_the_reference_where_nothing_was_learned(look: Any) -> None:
    reference = LightReference()
    assert reference.gains(look, LIGHT).tolist() == [1, 1, 1]
    assert reference.gains(look * np.float32(1.1), LIGHT) == pytest.approx(1 / 1.1, rel=0.02)


def test_white_parts_tell_nothing_and_a_covered_board_changes_nothing(look: Any) -> None:
    reference = LightReference(look)
    bright = np.minimum(look * 1.5, 255 / 120)
    assert reference.gains(bright, LIGHT) == pytest.approx(1 / 1.5, rel=0.02)
    arm = np.random.default_rng(2).uniform(0.2, 1.9, look.shape).astype(np.float32)
    assert reference.gains(arm, LIGHT) == pytest.approx(1 / 1.5, rel=0.02)


def test_colors_learned_in_one_light_are_known_in_another() -> None:
    empty = np.full((100, 40, 40, 3), (0.7, 1.0, 1.25), dtype=np.float32)
    gains = np.array([0.8, 1.0, 1.2], dtype=np.float32)
    mean = np.array([[0.2, 0.6, 1.1]], dtype=np.float32)

    def features(color: Any) -> Any:
        bright = color.mean(axis=1, keepdims=True)
        return np.concatenate([np.log(color / bright), np.log(bright)], axis=1)

    found = referred_colors(features(mean), empty, empty * gains)
    assert found == pytest.approx(features(mean * gains), abs=0.03)


def test_an_orange_pawn_on_honey_wood_stays_orange_when_the_camera_turns_red(
    board: BoardFile, draw: Draw
) -> None:
    own = replace(board, colors={**board.colors, Seat.P0: "orange", Seat.P1: "brown"})
    reader = BoardReader(own)
    reader.learn(draw({}, HONEY, colors=own.colors), "empty")
    reader.learn(draw(START, HONEY, colors=own.colors), "camps")
    played = moved(START, "P0-C1", "T20")
    for t_ms in range(0, 1500, 100):
        gains = TOO_RED if t_ms > 500 else (1.0, 1.0, 1.0)
        frame = exposed(draw(played if t_ms > 800 else START, HONEY, colors=own.colors), gains)
        reading = reader.read_frame(frame, t_ms)
    assert not wrong_holes(reading.holes, played)
    assert not unknown_holes(reading.holes)
