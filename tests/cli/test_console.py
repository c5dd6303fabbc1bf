"""JSON lines, standard streams and terminals: every line gets an answer, and a fault ends in one line."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.variants import each_asked_about_one, some
from tock_app.cli.commands.judge import run
from tock_app.cli.terminal import write_plainly
from tock_companion.errors import BadInputError
from tock_web.qr import qr_terminal

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


LINE = '{"id": 1, "kind": "deal", "ruleset": "mjc", "setup": {"players": 4}}'
JUDGE = f"{sys.executable} -m tock_app.cli.main judge"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"echo '{LINE}' | {JUDGE} >&-", 0),
        (f"{JUDGE} <&-", 0),
        (f"echo '{LINE}' | {JUDGE} 2>&-", 0),
        (f"echo 'no json' | {JUDGE} >&- 2>&-", 1),
    ],
)
def test_closed_streams_are_like_empty_ones(command: str, code: int) -> None:
    ended = shell(command)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr


def test_a_full_disk_behind_the_output_is_one_line() -> None:
    ended = shell(f"echo '{LINE}' | {JUDGE} >/dev/full")
    assert ended.returncode == 2
    assert ended.stderr == "tock judge: the output cannot be written: No space left on device\n"


def test_a_reader_that_leaves_is_no_fault() -> None:
    ended = shell(f"(for i in 1 2 3 4 5 6 7 8; do echo '{LINE}'; done) | {JUDGE} | head -1")
    assert ended.stderr == ""
    assert len(ended.stdout.splitlines()) == 1


def test_an_unknown_log_level_is_one_line() -> None:
    ended = shell(f"{JUDGE} </dev/null", TOCK_LOG="loud")
    assert ended.returncode == 2
    assert ended.stderr.startswith("tock: TOCK_LOG must be one of CRITICAL")
    assert len(ended.stderr.splitlines()) == 1


ENCODINGS = ("latin-1", "ascii", "cp1252", "cp437", "utf-8")
SPEAKING = (
    ("rules", "show", "mjc", "--lang", "fr"), ("doctor", "--lang", "fr"), ("rules", "show", "\u2192\udcff")
)  # fmt: skip


def output_of(encoding: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        (sys.executable, "-m", "tock_app.cli.main", *arguments),
        env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(("encoding", "arguments"), each_asked_about_one(ENCODINGS, SPEAKING))
def test_commands_speak_french_on_any_terminal(encoding: str, arguments: tuple[str, ...]) -> None:
    done = output_of(encoding, *arguments)
    assert b"Traceback" not in done.stderr
    assert done.stdout or done.returncode == 2


@pytest.mark.parametrize("encoding", some(ENCODINGS, every=4))
def test_json_stays_json(encoding: str) -> None:
    for line in output_of(encoding, "doctor", "--lang", "fr", "--json").stdout.decode("utf-8").splitlines():
        assert set(json.loads(line)) == {"part", "code", "level", "found", "do"}


def test_signs_have_plain_likenesses(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", written)
    write_plainly()
    written.write("l\u2019\u00e9t\u00e9 \u2192 7\u202f% \u2026 \u2013 c\u0153ur \u2588\udcff")
    written.seek(0)
    assert written.read() == "l'ete -> 7 % ... - coeur ??"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_a_code_is_drawn_with_what_the_terminal_has(encoding: str) -> None:
    url = "http://192.168.1.50/"
    qr_terminal(url, Terminal(io.BytesIO(), "cp437")).encode("cp437")
    qr_terminal(url, Terminal(io.BytesIO(), encoding)).encode(encoding)
    assert qr_terminal(url, io.TextIOWrapper(io.BytesIO(), encoding)) == ""
