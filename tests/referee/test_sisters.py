"""A refused move that a sister game allows names that game's rule."""

import pytest

from tock_companion.sisters import sister_rule
from tock_rules import Card, Position


@pytest.mark.parametrize(
    ("line", "card", "seen", "game", "option"),
    [
        ("mjc 4 P0 - P0:T5 P1: P2: P3:", "AH", {"T5": "empty", "T16": "P0"}, "toc", "card_a"),
        ("mjc 4 P0 - P0:T5 P1: P2: P3:", "JH", {"T5": "empty", "T16": "P0"}, "gladius", "card_j"),
        ("mjc 4 P0 - P0:T5 P1: P2: P3:", "JH", {"T5": "empty", "T15": "P0"}, "toc", "card_j"),
        ("mjc 4 P0 - P0:T5 P1: P2: P3:", "5H", {"T5": "empty", "T10": "P0"}, "gladius", "card_5"),
        ("joker-individuel 4 P0 - P0:T5 P1:T7 P2: P3:", "6H", {"T5": "empty", "T11": "P0"}, "mjc", "passing"),
    ],
)
def test_a_move_that_a_sister_game_allows_names_its_rule(
    line: str, card: str, seen: dict[str, str], game: str, option: str
) -> None:
    found = sister_rule(Position.parse(line), Card.parse(card), seen)
    assert found is not None
    assert (found.game, found.option) == (game, option)


@pytest.mark.parametrize("seen", [{"T5": "empty", "T8": "P0"}, {"T5": "empty"}, {"T30": "P1"}])
def test_a_move_that_no_game_allows_names_none(seen: dict[str, str]) -> None:
    assert sister_rule(Position.parse("mjc 4 P0 - P0:T5 P1: P2: P3:"), Card.parse("AH"), seen) is None
