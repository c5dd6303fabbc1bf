"""Any terminal: a sign that its encoding lacks becomes a plainer one, and no command ends on it."""

import io
import json
import os
import subprocess
import sys

import pytest

from tock_app.cli.terminal import write_plainly
from tock_web.qr import qr_terminal

ENCODINGS = ("latin-1", "ascii", "cp1252", "cp437", "utf-8")


def output_of(encoding: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        (sys.executable, "-m", "tock_app.cli.main", *arguments),
        env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "arguments",
    [("rules", "show", "mjc", "--lang", "fr"), ("doctor", "--lang", "fr"), ("rules", "show", "\u2192\udcff")],
)
def test_commands_speak_french_on_any_terminal(encoding: str, arguments: tuple[str, ...]) -> None:
    done = output_of(encoding, *arguments)
    assert b"Traceback" not in done.stderr
    assert done.stdout or done.returncode == 2


@pytest.mark.parametrize("encoding", ENCODINGS)
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
