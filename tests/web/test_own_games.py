"""Which game a family plays, and the games of families' own: asked for, kept, shared."""

from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from tests.support.page import Phone
from tock_companion.views.wording.rulesheet import rulesheet
from tock_companion.views.wording.statements import as_played
from tock_rules import load_preset, preset_names


def found(client: FlaskClient, **given: str) -> Any:
    return Phone(client).get(f"own-games/find?{urlencode(given)}").get_json()


def test_the_questions_are_asked_until_one_game_is_left(client: FlaskClient) -> None:
    first = found(client)
    assert first["question"]["topic"] == "card_j"
    assert len(first["games"]) == len(preset_names())
    second = found(client, card_j="swap:any")
    assert {game["name"] for game in second["games"]} == {"mjc", "diagonale", "parteu", "quebec"}
    last = found(client, card_j="swap:any", deal="5-4-4")
    assert [game["name"] for game in last["games"]] == ["quebec"]
    assert (last["question"], last["options"]) == (None, {})


def test_a_familys_answer_changes_the_nearest_game_and_the_printed_rule_is_shown(client: FlaskClient) -> None:
    printed = {"card_j": "+10;swap:others", "deal": "5-4-4", "card_7": "split7:takes.mate_rest"}
    body = found(client, **printed, card_a="start;+1", **{"pass": "never"})
    assert [game["name"] for game in body["games"]] == ["toc"]
    assert body["options"] == {"ace_eleven": False, "pass": "never"}
    ace = next(row for row in body["sheet"] if row["topic"] == "card_a")
    assert ace["text"]["en"] == "An Ace brings a pawn out, or moves 1."
    assert ace["printed"]["fr"] == "Un as fait sortir un pion, ou avance de 1 ou 11."
    assert [row["printed"] for row in body["sheet"]].count(None) == 5


def test_a_familys_game_is_kept_and_goes_to_others_as_a_file_and_by_a_link(
    phone: Phone, other_phone: Phone
) -> None:
    phone.sit("P0")
    options = {"card_a": "start;+1", "no_play": "hand_down"}
    kept = phone.post("own-games", name="Chez Zoé", ruleset="toc", options=options).get_json()
    assert other_phone.get("own-games").get_json()["games"] == [kept]
    assert kept["link"] == "#game=toc%5Bno_play%3Dhand_down%2Ccard_a%3Dstart%3B%2B1%5D&name=Chez%20Zo%C3%A9"
    file = phone.get(f"own-games/file?{urlencode({'name': 'Chez Zoé'})}").text
    for text in (file, f"http://tock.local/{kept['link']}"):
        assert other_phone.post("own-games/read", text=text).get_json() == kept
    assert other_phone.post("own-games/forget", name="Chez Zoé").status_code == 403
    phone.post("own-games/forget", name="Chez Zoé")
    assert phone.get("own-games").get_json()["games"] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = 'X'\ngame = 'tic-tac-toe'", "no such ruleset: 'tic-tac-toe'"),
        ("name = 'X'\ngame = 'toc'\n[rules]\nfive_into_home = 'never'", "no such option: five_into_home"),
        ("name = ''\ngame = 'toc'", "name: write the name of the game"),
        ("game = 'toc'\nrules = 3\nname = 'X'", "options are names with values, not 3"),
        ("http://x/#game=toc[card_a=hop]&name=X", "no such action: 'hop'"),
        ("http://x/#game=", "no such ruleset"),
        ("\x00", "neither a link to a game nor the file of one"),
        ("colour = 1", "no such key: 'colour'"),
    ],
)
def test_a_shared_game_that_is_wrong_is_refused_in_one_line(phone: Phone, text: str, why: str) -> None:
    answer = phone.post("own-games/read", text=text)
    assert answer.status_code == 409
    assert why in answer.get_json()["error"]


def test_own_rules_come_first_on_the_sheet_and_explain_warnings() -> None:
    rules = load_preset("toc").with_options({"card_a": "start;+1"})
    assert rulesheet(rules)[0].lines[0]["en"] == "An Ace brings a pawn out, or moves 1."
    assert (
        as_played(rules, rules.statements["ace"][:1])[0]["fr"] == "Un as fait sortir un pion, ou avance de 1."
    )
