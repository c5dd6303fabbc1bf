"""The rules alone, as `make release` builds them, installed without any library."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tools.release.__main__ import RULES, make_wheels

QUESTION = """
from importlib.metadata import distributions
from tock_rules import Position, __version__
(found,) = (one for one in distributions() if one.name == "tock-rules")
assert all("extra ==" in one for one in found.requires or ()) and found.version == __version__
print(*Position.parse("mjc 4 P0 P0+P2/P1+P3 P0:T5,T8 P1: P2: P3:").legal_moves("7H 8S"), sep=", ")
"""
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def run(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.whole
def test_the_rules_alone_judge_a_position_in_a_bare_environment(tmp_path: Path) -> None:
    wheel, sdist = sorted(make_wheels(tmp_path, [RULES]))
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=False)
    python = bare / "bin/python"
    run(*PIP, "--python", python, "install", "--no-index", wheel)
    moves = run(python, "-I", "-c", QUESTION)
    assert "7H P0:T5>T12" in moves
    assert "8S P0:T8>T16" in moves
    # The sdist builds the same wheel.
    again = tmp_path / "again"
    run(*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", again, sdist)
    contents = [zipfile.ZipFile(path).namelist() for path in (wheel, next(again.iterdir()))]
    assert contents[0] == contents[1]
