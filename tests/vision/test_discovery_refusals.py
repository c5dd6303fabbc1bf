"""Pictures without a readable Tock board are refused with a sentence about their subject."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from tock_vision.arrays import Floats, Frame
from tock_vision.discovery import pipeline
from tock_vision.discovery.candidates import Bands
from tock_vision.discovery.other_subject import agreed_ring, better_layout, better_ring
from tock_vision.discovery.photo import Pass
from tock_vision.discovery.pipeline import discover
from tock_vision.discovery.refusals import NoBoard
from tock_vision.discovery.rings import Ring, closed_ring
from tock_vision.discovery.searching import PhotoSearch, Searched
from tock_vision.discovery.structure import find_layout
from tock_vision.discovery.track import Spots
from vision.training.pictures.made_layouts import other_layout
from vision.training.pictures.refused_boards import (
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
    assert refused(drilled(chinese_checkers(), np.random.default_rng(1))).reason == "discover/other_game"


@pytest.mark.slow
@pytest.mark.parametrize("side", [15, 19])
def test_a_grid_of_which_a_track_could_be_chosen_is_called_one_by_the_holes_beside_it(side: int) -> None:
    assert refused(drilled(grid(side), np.random.default_rng(5), tilt=0.0)).reason == "discover/other_game"


@pytest.mark.slow
def test_a_colander_is_no_board() -> None:
    """The number of holes seen decides which of the two reasons is given."""
    answer = refused(drilled(colander(), np.random.default_rng(1)))
    assert answer.reason in ("discover/other_game", "discover/doubtful")


@pytest.mark.parametrize(
    ("length", "zones", "tilt"),
    [
        (9, 8, 0.0),
        *(pytest.param(*ring, 0.25, marks=pytest.mark.slow) for ring in ((9, 8), (13, 4), (15, 3), (5, 8))),
    ],
)
def test_the_ring_of_another_game_is_counted_with_its_own_zones(length: int, zones: int, tilt: float) -> None:
    """Eight zones of nine holes are four of 18 as well."""
    answer = refused(drilled(dog(length, zones), np.random.default_rng(1), tilt=tilt))
    line = answer.to_json()
    assert (line["reason"], line["ring"], line["zones"]) == ("other_ring", length * zones, zones)
    assert answer.message["en"].startswith(f"{length * zones} holes in a ring: {zones} zones of {length}.")


@pytest.mark.slow
def test_ludo_is_no_board() -> None:
    assert refused(drilled(ludo(), np.random.default_rng(1))).reason.startswith("discover/")


def test_peg_solitaire_is_called_a_grid() -> None:
    """It has too few holes for a view; in grey, since by its colours it would be searched once more for nothing."""
    gray = cv2.cvtColor(drilled(solitaire(), np.random.default_rng(1)), cv2.COLOR_BGR2GRAY)
    assert refused(cv2.merge([gray] * 3)).reason == "discover/other_game"


@pytest.mark.slow
def test_half_a_board_is_cut_off() -> None:
    assert refused(half()).reason == "discover/cut_off"


def test_two_boards_in_one_photo_are_reported() -> None:
    assert refused(two(np.random.default_rng(1))).reason == "discover/two_boards"


@pytest.mark.slow
def test_glare_over_a_part_is_reported() -> None:
    assert refused(glare()).reason == "discover/glare"


def spots_of_ring(length: int, zones: int = 4) -> Spots:
    """One zone of a round board: a ring, a home inside and a camp outside, all seen clearly."""
    radius = zones * length / (2 * np.pi)
    ring = radius * np.exp(2j * np.pi * (np.arange(length) + 0.5) / (zones * length))
    home = (radius - 1 - np.arange(min(4, round(radius / 2)))) * ring[length // 2] / radius
    camp = (radius + 2.2 + np.array([0, 1.1, 1.1j, 1.1 + 1.1j])) * np.exp(0.9j * np.pi / zones)
    places = np.concatenate([ring, home, camp])
    return Spots(zones, places, np.ones(len(places)))


@pytest.mark.parametrize(("length", "zones"), [(7, 8), (10, 4), (13, 3), (18, 5), (20, 6), (24, 4)])
def test_a_ring_of_any_length_is_closed_and_named(length: int, zones: int) -> None:
    ring = closed_ring(spots_of_ring(length, zones))
    assert ring is not None
    assert (ring.length, ring.zones, ring.is_sure, ring.is_tock) == (length, zones, True, False)


@pytest.mark.parametrize(
    ("refused", "seen"),
    [
        (NoBoard("discover/other_ring", {}, 64, 4), (4, 16)),
        (NoBoard("discover/no_board", {}, likely=Ring(6, 17, 0.53, 0.016, 1.0)), (6, 17)),
        (NoBoard("discover/other_ring", {}, 40, 4), None),
        (NoBoard("discover/no_board", {}, likely=Ring(4, 18, 0.5, 0.1, 1.0)), None),
        (NoBoard("discover/no_board", {}), None),
    ],
)
def test_only_a_ring_that_a_board_of_another_game_can_have_is_searched_for(
    refused: NoBoard, seen: tuple[int, int] | None
) -> None:
    assert pipeline.ring_seen(refused) == seen


def test_a_ring_of_tock_that_closes_with_a_hole_fewer_is_not_named() -> None:
    assert Ring(4, 17, 0.5, 0.02, 1.0).is_sure is False
    assert Ring(5, 17, 0.5, 0.02, 1.0).is_sure is True


def test_a_ring_that_no_pass_shows_for_sure_is_named_where_all_show_it_alike() -> None:
    faint = Ring(8, 5, 0.39, 0.05, 0.99, crowded=0.8)
    assert not faint.is_sure
    assert agreed_ring([faint, replace(faint, gain=0.4), faint]) == faint
    for other in (None, replace(faint, length=6), replace(faint, zones=4), replace(faint, beside=9)):
        assert agreed_ring([faint, faint, other]) is None
    for length in (17, 18, 19):
        # A board of Tock of which a hole is hidden or a corner cut.
        assert agreed_ring([replace(faint, length=length)] * 3) is None


def test_a_path_through_a_grid_is_no_ring() -> None:
    steps = np.arange(4) + 0.5
    places = (steps[:, None] + 1j * steps[None]).ravel()
    ring = closed_ring(Spots(4, places, np.ones(16)))
    assert ring is None or not ring.is_sure


@pytest.mark.parametrize("length", [10, 13, 14, 16, 20])
def test_a_layout_found_in_the_ring_of_another_game_is_refused(length: int) -> None:
    answer = better_ring(spots_of_ring(length))
    assert answer is not None
    assert (answer.ring, answer.zones) == (4 * length, 4)


def test_the_ring_of_tock_is_refused_neither_whole_nor_with_a_hole_hardly_seen() -> None:
    spots = spots_of_ring(18)
    assert better_ring(spots) is None
    faint = spots.strengths.copy()
    faint[5] = 0.4
    assert better_ring(Spots(4, spots.places, faint)) is None


def spots_of(zone: Floats, zones: int, *, faint: complex | None = None) -> Spots:
    """The holes of a zone, all seen clearly, and perhaps a spot hardly seen that is not one of them."""
    places = zone if faint is None else np.append(zone, faint)
    flat = np.abs(places) * np.exp(1j * (np.angle(places) % (2 * np.pi / zones)))
    return Spots(zones, flat, np.where(np.arange(len(flat)) < len(zone), 1.0, 0.2))


def test_a_star_with_19_holes_a_zone_is_no_board_with_its_tips_cut() -> None:
    zone = other_layout(8, 19, "star", np.random.default_rng(1))
    assert zone is not None
    spots = spots_of(zone, 8)
    assert find_layout(spots) is not None
    answer = better_layout(spots)
    assert answer is not None
    assert (answer.ring, answer.zones) == (19 * 8, 8)


@pytest.mark.parametrize("shape", ["arms", "star", "polygon"])
def test_a_board_of_tock_closes_with_no_other_ring(shape: str) -> None:
    zone = other_layout(4, 18, shape, np.random.default_rng(2))
    assert zone is not None
    assert better_layout(spots_of(zone, 4)) is None


def test_a_ring_of_17_is_no_board_with_a_hole_that_is_hardly_seen() -> None:
    zone = other_layout(4, 17, "arms", np.random.default_rng(1))
    assert zone is not None
    first, second = complex(zone[0]), complex(zone[1])
    spots = spots_of(zone, 4, faint=(first + second) / 2 + 0.8j * (second - first))
    assert find_layout(spots) is not None
    answer = better_layout(spots)
    assert answer is not None
    assert (answer.ring, answer.zones) == (17 * 4, 4)


def test_a_ring_that_only_the_second_photo_shows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [np.random.default_rng(seed).integers(0, 255, (160, 160, 3), np.uint8) for seed in range(3)]
    searches = tuple(PhotoSearch(Bands(frame[..., 1])) for frame in frames)
    searches[1].most_even, searches[1].other_ring = cast(Pass, object()), Ring(7, 22, 0.5, 0.1, 1.0)
    monkeypatch.setattr(pipeline, "search_all", lambda *_: Searched(searches, (None,) * 3, {}))
    answer = discover(frames, "any")
    assert isinstance(answer, NoBoard)
    assert (answer.ring, answer.zones) == (154, 7)
