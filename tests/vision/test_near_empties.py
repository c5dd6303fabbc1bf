"""Which empty holes show how an empty hole looks just there."""

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.holes.near_empties import COUNT, NearEmpties


def names(board: BoardFile, numbers: np.ndarray) -> set[str]:
    return {str(board.holes[number].id) for number in numbers}


def test_the_nearest_clear_holes_are_taken_and_never_the_hole_itself(board: BoardFile) -> None:
    holes = [str(hole.id) for hole in board.holes]
    clear = np.array([name.startswith("T") for name in holes])
    clear[holes.index("T31")] = False
    near = NearEmpties(board).of(np.array([holes.index("T30")]), clear, np.full(len(holes), 100.0))
    assert near is not None
    assert near.shape == (1, COUNT)
    assert {"T29", "T32"} <= names(board, near[0])
    assert not {"T30", "T31"} & names(board, near[0])


def test_holes_in_like_light_are_nearer_than_neighbours_in_the_shade(board: BoardFile) -> None:
    holes = [str(hole.id) for hole in board.holes]
    clear = np.array([name.startswith("T") for name in holes])
    lit = [f"T{number}" for number in (30, 36, 37, 38, 39, 40)]
    levels = np.array([250.0 if name in lit else 60.0 for name in holes])
    near = NearEmpties(board).of(np.array([holes.index("T30")]), clear, levels)
    assert near is not None
    assert names(board, near[0]) == set(lit[1:])


def test_where_hardly_a_hole_is_clear_nothing_is_near(board: BoardFile) -> None:
    clear = np.zeros(len(board.holes), dtype=bool)
    clear[:COUNT] = True
    assert NearEmpties(board).of(np.array([20]), clear, np.full(len(clear), 100.0)) is None
