"""Whole hands: the engine's game, the position, the table with cards and `tock judge` go through them alike."""

import json
from collections import Counter
from typing import Any

import pytest

from tests.rules.card_tables import walk
from tests.support.checkout import DATA
from tests.support.rule_checks import FORMS
from tock_app.cli.commands import judge
from tock_app.cli.console import answer_line
from tock_rules import TEXTS, Ruleset, load_preset, preset_names

HOUSES = [
    *preset_names(),
    "mjc[card_exchange=true]",
    "parteu[jokers=true]",
    "joker-individuel[joker_store_limit=1]",
    "mjc[joker_second_compulsory=true]",
    "gladius[throw_exit=first_turn]",
    "gladius[card_exchange=true]",
    "diagonale[no_play=hand_down]",
]


@pytest.mark.parametrize("house", HOUSES)
def test_all_ways_to_ask_agree_through_whole_hands(house: str) -> None:
    rules = Ruleset.parse(house)
    counts = Counter[str]()
    for seed, form in enumerate(FORMS[rules.name][: 2 if house in TEXTS else 1]):
        counts += walk(rules, form, seed, 150)
    assert counts["play"] > 50


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", preset_names())
def test_all_ways_to_ask_agree_through_a_hundred_thousand_turns(name: str) -> None:
    rules, forms = load_preset(name), FORMS[name]
    each = -(-100_000 // len(forms))
    assert sum(walk(rules, form, seed, each)["turns"] for seed, form in enumerate(forms)) >= 100_000


EXAMPLES = (DATA / "rules" / "table_examples.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: json.loads(line)["id"])
def test_worked_hands_are_judged_right(line: str) -> None:
    request = json.loads(line)
    expected = request.pop("expect")["steps"]
    answer = answer_line(judge.answer, json.dumps(request))
    for found, wanted in zip(answer["steps"], expected, strict=True):
        assert wanted == {key: found[key] for key in wanted}
        assert found["ok"] or (found["breaks"] and set(found["message"]) == {"fr", "en"})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"steps": None}, "steps is a list"),
        ({"steps": [{"seat": "P3", "fold": True}]}, "step 1: one of play"),
        ({"steps": [{"seat": "P7", "end": True}]}, "step 1: P7 does not play"),
        ({"steps": [{"seat": "P3", "end": 1}]}, "step 1: end is true"),
        ({"steps": [{"seat": "P3", "play": "6S"}]}, "step 1: move is a text"),
        ({"hands": {"P3": ["6S"] * 40}}, "P3 has 40 cards, but 5 were dealt"),
        ({"hands": {"P3": ["6S", "6S"]}}, "fewer copies of 6S"),
        ({"hands": {"P7": ["6S"]}}, "P7 has cards but does not play"),
        ({"hands": ["6S"]}, "hands has a list of cards by seat"),
        ({"dealer": "P7"}, "P7 cannot deal"),
        ({"round": 3}, "3 hands"),
        ({"round": True}, "round is a number"),
        ({"stored": {"P0": -1}}, "P0 is a number"),
    ],
)
def test_bad_hands_get_one_clear_error(change: dict[str, Any], says: str) -> None:
    answer = answer_line(judge.answer, json.dumps({**json.loads(EXAMPLES[0]), **change}))
    assert says in answer["error"]
