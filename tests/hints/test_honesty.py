"""A hint rests on what its seat may know, and on nothing else."""

import random

import pytest

from tests.support.games import moments
from tock_companion.hints.advice import Adviser
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import Effort
from tock_rules.engine import CardGame

pytestmark = pytest.mark.whole


def _redeal_the_hidden_cards(game: CardGame, seed: int) -> None:
    rng = random.Random(seed)
    others = [seat for seat in game.seats if seat != game.to_move]
    hidden = [card for seat in others for card in game.hands[seat]] + game.stock
    rng.shuffle(hidden)
    for seat in others:
        count = len(game.hands[seat])
        game.hands[seat], hidden = hidden[:count], hidden[count:]
    game.stock = hidden


def _advice(game: CardGame) -> list[tuple[object, float]]:
    advice = Adviser(Knowledge.of_game(game), seed=3).further(Effort(4, 4), budget_ms=None)
    return [(hint.choice.action, hint.value) for hint in advice.hints]


def test_other_hands_and_the_order_of_the_stock_do_not_change_the_hint() -> None:
    for number, game in enumerate(moments(15, seed=1)):
        before = _advice(game)
        _redeal_the_hidden_cards(game, number)
        assert _advice(game) == before


def test_the_own_hand_does_change_the_hint() -> None:
    changed = 0
    for game in moments(10, seed=2):
        before = _advice(game)
        game.hands[game.to_move], game.stock = game.stock[:5], game.hands[game.to_move] + game.stock[5:]
        changed += not game.hands[game.to_move] or _advice(game) != before
    assert changed >= 8


def test_asking_for_a_hint_leaves_the_game_as_it_was() -> None:
    for game in moments(5, seed=3):
        before = (
            game.state.pawns.copy(),
            [hand.copy() for hand in game.hands],
            game.stock.copy(),
            game.to_move,
        )
        _advice(game)
        assert (game.state.pawns, game.hands, game.stock, game.to_move) == before
