"""Hands, stock and turns of a whole game."""

import random

import pytest

from tests.support.games import table
from tock_rules import Card, load_preset, preset_names
from tock_rules.engine import (
    CARD_NUMBERS,
    CARDS,
    DISCARD,
    GIVE,
    LAY_DOWN,
    PLAY,
    STOP,
    THROW_HAND,
    CardGame,
    State,
)

FOUR = (0, 1, 2, 3)
PAIRS = ((0, 2), (1, 3))


def game(ruleset: str, teams: tuple[tuple[int, ...], ...] = (), **options: object) -> CardGame:
    return table(load_preset(ruleset).with_options(options), 4, FOUR, teams, random.Random(4))


def numbers(*names: str) -> list[int]:
    return [CARD_NUMBERS[Card.parse(name)] for name in names]


def test_seat_left_of_the_dealer_begins_and_everybody_has_five_cards() -> None:
    here = game("mjc")
    assert (here.dealer, here.to_move) == (3, 0)
    assert [len(hand) for hand in here.hands] == [5, 5, 5, 5]
    assert len(here.stock) == 54 - 20


def test_playing_a_card_draws_one() -> None:
    here = game("mjc")
    here.hands[0] = numbers("KH", "2H", "3H", "4H", "6H")
    here.do(next(action for action in here.actions() if action[0] == PLAY))
    assert len(here.hands[0]) == 5
    assert here.to_move == 1


def test_used_cards_become_the_stock_turned_over_or_shuffled() -> None:
    for renewal in ("turned", "shuffled"):
        here = game("mjc", stock_renewal=renewal)
        here.stock, here.used = [], list(range(20))
        here.draw(0, 1)
        assert len(here.stock) == 19
        turned = [*here.stock, here.hands[0][-1]] == list(range(20))[::-1]
        assert (renewal == "turned") == turned


def test_partners_give_each_other_one_card() -> None:
    here = game("mjc", PAIRS, card_exchange=True)
    before = [list(hand) for hand in here.hands]
    given = {}
    for _ in FOUR:
        action = here.actions()[0]
        assert action[0] == GIVE
        given[here.to_move] = action[1]
        here.do(action)
    for seat, mate in ((0, 2), (2, 0), (1, 3), (3, 1)):
        hand = list(before[seat])
        hand.remove(given[seat])
        assert sorted([*hand, given[mate]]) == sorted(here.hands[seat])
    assert here.to_move == 0


def test_hand_without_starter_may_be_thrown_to_come_out() -> None:
    here = game("gladius")
    here.hands[0] = numbers("2H", "3H", "4H", "6H", "8H")
    here.had_starter[0] = False
    throw = next(action for action in here.actions() if action[0] == THROW_HAND)
    here.do(throw)
    assert here.hands[0] == []
    assert 5 in here.state.pawns[:4]
    assert here.state.fresh == 0


def test_starter_that_was_dealt_and_spent_forbids_throwing() -> None:
    here = game("gladius")
    here.hands[0] = numbers("2H", "3H", "4H", "6H")
    here.had_starter[0] = True
    assert THROW_HAND not in [action[0] for action in here.actions()]


def test_second_move_of_a_joker_may_be_kept() -> None:
    here = game("mjc")
    here.hands[0] = numbers("JOK_B", "2H", "3H", "4H", "6H")
    here.do(next(a for a in here.actions() if a[0] == PLAY and CARDS[a[1]] == Card.parse("JOK_B")))
    assert here.to_move == 0
    here.do(next(action for action in here.actions() if action[0] == STOP))
    assert (here.to_move, here.stored[0]) == (1, 1)


def test_third_second_move_that_cannot_be_played_costs_a_card() -> None:
    here = game("joker-individuel", joker_store_limit=1)
    here.stored[0] = 1
    here.hands[0] = numbers("JOK_B", "JH", "JS", "JD", "JC")
    here.stock = numbers("QH", "JH", "JS")
    here.do(next(action for action in here.actions() if action[0] == PLAY))
    here.hands[0] = numbers("JC", "2D")
    assert {PLAY} == {action[0] for action in here.actions()}
    here.hands[0] = numbers("JC", "JD")
    assert {DISCARD} == {action[0] for action in here.actions()}
    here.do(here.actions()[0])
    assert (here.to_move, here.stored[0]) == (1, 1)


def test_next_dealer_gathers_the_cards_when_all_are_dealt() -> None:
    here = game("gladius")
    for _ in range(3):
        for seat in FOUR:
            here.used += here.hands[seat]
            here.hands[seat] = []
        here.deal()
    assert (here.dealer, here.to_move, here.hand_number) == (0, 1, 0)
    assert len(here.stock) + sum(map(len, here.hands)) == 54


def test_seats_without_cards_are_passed_over() -> None:
    here = game("parteu")
    here.hands[1] = []
    here.end_turn()
    assert here.to_move == 2


@pytest.mark.parametrize("name", preset_names())
def test_playing_at_random_comes_to_the_same_as_action_by_action(name: str) -> None:
    games = []
    for at_once in (True, False):
        rng = random.Random(3)
        game = table(load_preset(name), 4, (0, 1, 2, 3), (), rng)
        if at_once:
            game.play_at_random(rng.random, 10_000)
        while not game.winners():
            game.do(game.random_action(rng.random))
        games.append((game.winners(), game.state.key(), game.hands, game.stock, rng.random()))
    assert games[0] == games[1]


@pytest.mark.parametrize(("hand", "kind"), [("KH QH", LAY_DOWN), ("10H QH", DISCARD)])
def test_a_hand_is_laid_down_only_with_a_starter_that_cannot_be_used(hand: str, kind: int) -> None:
    here = game("mjc")
    # A protected pawn of P1 stops all four pawns of P0.
    here.state = State.of([14, 15, 16, 17, 18, *[-1] * 11])
    here.hands[0] = numbers(*hand.split())
    assert {action[0] for action in here.actions()} == {kind}


@pytest.mark.parametrize(("cards", "allowed"), [(3, False), (4, True), (5, True), (6, True), (7, False)])
def test_four_to_six_cards_may_be_thrown(cards: int, allowed: bool) -> None:
    here = game("gladius")
    here.had_starter[0] = False
    here.hands[0] = numbers("2H", "3H", "5H", "6H", "8H", "9H", "10H")[:cards]
    thrown = [action for action in here.actions() if action[0] == THROW_HAND]
    assert [action[2][3] for action in thrown] == ([cards] if allowed else [])
