"""Boards of training whose holes can hardly be seen: holes have the colour of what they are drilled in."""

from dataclasses import replace

import numpy as np

from tock_companion.boardfile import generate
from vision.training.pictures.faint_boards import (
    NARROW_PITCHES,
    NEAR_GROUND,
    FaintBoard,
    faint_appearance,
    faint_board,
)
from vision.training.pictures.random_boards import random_appearance
from vision.training.pictures.wooden_boards import linear


def test_holes_are_a_little_darker_than_the_ground_around_them() -> None:
    board = generate(4, 300.0)
    rng = np.random.default_rng(3)
    appearance = replace(
        random_appearance(rng), collar=None, lines=None, paint="disc", board=(118.0, 168.0, 206.0)
    )
    drawn = FaintBoard(board, appearance, rng)
    assert not drawn.dotted
    for row in drawn.holes:
        share = row[5:8] / linear(drawn.ground(row[0], row[1]))
        assert NEAR_GROUND[0] * 0.9 < share.min()
        assert share.max() < NEAR_GROUND[1] * 1.1


def test_narrow_holes_are_for_pegs_and_nearly_black_boards_stay_so() -> None:
    rng = np.random.default_rng(1)
    boards = [faint_board(generate(4, 420.0), rng) for _ in range(12)]
    narrow = [board for board in boards if board.pawn is not None and board.pawn.style == "peg"]
    assert 2 < len(narrow) < 10
    for board in narrow:
        assert max(hole.d_mm for hole in board.holes) < 1.3 * NARROW_PITCHES[1] * board.pitch_mm
    views = [faint_appearance(random_appearance(rng), rng) for _ in range(30)]
    assert sum(max(view.board) < 60 for view in views) > 5
