"""JSON lines in, JSON lines out: every line gets an answer, also beside faulty ones."""

import io
import json
from pathlib import Path

import pytest

from tock_app.cli.commands.judge import run
from tock_companion.errors import BadInputError

GOOD = b'{"id": 1, "kind": "deal", "ruleset": "mjc", "setup": {"players": 4}}\n'


def judged(data: bytes) -> tuple[int, list[dict[str, object]]]:
    out = io.StringIO()
    code = run([], io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"), out)
    out.getvalue().encode("utf-8")
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b'{"id": 2, "kind": "\xff"}', "request: not UTF-8 text (line 1, byte 19)"),
        (b"[" * 100_000, "not JSON: nested too deeply"),
        (b"[1, 2]", "a request is a JSON object"),
        (b'{"id": ' + b"9" * 5000 + b"}", "not JSON: a number of too many digits"),
        (b'{"id": "\\ud800", "kind": "?"}', ""),
    ],
)
def test_a_malformed_line_is_answered_and_the_run_goes_on(line: bytes, complaint: str) -> None:
    code, answers = judged(GOOD + line + b"\n" + GOOD)
    assert code == 1
    assert len(answers) == 3
    assert "deck" in answers[0]
    assert answers[2] == answers[0]
    assert complaint in str(answers[1]["error"])


def test_half_a_surrogate_pair_comes_back_as_it_came() -> None:
    _, answers = judged(b'{"id": "\\ud800", "kind": "deal", "ruleset": "mjc", "setup": {"players": 4}}')
    assert answers[0]["id"] == "\ud800"
    assert "deck" in answers[0]


@pytest.mark.timeout(5)
def test_input_without_line_ends_is_refused_instead_of_read_for_ever() -> None:
    with (
        Path("/dev/zero").open(encoding="utf-8") as endless,
        pytest.raises(
            BadInputError, match="line 1 is longer than 1000000 bytes; give one JSON object a line"
        ),
    ):
        run([], endless, io.StringIO())
