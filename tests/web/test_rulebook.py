"""The rules in plain words: what a warning refers to is told by itself."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tock_companion.rules import load_preset, preset_names


def lines(client: FlaskClient, ruleset: str) -> list[dict[str, Any]]:
    sections = client.get(f"/api/v1/rules?ruleset={ruleset}").get_json()["sections"]
    return [line for section in sections for line in section["lines"]]


@pytest.mark.parametrize("ruleset", preset_names())
def test_every_rule_that_a_warning_names_first_is_told_in_a_few_sentences(
    client: FlaskClient, ruleset: str
) -> None:
    told = lines(client, ruleset)
    for thing, statements in load_preset(ruleset).statements.items():
        about = [line for line in told if line["statements"].count(statements[0] if statements else None)]
        assert not statements or 1 <= len(about) <= 6, (thing, statements, about)


def test_a_rule_is_told_without_others(client: FlaskClient) -> None:
    by_statement = {
        statement: [line["en"] for line in lines(client, "mjc") if statement in line["statements"]]
        for statement in ("R004-22", "R004-37", "R004-45")
    }
    assert by_statement["R004-22"] == ["A four always goes backwards, by 4, and never into your home."]
    assert [text.partition(".")[0] for text in by_statement["R004-37"]] == [
        "The door to your home is 2 holes before your start"
    ]
    assert "A protected pawn cannot be taken." in by_statement["R004-45"]
