"""Pictures without a readable Tock board are refused with a sentence that says what they show."""

import numpy as np
import pytest

from tock_vision.arrays import Frame
from tock_vision.discovery.pipeline import discover
from tock_vision.discovery.refusals import NoBoard, better_ring
from tock_vision.discovery.track import Spots
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


def spots_of_ring(length: int) -> Spots:
    """One zone of four of a round board: a ring, a home inside and a camp outside, all seen clearly."""
    radius = 4 * length / (2 * np.pi)
    ring = radius * np.exp(2j * np.pi * (np.arange(length) + 0.5) / (4 * length))
    home = (radius - 1 - np.arange(4)) * np.exp(1j * np.pi / 4)
    camp = (radius + 2.2 + np.array([0, 1.1, 1.1j, 1.1 + 1.1j])) * np.exp(0.9j * np.pi / 4)
    places = np.concatenate([ring, home, camp])
    return Spots(4, places, np.ones(len(places)))


@pytest.mark.parametrize("length", [10, 13, 14, 16, 20])
def test_a_layout_found_in_the_ring_of_another_game_is_refused(length: int) -> None:
    answer = better_ring(spots_of_ring(length))
    assert answer is not None
    assert answer.message["en"].startswith(f"{4 * length} holes in a ring")


def test_the_ring_of_tock_is_refused_neither_whole_nor_with_a_hole_hardly_seen() -> None:
    spots = spots_of_ring(18)
    assert better_ring(spots) is None
    faint = spots.strengths.copy()
    faint[5] = 0.4
    assert better_ring(Spots(4, spots.places, faint)) is None
