"""The colour of each seat: pawns of a picture tell each other's, and camps tell whose they are."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from types import MappingProxyType

import numpy as np
import pytest

from tests.vision.test_readings import chances_of
from tock_companion.boardfile import COLOR_NAMES, BoardFile, camp_hole, generate
from tock_rules import Seat
from tock_vision.arrays import Bools, Frame, Singles
from tock_vision.assignment import assigned
from tock_vision.discovery.pawns import read_pawns
from tock_vision.holes.calibration import color_features
from tock_vision.holes.own_colors import with_own_colors
from tock_vision.holes.patches import PATCH_PX
from tock_vision.holes.readings import Chances
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color, pose_of
from tock_vision.rendering.renderer import Renderer

YELLOW, ORANGE, BETWEEN = (-1.0, 0.1, 0.4, 0.2), (-1.3, -0.15, 0.6, 0.1), (-1.15, -0.02, 0.5, 0.15)


@pytest.fixture
def everywhere(board: BoardFile) -> Bools:
    return np.ones(len(board.holes), dtype=bool)


def standing(board: BoardFile, colors: Mapping[str, tuple[float, ...]]) -> tuple[Chances, Singles]:
    """Clear pawns in some holes, of which only is known that they are the first or the second seat's."""
    chance = chances_of(board, dict.fromkeys(colors, (Seat.P0, 0.99)))
    features = np.zeros((len(board.holes), 4), dtype=np.float32)
    for number, hole in enumerate(board.holes):
        if hole.id in colors:
            chance.seats[number] = 0.48, 0.48, 0.02, 0.02
            features[number] = colors[hole.id]
    return chance, features


def seats_of(board: BoardFile, chance: Chances, name: str) -> list[float]:
    number = next(number for number, hole in enumerate(board.holes) if hole.id == name)
    return [float(share) for share in chance.seats[number]]


def test_a_pawn_of_doubtful_colour_is_its_likes(board: BoardFile, everywhere: Bools) -> None:
    chance, features = standing(
        board, {"T1": YELLOW, "T2": YELLOW, "T3": YELLOW, "T21": ORANGE, "T22": ORANGE, "T23": ORANGE,
                "T30": YELLOW, "T31": ORANGE},
    )  # fmt: skip
    for number, hole in enumerate(board.holes):
        if hole.id in ("T1", "T2", "T3"):
            chance.seats[number] = 0.9, 0.06, 0.02, 0.02
        if hole.id in ("T21", "T22", "T23"):
            chance.seats[number] = 0.06, 0.9, 0.02, 0.02
    told_apart = with_own_colors(chance, features, everywhere)
    assert seats_of(board, told_apart, "T30")[Seat.P0] > 0.8
    assert seats_of(board, told_apart, "T31")[Seat.P1] > 0.8


def test_a_pawn_like_both_stays_doubtful_and_chances_add_up(board: BoardFile, everywhere: Bools) -> None:
    chance, features = standing(board, {"T1": YELLOW, "T21": ORANGE, "T30": BETWEEN})
    for number, hole in enumerate(board.holes):
        if hole.id == "T1":
            chance.seats[number] = 0.9, 0.06, 0.02, 0.02
        if hole.id == "T21":
            chance.seats[number] = 0.06, 0.9, 0.02, 0.02
    weighed = with_own_colors(chance, features, everywhere)
    first, second, *_ = seats_of(board, weighed, "T30")
    assert 0.25 < first < 0.75
    assert 0.25 < second < 0.75
    np.testing.assert_allclose(weighed.seats.sum(axis=1), 1.0, atol=1e-5)


def test_a_board_without_pawns_or_out_of_sight_changes_nothing(board: BoardFile, everywhere: Bools) -> None:
    chance, features = standing(board, {"T1": YELLOW})
    chance.pawn[:] = 0.0
    for seen in (everywhere, ~everywhere):
        weighed = with_own_colors(chance, features, seen)
        np.testing.assert_allclose(
            weighed.seats, chance.seats / chance.seats.sum(axis=1, keepdims=True), atol=1e-6
        )


def test_colours_are_taken_within_outlines_without_highlights_and_shade() -> None:
    patches = np.full((2, PATCH_PX, PATCH_PX, 3), 0.2, dtype=np.float32)
    steps = np.arange(PATCH_PX) - PATCH_PX / 2
    outline = (np.hypot(*np.meshgrid(steps, steps)) < 9).astype(np.float32)
    patches[:, outline > 0] = 0.3, 0.6, 0.9
    patches[1, 17:19, 17:19] = 4.0
    plain, shining = color_features(patches, np.stack([outline, outline]))
    np.testing.assert_allclose(plain, shining, atol=1e-5)
    assert plain[0] < plain[1] < plain[2]
    # An outline too small to shrink is taken whole, and none at all is no error.
    assert np.isfinite(color_features(patches[:1], np.zeros((1, PATCH_PX, PATCH_PX), np.float32))).all()


BOARD = generate(6, 640)
APPEARANCE = Appearance(size_px=(1120, 840), turn_deg=20, tilt_deg=15)
IN_CAMPS = ("white", "brown", "red", "black", "orange", "green")


def colored(names: tuple[str, ...]) -> BoardFile:
    """The board with these colours, seat after seat."""
    return replace(BOARD, colors=MappingProxyType({Seat(zone): name for zone, name in enumerate(names)}))


@pytest.fixture(scope="module")
def full() -> Frame:
    """A board with all pawns in their camps."""
    holes = [BOARD.hole(camp_hole(Seat(zone), index)) for zone in range(6) for index in range(4)]
    pawns = [DrawnPawn(hole.x_mm, hole.y_mm, named_color(IN_CAMPS[int(hole.seat or 0)])) for hole in holes]
    return Renderer(colored(IN_CAMPS), APPEARANCE).frame(pawns)


@pytest.mark.parametrize("first", [0, 1, 4, 7])
def test_colors_are_those_of_the_pawns_whatever_was_thought_before(full: Frame, first: int) -> None:
    names = tuple(COLOR_NAMES)
    thought = colored(tuple(names[(first + zone) % len(names)] for zone in range(6)))
    pawns = read_pawns([(full, pose_of(BOARD, APPEARANCE))], thought)
    assert tuple(names[number] for number in assigned(pawns.costs)) == IN_CAMPS
    assert pawns.pawns.tolist() == [4.0] * 6


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (4, 4), (4, 6), (5, 7)])
def test_each_gets_another_at_the_least_total_cost(rows: int, columns: int) -> None:
    cost = np.random.default_rng(rows * columns).uniform(-3, 9, (rows, columns))
    best = min(
        permutations(range(columns), rows), key=lambda chosen: float(cost[np.arange(rows), chosen].sum())
    )
    assert assigned(cost) == list(best)


def test_a_seat_without_a_preference_takes_no_colour_from_one_with() -> None:
    """A seat without pawns is content with any colour; one whose pawns are green is not."""
    assert assigned(np.array([[-2.0, -1.9, 0.0], [0.0, 9.0, 9.0]])) == [1, 0]
