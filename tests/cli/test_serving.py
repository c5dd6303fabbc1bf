"""Services listen where their settings say, and print their codes on terminals alone."""

import os
import re
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.forked import ForkedTock
from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tock_app.cli.main import main

PATIENCE_S = 45.0
OWN, OTHER = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine; what listens on all of them hears both."""


@contextmanager
def desk(data: Path, *arguments: str) -> Iterator[int]:
    """`tock club serve` on a free port, once it listens."""
    port = free_port()
    tock = ForkedTock(
        ["club", "serve", "--no-broker", "--port", str(port), *arguments],
        {**os.environ, "TOCK_DATA": str(data)},
    )
    try:
        until(
            lambda: hears(OWN, port) or hears(OTHER, port) or tock.poll() is not None,
            "a desk that listens",
            within_s=PATIENCE_S,
        )
        assert tock.poll() is None, tock.communicate()
        yield port
    finally:
        tock.terminate()
        tock.communicate(PATIENCE_S)


def hears(address: str, port: int) -> bool:
    """Whether anybody listens there."""
    with socket.socket() as line:
        return line.connect_ex((address, port)) == 0


@pytest.mark.parametrize(
    ("settings", "arguments", "reachable"),
    [
        ("", (), (True, True)),
        (f'host = "{OTHER}"\n', (), (False, True)),
        (f'host = "{OTHER}"\n', ("--host", OWN), (True, False)),
    ],
    ids=["everywhere", "as in the settings", "as named, before the settings"],
)
def test_a_desk_listens_where_it_should_and_nowhere_else(
    tmp_path: Path, settings: str, arguments: tuple[str, ...], reachable: tuple[bool, bool]
) -> None:
    (tmp_path / "tock.toml").write_text(settings)
    with desk(tmp_path, *arguments) as port:
        assert (hears(OWN, port), hears(OTHER, port)) == reachable


def test_a_bad_address_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("club", "serve", "--host", "a..b", "--data", str(tmp_path))) == 2
    assert capsys.readouterr().err == "tock club: 'a..b' is no address to listen on; for example 127.0.0.1\n"


COMMANDS = (("run",), ("club", "serve", "--no-broker"))
EIGHT_DIGITS = re.compile(r"\b[0-9]{4} ?[0-9]{4}\b")
LAST_LINE = {"run": "choose the host's PIN", "club": "Players join"}


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
