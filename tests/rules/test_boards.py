"""Tables that cannot be a board: every reason is named, with the pawn's seat and hole."""

import pytest

from tock_companion.errors import BadInputError
from tock_rules import BoardShape, Hole, Seat, Setup, SetupFault

SHAPE = BoardShape(zones=4)
START = {"P0": ["camp"] * 4, "P1": ["camp"] * 4}
TRIES = [
    ({**START, "P0": ["camp"] * 3}, [(SetupFault.MISSING, Seat.P0, None)]),
    ({**START, "P1": ["camp"] * 4 + ["T9"]}, [(SetupFault.TOO_MANY, Seat.P1, None)]),
]


@pytest.mark.parametrize(("pawns", "problems"), TRIES)
def test_a_wrong_number_of_pawns_is_named_with_its_seat(
    pawns: dict[str, list[str]], problems: list[tuple[SetupFault, Seat, str | None]]
) -> None:
    setup = Setup.from_pawns(SHAPE, pawns)
    assert [(problem.fault, problem.seat, problem.hole) for problem in setup.problems()] == problems


def test_a_pawn_where_it_cannot_stand_is_named_with_its_hole() -> None:
    camps = {Seat.P0: 2, Seat.P1: 4}
    setup = Setup(
        SHAPE, {Hole.parse("P1-H2"): Seat.P0, Hole.parse("T100"): Seat.P0, Hole.parse("T3"): Seat.P2}, camps
    )
    assert [(problem.fault, problem.seat, problem.hole) for problem in setup.problems()] == [
        (SetupFault.NO_SUCH_HOLE, Seat.P0, "T100"),
        (SetupFault.FOREIGN_HOME, Seat.P0, "P1-H2"),
        (SetupFault.NOT_PLAYING, Seat.P2, None),
    ]
    with pytest.raises(BadInputError, match="no_such_hole:T100"):
        setup.board()


def test_a_possible_setup_is_the_board_that_it_shows() -> None:
    pawns = {"P0": ["camp", "camp", "T5", "H2"], "P1": ["camp"] * 4}
    setup = Setup.from_pawns(SHAPE, pawns)
    assert setup.problems() == ()
    assert setup.looks_like(setup.board())
