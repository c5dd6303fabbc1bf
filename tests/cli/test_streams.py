"""Standard streams that are closed, full or left alone end a command in one line or not at all."""

import os
import subprocess
import sys

import pytest

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
