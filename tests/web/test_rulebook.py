"""Why? The rule: a warning's statements are answered in sentences, as this table plays."""

import pytest
from flask.testing import FlaskClient

from tock_companion.views.wording.statements import statement
from tock_rules import load_preset, preset_names


def sentences(client: FlaskClient, *refs: str) -> list[str]:
    answer = client.get(f"/api/v1/rules/statements?refs={','.join(refs)}")
    assert answer.status_code == 200
    return [text["en"] for text in answer.get_json()["sentences"]]


@pytest.mark.parametrize("ruleset", preset_names())
def test_every_rule_that_a_warning_names_is_answered_with_its_sentence(
    client: FlaskClient, ruleset: str
) -> None:
    for refs in load_preset(ruleset).statements.values():
        assert not refs or sentences(client, *refs) == list(
            dict.fromkeys(statement(ref)["en"] for ref in refs)
        )


def test_only_what_is_asked_for_is_sent(client: FlaskClient) -> None:
    assert sentences(client, "R004-22") == ["A four always goes back 4."]
    whole = client.get("/api/v1/rules/statements?refs=R004-29,R004-45").data
    assert len(whole) < 600
