"""The worked positions that show single statements of the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from tock_app.cli.commands import judge
from tock_app.cli.console import answer_line

DATA = Path(__file__).parents[1] / "data" / "rules"


def tidy(pawns: dict[str, list[str]]) -> dict[str, list[str]]:
    return {seat: sorted(places) for seat, places in pawns.items()}


def unordered(text: str) -> str:
    """The text of a move; parts of a seven that do not meet have no order of their own."""
    return " + ".join(sorted(text.split(" + ")))


def check(request: dict[str, Any]) -> None:
    expected = request.pop("expect")
    answer = answer_line(judge.answer, json.dumps(request))
    if request["kind"] == "legal_moves":
        found = {unordered(move["text"]): tidy(move["result"]) for move in answer["moves"]}
        assert {unordered(move["text"]): tidy(move["result"]) for move in expected["moves"]} == found
        assert expected["count"] == len(answer["moves"])
    elif request["kind"] == "verdict":
        assert expected["legal"] == answer["legal"]
        if expected["legal"]:
            assert tidy(expected["result"]) == tidy(answer["result"])
        else:
            assert expected["breaks"] == answer["breaks"][0]
    else:
        assert expected == {key: answer.get(key) for key in expected}


@pytest.mark.parametrize(("file", "count"), [("examples.jsonl", 69), ("families_examples.jsonl", 91)])
def test_all_worked_positions_are_answered_right(file: str, count: int) -> None:
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    wrong = []
    for line in lines:
        request = json.loads(line)
        try:
            check(request)
        except AssertionError as error:
            wrong.append(f"{request['id']}: {error}")
    assert not wrong
    assert len(lines) == count


BAD_LINES = (DATA / "bad_lines.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("case", [line for line in BAD_LINES if line and not line.startswith("#")])
def test_bad_line_gets_one_clear_error(case: str) -> None:
    wanted, _, line = case.partition(" | ")
    answer = answer_line(judge.answer, line)
    assert wanted in answer["error"]
    assert "\n" not in answer["error"]
