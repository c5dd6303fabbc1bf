"""The best move of a game is named only where it stands out of chance."""

from tests.support.boards import position
from tock_companion.hints.best_move import best_move
from tock_rules import Card, Move, Position, Seat, judge_move


def made(before: Position, card: str, text: str) -> tuple[Position, Move]:
    move = judge_move(before, Card.parse(card), text)
    assert isinstance(move, Move)
    return before, move


CAPTURE = position("mjc", "P0 T4 T20, P1 T26, P2 T40, P3 T60")
ALIKE = position("mjc", "P0 T4 T5")


def test_a_move_that_gains_much_is_named_with_what_it_gained() -> None:
    found = best_move([made(ALIKE, "2H", "P0:T4>T6"), made(CAPTURE, "6H", "P0:T20>T26")])
    assert found is not None
    assert found.move.text == "P0:T20>T26"
    assert found.seat is Seat.P0
    assert 0.03 <= found.gain < 1


def test_moves_that_are_as_good_as_each_other_are_not_praised() -> None:
    assert best_move([made(ALIKE, "2H", "P0:T4>T6")]) is None


def test_the_worse_of_two_moves_is_not_praised() -> None:
    assert best_move([made(CAPTURE, "6H", "P0:T4>T10")]) is None


def test_a_card_that_left_no_choice_earns_nothing() -> None:
    only = position("mjc", "P0 T4, P1 T26")
    assert best_move([made(only, "6H", "P0:T4>T10")]) is None


def test_the_same_game_has_the_same_best_move() -> None:
    moves = [made(CAPTURE, "6H", "P0:T20>T26")]
    assert best_move(moves) == best_move(moves)
