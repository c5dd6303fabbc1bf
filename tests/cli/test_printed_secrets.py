"""Codes are printed to terminals only: the output of a service is a log, and logs get posted."""

import os
import re
import select
from pathlib import Path

import pytest

from tests.support.forked import ForkedTock
from tests.support.mosquitto import free_port

COMMANDS = (("run",), ("club", "serve", "--no-broker"))
EIGHT_DIGITS = re.compile(r"\b[0-9]{4} ?[0-9]{4}\b")
LAST_LINE = {"run": "choose the host's PIN", "club": "Players join"}
PATIENCE_S = 45.0


def printed(command: tuple[str, ...], data: Path, written: int, read: int) -> str:
    """The output of a program once it is up."""
    port = str(free_port())
    arguments = [*command, "--port", port] if command[0] == "club" else [*command]
    environment = {**os.environ, "TOCK_DATA": str(data), "TOCK_PORT": port, "TOCK_TLS_PORT": "0"}
    with os.fdopen(written, "wb") as output, os.fdopen(read, "rb", buffering=0) as reader:
        tock, text = ForkedTock(arguments, environment, output=output), b""
        try:
            while LAST_LINE[command[0]].encode() not in text or not text.endswith(b"\n"):
                assert select.select([reader], [], [], PATIENCE_S)[0], text
                text += reader.read(10_000)
        finally:
            tock.terminate()
            tock.communicate(PATIENCE_S)
    return text.decode()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_program_prints_its_code_on_a_terminal_alone(tmp_path: Path, command: tuple[str, ...]) -> None:
    controller, terminal = os.openpty()
    assert EIGHT_DIGITS.search(printed(command, tmp_path / "seen", terminal, controller))
    reading, writing = os.pipe()
    logged = printed(command, tmp_path / "logged", writing, reading)
    assert not EIGHT_DIGITS.search(logged)
    assert ("tock host code" if command[0] == "run" else "director-code.txt") in logged


def test_the_director_s_code_waits_in_a_file_for_its_user_alone(tmp_path: Path) -> None:
    controller, terminal = os.openpty()
    shown = EIGHT_DIGITS.search(printed(COMMANDS[1], tmp_path, terminal, controller))
    (file,) = tmp_path.rglob("director-code.txt")
    assert shown is not None
    assert file.read_text().strip() == shown[0]
    assert file.stat().st_mode & 0o777 == 0o600
