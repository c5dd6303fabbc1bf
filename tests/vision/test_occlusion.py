"""A hole is judged by those around it and by the light on the whole picture; the processor decides nothing."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, moved, unknown_holes, wrong_holes
from tests.support.pictures import BOARDS, needs_pictures
from tests.vision.test_readings import chances_of
from tock_companion.boardfile import BoardFile, PawnShape
from tock_rules import Seat
from tock_vision.holes.light_reference import LightReference, referred_colors
from tock_vision.holes.occlusion import tall_pawn_occlusion, with_neighbours
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, pose_of

LOW = Appearance(tilt_deg=40)


def number_of(board: BoardFile, hole_id: str) -> int:
    return next(number for number, hole in enumerate(board.holes) if hole.id == hole_id)


def test_a_hole_among_covered_ones_is_likelier_covered_than_one_in_the_open(board: BoardFile) -> None:
    chance = chances_of(board, {})
    covered = [number_of(board, name) for name in ("T4", "T6", "T7")]
    chance.occluded[covered] = 0.9
    lone = [number_of(board, name) for name in ("T5", "T40")]
    chance.occluded[lone] = 0.1
    among, alone = with_neighbours(replace(chance, empty=1 - chance.pawn - chance.occluded), board).occluded[
        lone
    ]
    assert among > 0.3
    assert alone < 0.1


def test_chances_still_add_up_after_the_neighbours_spoke(board: BoardFile) -> None:
    rng = np.random.default_rng(2)
    parts = rng.dirichlet([1, 1, 1], len(board.holes))
    chance = replace(chances_of(board, {}), empty=parts[:, 0], pawn=parts[:, 1], occluded=parts[:, 2])
    after = with_neighbours(chance, board)
    np.testing.assert_allclose(after.empty + after.pawn + after.occluded, 1.0)


def test_a_tall_pawn_seen_from_the_side_hides_the_hole_behind_it(board: BoardFile) -> None:
    pegs = replace(board, pawn=PawnShape("peg", 0.08 * board.pitch_mm))
    pairs = tall_pawn_occlusion(pose_of(board, LOW), pegs)
    front, back = pegs.holes[pairs.front[0]].id, pegs.holes[pairs.back[0]].id
    hides = pairs.occluded_holes(chances_of(pegs, {front: (Seat.P0, 0.99)}))
    assert hides[number_of(board, back)]
    assert not hides[number_of(board, front)]
    assert not pairs.occluded_holes(chances_of(pegs, {})).any()


def test_a_head_of_another_colour_above_the_pawn_in_front_is_believed(board: BoardFile) -> None:
    pegs = replace(board, pawn=PawnShape("peg", 0.08 * board.pitch_mm))
    pairs = tall_pawn_occlusion(pose_of(board, LOW), pegs)
    front, back = pegs.holes[pairs.front[0]].id, pegs.holes[pairs.back[0]].id
    both = {front: (Seat.P0, 0.99), back: (Seat.P1, 0.99)}
    assert not pairs.occluded_holes(chances_of(pegs, both))[number_of(board, back)]


def test_marbles_and_a_camera_straight_above_hide_no_hole(board: BoardFile) -> None:
    pegs = replace(board, pawn=PawnShape("peg", 0.08 * board.pitch_mm))
    assert not len(tall_pawn_occlusion(pose_of(board, LOW), board).front)
    assert len(tall_pawn_occlusion(pose_of(board, Appearance(tilt_deg=0)), pegs).front) < len(
        tall_pawn_occlusion(pose_of(board, LOW), pegs).front
    )


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


NARROW = {
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
    "OPENBLAS_CORETYPE": "Prescott",
    "OPENCV_CPU_DISABLE": "AVX512_SKX,AVX2,AVX,SSE4_2,SSE4_1",
    "OPENCV_IPP": "disabled",
}
"""Makes the libraries add in the order of a processor from 2004; instructions that the machine lacks are ignored."""
STILL = ("boards/D07.json", "stills/s0105.jpg")
"""A hand lies over a marker, and two holes are as good as doubtful."""


@pytest.mark.whole
@needs_pictures
@pytest.mark.skipif(platform.machine() != "x86_64", reason="`make arm64` compares this processor with x86-64")
def test_a_board_is_found_and_read_alike_with_and_without_wide_vectors() -> None:
    board, still = (str(BOARDS / name) for name in STILL)
    command = [sys.executable, "-m", "tock_app.cli.main", "board", "read", "--board", board, still]
    reports = []
    for changes in ({}, NARROW):
        done = subprocess.run(
            command, env={**os.environ, **changes}, capture_output=True, text=True, check=True, timeout=120
        )
        reports.append(json.loads(done.stdout))
    wide, narrow = reports
    assert wide["registered"]
    assert wide["rms_px"] == narrow["rms_px"]
    assert wide["holes"] == narrow["holes"]
