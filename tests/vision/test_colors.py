"""The colour of each seat on a board that was found, decided by the pawns in its camps."""

from dataclasses import replace
from itertools import permutations
from types import MappingProxyType

import numpy as np
import pytest

from tock_companion.boardfile import COLOR_NAMES, BoardFile, camp_hole, generate
from tock_rules import Seat
from tock_vision.arrays import Frame
from tock_vision.assignment import assigned
from tock_vision.discovery.pawns import read_pawns
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color, pose_of
from tock_vision.rendering.renderer import Renderer

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
