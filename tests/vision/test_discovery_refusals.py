"""Pictures without a readable Tock board are refused with a sentence that says what they show."""

import numpy as np
import pytest

from tock_vision.arrays import Frame
from tock_vision.discovery.pipeline import discover
from tock_vision.discovery.refusals import NoBoard
from vision.training.other_games import (
    chinese_checkers,
    colander,
    dog,
    drilled,
    glare,
    grid,
    half,
    ludo,
    solitaire,
    two,
)


def refused(picture: Frame) -> NoBoard:
    """The refusal of a picture."""
    answer = discover([picture], "any")
    assert isinstance(answer, NoBoard)
    return answer


@pytest.mark.slow
def test_holes_without_a_track_are_called_a_grid() -> None:
    assert refused(drilled(chinese_checkers(), np.random.default_rng(1))).reason == "discover/grid"


@pytest.mark.parametrize("side", [15, pytest.param(19, marks=pytest.mark.slow)])
def test_a_grid_of_which_a_track_could_be_chosen_is_called_one_by_the_holes_beside_it(side: int) -> None:
    assert refused(drilled(grid(side), np.random.default_rng(5), tilt=0.0)).reason == "discover/grid"


@pytest.mark.slow
def test_a_colander_is_no_board() -> None:
    """The number of holes seen decides which of the two reasons is given."""
    answer = refused(drilled(colander(), np.random.default_rng(1)))
    assert answer.reason in ("discover/grid", "discover/doubtful")


@pytest.mark.slow
def test_a_ring_of_another_length_is_counted() -> None:
    answer = refused(drilled(dog(16), np.random.default_rng(1)))
    assert answer.reason == "discover/other_ring"
    assert answer.message["en"].startswith("64 holes in a ring, 16 in a zone")


@pytest.mark.slow
def test_ludo_is_no_board() -> None:
    assert refused(drilled(ludo(), np.random.default_rng(1))).reason.startswith("discover/")


def test_peg_solitaire_is_no_board() -> None:
    assert refused(drilled(solitaire(), np.random.default_rng(1))).reason == "discover/no_board"


@pytest.mark.slow
def test_half_a_board_is_cut_off() -> None:
    assert refused(half()).reason == "discover/cut_off"


def test_two_boards_in_one_photo_are_reported() -> None:
    assert refused(two(np.random.default_rng(1))).reason == "discover/two_boards"


@pytest.mark.slow
def test_glare_over_a_part_is_reported() -> None:
    assert refused(glare()).reason == "discover/glare"
