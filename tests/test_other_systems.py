"""A game over the page on a Python without the names that macOS or Windows lack."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.mosquitto import free_port
from tests.support.other_systems import PLATFORMS, SYSTEM
from tests.support.page_client import PageClient
from tests.support.service import Companion, drag
from tests.support.waiting import until
from tock_companion.operating_system import data_home

PROGRAM = "tests.support.other_systems"


@pytest.fixture(params=PLATFORMS)
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, SYSTEM: request.param, "TOCK_TLS_PORT": "0", "TOCK_DATA": str(tmp_path)}


@pytest.mark.whole
def test_a_game_is_played_warned_kept_and_resumed(tmp_path: Path, environment: dict[str, str]) -> None:
    with Companion(tmp_path, program=PROGRAM, environment=environment) as companion:
        anna = PageClient(companion.url)
        assert anna.post("/api/v1/join", name="Anna", seat="P0")["ok"]
        assert anna.ask("play_card", card="KH")["ok"]
        drag(anna, "P0", "T1")
        warning = until(lambda: anna.view("table")["warning"], "a warning")
        assert warning["code"] == "move/wrong_start_hole"
        drag(anna, "P0", "T0", source="T1")
        anna.wait_for("to_move", "P1")
        # Its folder is locked, too.
        second = run("run", environment | {"TOCK_PORT": str(free_port())})
        assert (second.returncode, "a companion is running on" in second.stderr) == (2, True)
        companion.process.send_signal(signal.SIGKILL)
        companion.process.communicate()
    with Companion(tmp_path, port=companion.port, program=PROGRAM, environment=environment):
        assert anna.view("table")["holes"]["T0"] == "P0"


@pytest.mark.whole
def test_the_doctor_and_the_commands_run(environment: dict[str, str]) -> None:
    doctor = run("doctor", environment)
    assert doctor.returncode in (0, 1)
    assert "Traceback" not in doctor.stderr
    assert run("--help", environment).returncode == 0


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {"HOME": "/home/anna"}, "/home/anna/.local/share"),
        ("linux", {"HOME": "/home/anna", "XDG_DATA_HOME": "/data"}, "/data"),
        ("darwin", {"HOME": "/Users/anna"}, "/Users/anna/Library/Application Support"),
        ("win32", {"USERPROFILE": "/Users/Éléonore B"}, "/Users/Éléonore B/AppData/Local"),
        ("win32", {"LOCALAPPDATA": "/data", "USERPROFILE": "/Users/anna"}, "/data"),
    ],
)
def test_data_go_where_each_system_keeps_them(
    platform: str, environ: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert data_home(environ) == Path(folder)


def run(command: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", PROGRAM, command],
        env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
