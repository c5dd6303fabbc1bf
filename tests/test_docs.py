"""What the documents tell people to type works, and the site of the documents can be built."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tock_companion.boardfile import generate
from tock_companion.events.facts import Event
from tock_companion.storage import Store
from tock_companion.table.setup import GameSetup, game_started

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^( *)```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SERVES = ("run", "club")
"""Commands that go on until they are told to stop; their own tests start them."""
SYSTEM = ("journalctl", "git")
"""Commands of the system that only make sense on an installed machine."""


def commands() -> Iterator[tuple[str, str]]:
    """Yield document and command for every line of every block of shell."""
    for document in DOCUMENTS:
        for _, block in BLOCK.findall(document.read_text(encoding="utf-8")):
            for line in block.splitlines():
                command = line.split("#")[0].strip()
                if command:
                    yield document.name, command


def test_every_command_is_of_a_kind_that_is_tried() -> None:
    kinds = {shlex.split(command)[0] for _, command in commands()}
    assert kinds <= {"make", "tock", "./install.sh", *SYSTEM}
    assert {"make", "tock"} <= kinds


@pytest.mark.parametrize("target", sorted({c.split()[1] for _, c in commands() if c.startswith("make ")}))
def test_every_target_of_make_exists(target: str) -> None:
    dry = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert dry.returncode == 0, dry.stderr


@pytest.mark.whole
def test_every_command_of_tock_works_in_the_order_in_which_it_is_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append(1, [Event(1, 0, game_started(GameSetup(), generate(4, 440.0)))])
    store.close()
    environment = {**os.environ, "TOCK_DATA": str(tmp_path)}
    tried = 0
    for document, command in commands():
        words = shlex.split(command)
        if words[0] != "tock" or words[1] in SERVES:
            continue
        ran = subprocess.run(
            [sys.executable, "-m", "tock_companion.cli.main", *words[1:]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        # `tock doctor` answers no (1) on a machine without a network.
        assert ran.returncode == 0 or (words[1] == "doctor" and ran.returncode == 1), (document, ran.stderr)
        tried += 1
    assert tried > 5


@pytest.mark.whole
def test_the_site_can_be_built_without_a_dead_link(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "troubleshooting" / "index.html").exists()
