"""A view goes to a far phone as its changes: both ends compute the same view."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.checkout import DATA
from tock_companion.far.changes import changed, changes
from tock_companion.far.messages import Changes, message_bytes, read_down

CASES = json.loads((DATA / "far" / "changes.json").read_text(encoding="utf-8"))
KEYS = st.sampled_from(["a", "b", "", "$"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([0.5, "", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
)
"""Few keys and values, so that two of them often have parts in common."""
VIEWS = st.dictionaries(KEYS, VALUES, max_size=4)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_changes_keep_the_form_that_browsers_are_held_against(case: dict[str, Any]) -> None:
    assert changes(case["old"], case["new"]) == case["changes"]
    assert changed(case["old"], case["changes"]) == case["new"]


@given(VIEWS, VIEWS)
def test_any_change_comes_out_the_same(old: dict[str, Any], new: dict[str, Any]) -> None:
    made = changed(old, json.loads(json.dumps(changes(old, new))))
    assert json.dumps(made, sort_keys=True) == json.dumps(new, sort_keys=True)


def test_changes_are_read_as_they_were_written() -> None:
    message = Changes(CASES[0]["changes"], "boot")
    assert read_down(message_bytes(message)) == message
