"""Every hole reaches one input of its own, in the order in which a builder finds the pins."""

import pytest

from tock_companion.boardfile import generate
from tock_companion.boardfile.wiring import (
    INPUTS_PER_BOARD,
    SpareInput,
    holes_of_board,
    inputs_of,
    pin_of,
    spare_input,
    straps_of,
)
from tock_companion.errors import BadInputError
from tock_rules import Hole


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_every_hole_of_a_board_has_an_input_of_its_own(zones: int) -> None:
    numbers = inputs_of(zones)
    assert set(numbers) == {hole.id for hole in generate(zones, 900).holes}
    assert len(set(numbers.values())) == len(numbers) == 26 * zones + 1
    spares = {spare_input(zone, use) for zone in range(zones) for use in SpareInput}
    assert spares & set(numbers.values()) == {numbers[Hole.parse("C")]}
    assert spares | set(numbers.values()) == set(range(INPUTS_PER_BOARD * zones))


def test_inputs_are_numbered_as_their_bits_come_out() -> None:
    numbers = inputs_of(4)
    assert (
        numbers[Hole.parse("T0")],
        numbers[Hole.parse("T18")],
        numbers[Hole.parse("P1-C1")],
        numbers[Hole.parse("P1-H4")],
    ) == (0, 32, 50, 57)
    assert str(pin_of(numbers[Hole.parse("T0")])) == "board 0, register 1, pin H"
    assert str(pin_of(numbers[Hole.parse("P3-H1")])) == "board 3, register 3, pin B"
    assert holes_of_board(2)[:2] == ("T36", "T37")


def test_the_two_fixed_inputs_lie_side_by_side_so_that_a_shift_by_one_shows() -> None:
    assert spare_input(0, SpareInput.HIGH) - spare_input(0, SpareInput.LOW) == 1


def test_straps_tell_neighbours_apart() -> None:
    assert [straps_of(zone) for zone in range(4)] == [
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    ]


def test_other_numbers_of_zones_are_refused() -> None:
    with pytest.raises(BadInputError, match="4, 6 or 8"):
        inputs_of(5)
