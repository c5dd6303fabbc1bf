"""Dotted lines of joker-individuel near the home entrance (R000-15, R000-18, R000-36 to R000-38)."""

import pytest

from tests.support.boards import position
from tock_rules import Card, Move, judge_move

CASES = [
    # Home by the line: then not past the entrance by the line.
    ("P0 T79 H4", "KH", ["P0:camp>T0*", "P0:T79~T97>H3", "P0:T79>T92"]),
    # The home is barred: the line leads on past the entrance.
    ("P0 T79 H1 H3 H4", "KH", ["P0:T79>T92", "P0:T79~T97>T1"]),
    ("P0 T97 H1 H3 H4", "6H", ["P0:T97>T103", "P0:T97~T7>T12"]),
    # Home along the track: then the pawn may not take the line across its own start either.
    ("P0 T97", "QD", ["P0:T97>H3"]),
    ("P0 T25", "4H", ["P0:T25>T21", "P0:T25~T7>T4"]),
    ("P0 T25, P1 T7", "4H", ["P0:T25>T21"]),
    ("P0 T25, P1 T43", "3H", ["P0:T25>T28"]),
    ("P0 T26", "3H", ["P0:T26>T29"]),
]


@pytest.mark.parametrize(("pawns", "card", "expected"), CASES)
def test_dotted_lines_on_six_zones(pawns: str, card: str, expected: list[str]) -> None:
    here = position("joker-individuel", pawns, zones=6)
    assert expected == [move.text for move in here.legal_moves(Card.parse(card))]


def test_pawn_that_came_to_a_seven_in_this_turn_waits_for_the_next() -> None:
    here = position("joker-individuel", "P0 T7", zones=6)
    first = judge_move(here, Card.parse("JOK_B"), "P0:T7>T25")
    assert isinstance(first, Move)
    here = here.play(first)
    assert [move.text for move in here.legal_moves(Card.parse("3H"))] == ["P0:T25>T28"]
    for _ in range(6):
        here = here.end_turn()
    assert [move.text for move in here.legal_moves(Card.parse("3H"))] == ["P0:T25>T28", "P0:T25~T43>T45"]


def test_line_is_named_when_it_may_not_be_taken() -> None:
    four = judge_move(position("joker-individuel", "P0 T7", zones=4), Card.parse("3H"), "P0:T7~T25>T27")
    assert (four.code, four.breaks[0]) == ("move/no_line", "R000-18")  # type: ignore[union-attr]
    elsewhere = judge_move(position("joker-individuel", "P0 T8", zones=6), Card.parse("3H"), "P0:T8~T25>T27")
    assert (elsewhere.code, elsewhere.breaks[0]) == ("move/no_line", "R000-36")  # type: ignore[union-attr]
