"""A hole is judged by the holes around it."""

from dataclasses import replace

import numpy as np

from tests.vision.test_readings import chances_of
from tock_companion.boardfile import BoardFile, PawnShape
from tock_rules import Seat
from tock_vision.holes.occlusion import tall_pawn_occlusion, with_neighbours
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
