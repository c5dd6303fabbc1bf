"""A view goes to a far phone as what has changed: whatever changes, both ends make the same of it."""

import json
from random import Random
from typing import Any

import pytest

from tests.support.checkout import DATA
from tock_bench.fuzz.mutations import mutate_value
from tock_companion.far.changes import changed, changes
from tock_companion.far.messages import Changes, message_bytes, read_down

CASES = json.loads((DATA / "far" / "changes.json").read_text(encoding="utf-8"))
ROUNDS = 300


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_changes_keep_the_form_that_browsers_are_held_against(case: dict[str, Any]) -> None:
    assert changes(case["old"], case["new"]) == case["changes"]
    assert changed(case["old"], case["changes"]) == case["new"]


def test_any_change_comes_out_the_same() -> None:
    rng = Random(4)
    value: Any = {case["name"]: [case["old"], case["new"]] for case in CASES}
    for _ in range(ROUNDS):
        new = mutate_value(rng, value)
        if not isinstance(new, dict):
            continue
        assert changed(value, json.loads(json.dumps(changes(value, new)))) == json.loads(json.dumps(new))
        value = new if rng.random() < 0.5 and len(json.dumps(new)) < 5_000 else value


def test_changes_are_read_as_they_were_written() -> None:
    message = Changes(CASES[0]["changes"], "boot")
    assert read_down(message_bytes(message)) == message
