"""Defaults of a new game where the host has chosen nothing."""

import pytest

from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError
from tock_rules import Seat


def test_a_board_with_more_zones_than_the_ruleset_has_players_begins_with_as_many_as_play() -> None:
    board = generate(8, 600)
    assert game_started(GameSetup("mjc"), board).seats == ["P0", "P2", "P4", "P6"]
    assert len(game_started(GameSetup("diagonale"), board).seats) == 8


def test_a_number_of_players_that_the_ruleset_does_not_know_is_refused() -> None:
    with pytest.raises(BadInputError, match="players: 2, 4"):
        game_started(GameSetup("mjc", seats=[Seat.P0, Seat.P1, Seat.P2]), generate(4, 440))
