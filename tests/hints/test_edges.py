"""Moments at the edge: nothing to play, one thing to play, a seven that four pawns can share."""

import random
import time
from collections import Counter

import pytest

from tests.support.games import at_random, table
from tests.support.rule_checks import FORMS
from tock_companion.hints.advice import Adviser
from tock_companion.hints.knowledge import Knowledge
from tock_rules import TEXTS, Board, Position, Seat, load_preset, parse_hand, preset_names, shape_for
from tock_rules.engine import CARDS, position_of

FIRST_S = 0.2
"""Ten times the limit of the first answer: the processor of a test machine is shared."""


def knowledge(ruleset: str, pawns: dict[str, list[str]], hand: str) -> Knowledge:
    rules = load_preset(ruleset)
    board = Board.from_pawns(shape_for(rules, 4), pawns)
    return Knowledge(Position.of(rules, board, Seat.P0), parse_hand(hand.split()))


CAMPS = {"P0": ["camp"] * 4, "P2": ["camp"] * 4}


@pytest.mark.parametrize(
    ("ruleset", "pawns", "hand", "doing"),
    [
        ("parteu", CAMPS, "9S 3H", "discard"),
        ("joker-individuel", CAMPS, "9S 3H 2C 4C 6D", "discard"),
        ("gladius", CAMPS, "9S 3H 2C 4C 6D", "throw_hand"),
        ("mjc", {"P0": ["T17", "H2", "H3", "H4"], "P1": ["T18*", *["camp"] * 3]}, "KH 9S QS", "lay_down"),
    ],
)
def test_without_a_legal_move_it_says_what_to_do_at_once(
    ruleset: str, pawns: dict[str, list[str]], hand: str, doing: str
) -> None:
    began_s = time.process_time()
    advice = Adviser(knowledge(ruleset, pawns, hand)).at_once()
    assert time.process_time() - began_s < FIRST_S
    assert (advice.best.doing, advice.moves[1:]) == (doing, ())
    assert advice.best.reasons


@pytest.mark.parametrize("ruleset", TEXTS)
def test_the_one_legal_move_is_not_looked_at_twice(ruleset: str) -> None:
    pawns = {"P0": ["T5", "camp", "camp", "camp"], "P2": ["T50", "camp", "camp", "camp"]}
    advice = Adviser(knowledge(ruleset, pawns, "9S")).further(budget_ms=None)
    assert [hint.move and hint.move.text for hint in advice.hints] == ["P0:T5>T14"]
    assert advice.best.choice.samples == 0
    assert "only_move" in [reason.code for reason in advice.best.reasons]


def test_a_seven_shared_by_four_pawns_is_listed_once_for_each_outcome() -> None:
    pawns = {"P0": ["T3", "T12", "T22", "T40"], "P2": ["T60", "camp", "camp", "camp"]}
    adviser = Adviser(knowledge("diagonale", pawns, "7S"))
    began_s = time.process_time()
    advice = adviser.at_once()
    assert time.process_time() - began_s < FIRST_S
    found = Counter(hint.move.result for hint in advice.moves if hint.move is not None)
    # Seven holes in four parts, each of them 0 or more: 10 over 3.
    assert len(found) == 120
    assert set(found.values()) == {1}
    began_s = time.process_time()
    better = adviser.further(clock=time.process_time)
    assert time.process_time() - began_s < 5 * FIRST_S
    assert better.best.choice.samples > 0


@pytest.mark.parametrize("ruleset", preset_names())
def test_every_game_gets_hints_that_can_be_played(ruleset: str) -> None:
    rng = random.Random(4)
    game = table(load_preset(ruleset), *FORMS[ruleset][0], rng)
    for _ in range(60):
        game.do(at_random(game, rng))
    while game.owes_discard[game.to_move] or not game.plays():
        game.do(at_random(game, rng))
    hand = tuple(CARDS[number] for number in game.hands[game.to_move])
    here = position_of(game)
    advice = Adviser(Knowledge(here, hand)).further(budget_ms=None)
    for hint in advice.moves:
        assert hint.move is not None
        assert here.find(hint.move.card, hint.move.parts) is not None
        assert hint.reasons
