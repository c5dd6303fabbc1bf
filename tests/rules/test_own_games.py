"""A game in one short file, without statements and in one language, is played, explained and put into words."""

import random

import pytest

from tests.support.checkout import ROOT
from tock_companion.views.wording import both
from tock_companion.views.wording.games import title
from tock_companion.views.wording.rulesheet import rulesheet
from tock_rules import (
    Board,
    Card,
    Game,
    Position,
    Ruleset,
    Seat,
    Violation,
    deal_plan,
    faults_of,
    judge_move,
    load_preset,
    own_files,
    ruleset_of,
    shape_for,
)
from tock_rules.ruleset_files import preset_table

TEXT = (ROOT / "docs" / "examples" / "own-game.toml").read_bytes()
PAIRS = [[Seat.P0, Seat.P2], [Seat.P1, Seat.P3]]


@pytest.fixture
def rules() -> Ruleset:
    return load_preset(own_files.add_ruleset(TEXT))


def _position(rules: Ruleset, **pawns: list[str]) -> Position:
    places = {f"P{seat}": pawns.get(f"P{seat}", ["camp"] * 4) for seat in range(4)}
    return Position.of(rules, Board.from_pawns(shape_for(rules, 4), places), Seat.P0, PAIRS)


def _moves(position: Position, card: str) -> list[str]:
    return [move.text for move in position.legal_moves(Card.parse(card))]


def test_the_example_has_no_faults_and_is_put_into_words_in_every_language(rules: Ruleset) -> None:
    assert faults_of(TEXT) == []
    assert title(rules.name) == {"fr": "Our game", "en": "Our game"}
    (sheet,) = rulesheet(rules)
    assert sheet.lines[5]["en"] == "A 6 brings a partner’s pawn out, or moves 6."
    assert sheet.lines[7]["fr"] == "Un 8 ne fait rien."


def test_a_card_brings_a_partners_pawn_out_and_no_other(rules: Ruleset) -> None:
    start = _position(rules)
    assert _moves(start, "6H") == ["P2:camp>T36*"]
    assert _moves(_position(rules, P2=["T36*", "camp", "camp", "camp"]), "6H") == []
    assert _moves(
        _position(rules, P2=["T36", "camp", "camp", "camp"], P3=["T37", "camp", "camp", "camp"]), "6H"
    )
    finished = _position(rules, P0=["H1", "H2", "H3", "H4"])
    assert _moves(finished, "6H") == ["P2:camp>T36*"]
    assert _moves(finished, "AH") == ["P2:camp>T36*"]
    for card, text, code in [
        ("6H", "P0:camp>T0", "move/no_starter"),
        ("6H", "P1:camp>T18", "move/not_your_pawn"),
        ("AH", "P2:camp>T36", "move/partners_pawn"),
    ]:
        found = judge_move(start, Card.parse(card), text)
        assert isinstance(found, Violation)
        assert found.code == code
        assert all(both(found, start.shape).values())


def test_a_card_that_does_nothing_is_only_put_away(rules: Ruleset) -> None:
    assert _moves(_position(rules, P0=["T20", "camp", "camp", "camp"]), "8H") == []


def test_mistakes_of_one_kind_rest_on_one_row(rules: Ruleset) -> None:
    assert rules.refs("home_passing", "value") == ()
    table = {**preset_table("toc"), "statements": {"home": ["TOC-33"], "home_back": ["TOC-35"]}}
    written = ruleset_of(table)
    assert written.refs("home_too_far") == written.refs("home_passing", "capture") == ("TOC-33",)
    assert written.refs("home_back") == ("TOC-35",)


def test_two_games_of_one_name_that_differ_only_in_statements_are_not_mixed_up() -> None:
    table = preset_table("toc")
    others = {**table, "statements": {**table["statements"], "home_leaving": ["TOC-99"]}}
    found = []
    for rules in (ruleset_of(table), ruleset_of(others)):
        refused = judge_move(
            _position(rules, P0=["H1", "camp", "camp", "camp"]), Card.parse("4H"), "P0:H1>T70"
        )
        assert isinstance(refused, Violation)
        found.append(refused.breaks[0])
    assert found == ["TOC-35", "TOC-99"]


def test_the_lead_moves_on_within_a_pack_and_begins_again_beside_the_next_dealer(rules: Ruleset) -> None:
    plan = deal_plan(rules, 4)
    hands = [plan.first_hand((0, 1, 2, 3), 3)]
    for _ in range(5):
        hands.append(plan.next_hand((0, 1, 2, 3), hands[-1]))
    assert [(hand.dealer, hand.first) for hand in hands] == [(3, 0), (3, 1), (3, 2), (0, 1), (0, 2), (0, 3)]


@pytest.mark.whole
def test_whole_games_of_the_example_come_to_an_end(rules: Ruleset) -> None:
    rng = random.Random(4)
    game = Game.start(rules.name, players=4, seed=4)
    for _ in range(5_000):
        actions = game.legal_actions()
        if not actions:
            break
        game = game.play(rng.choice(actions))
    assert game.result is not None
