"""One line on any system: the wheel of a release, run by uv from a local index in an environment of its own."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient
from tests.support.service import answers, drag
from tests.support.waiting import until
from tools.release.__main__ import ROOT, make_wheels

UV = ROOT / ".venv/bin/uv"
UP_WITHIN_S = 60.0


@pytest.mark.slow
def test_the_wheel_starts_with_one_line_and_a_move_is_made(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    assert [path.suffix for path in make_wheels(dist)].count(".whl") == 2
    port = free_port()
    environment = {
        **os.environ, "TOCK_DATA": str(tmp_path / "Éléonore B"), "TOCK_PORT": str(port), "TOCK_TLS_PORT": "0",
        "UV_TOOL_DIR": str(tmp_path / "tools"),
    }  # fmt: skip
    line = (UV, "tool", "run", "--find-links", dist, "--prerelease", "allow", "--no-config", "tock-companion")
    with subprocess.Popen(line, env=environment, cwd=tmp_path, start_new_session=True) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            until(lambda: answers(url), "the page", UP_WITHIN_S)
            anna = PageClient(url)
            assert anna.post("/api/v1/join", name="Anna", seat="P0")["ok"]
            assert anna.ask("play_card", card="KH")["ok"]
            drag(anna, "P0", "T0")
            anna.wait_for("to_move", "P1")
        finally:
            os.killpg(process.pid, signal.SIGTERM)


@pytest.mark.slow
def test_the_same_commit_gives_the_same_bytes(tmp_path: Path) -> None:
    once, twice = (sorted(make_wheels(tmp_path / name)) for name in ("once", "twice"))
    assert [path.name for path in once] == [path.name for path in twice]
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in twice]
