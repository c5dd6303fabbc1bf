"""The private line between commands of one user."""

from pathlib import Path
from queue import Queue

import pytest

from tock_app.service.control import RUNNING_NAME, ControlServer, ask, call
from tock_companion.errors import BadInputError, TockError


@pytest.fixture
def ended() -> "Queue[str]":
    return Queue()


def test_a_command_is_carried_out_until_its_caller_leaves(tmp_path: Path, ended: "Queue[str]") -> None:
    begun: Queue[dict[str, str]] = Queue()

    def begin(_command: str, parameters: dict[str, str]) -> dict[str, str]:
        begun.put(parameters)
        return {}

    server = ControlServer(tmp_path, begin, ended.put)
    line = call(tmp_path, "record", out="/somewhere")
    assert begun.get(timeout=5)["out"] == "/somewhere"
    line.close()
    assert ended.get(timeout=5) == "record"
    server.close()


def test_a_refusal_reaches_the_caller(tmp_path: Path, ended: "Queue[str]") -> None:
    def refuse(_command: str, _parameters: dict[str, str]) -> dict[str, str]:
        raise TockError("the folder is not empty")

    server = ControlServer(tmp_path, refuse, ended.put)
    with pytest.raises(TockError, match="not empty"):
        call(tmp_path, "record", out="/somewhere")
    server.close()


def test_only_the_user_may_read_the_way_in(tmp_path: Path, ended: "Queue[str]") -> None:
    server = ControlServer(tmp_path, lambda _command, _parameters: {}, ended.put)
    assert (tmp_path / RUNNING_NAME).stat().st_mode & 0o077 == 0
    server.close()
    assert not (tmp_path / RUNNING_NAME).exists()


def test_the_companion_s_answer_reaches_the_caller(tmp_path: Path, ended: "Queue[str]") -> None:
    server = ControlServer(tmp_path, lambda command, _parameters: {"code": command.upper()}, ended.put)
    assert ask(tmp_path, "host-code")["code"] == "HOST-CODE"
    assert ended.get(timeout=5) == "host-code"
    server.close()


def test_without_a_running_companion_the_command_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no companion is running"):
        call(tmp_path, "record", out="/somewhere")
