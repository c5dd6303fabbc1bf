"""Two builds of the firmware are equal, match the shipped one, fit the chip, and pass the checkers."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tock_companion.sources.reed.emulator import CHECKOUT, FIRMWARE

pytestmark = pytest.mark.whole
KNOWN_COMPILER = "5.4.0"


def make(*targets: str, build: Path) -> str:
    command = ["make", "-s", "-C", str(CHECKOUT / "firmware"), f"BUILD={build}", *targets]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build twice; return both folders and the report of the sizes."""
    folder = tmp_path_factory.mktemp("firmware")
    return folder, [make("all", build=folder / name) for name in ("one", "two")][-1]


def test_two_builds_have_the_same_hash_and_are_what_is_shipped(builds: tuple[Path, str]) -> None:
    folder, sizes = builds
    hexes = list(folder.glob("*/tock-reed-avr328.hex"))
    assert len(hexes) == 2
    assert len({hashlib.sha256(path.read_bytes()).hexdigest() for path in hexes}) == 1
    assert re.search(r"flash \d+ of 32768 bytes \(limit 8192\), data \d+ of 2048 \(limit 1536\)", sizes)
    compiler = subprocess.run(
        ["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if compiler == KNOWN_COMPILER:
        assert FIRMWARE.read_bytes() == hexes[0].read_bytes(), "make -C firmware ship"


def test_the_size_gate_can_fail(builds: tuple[Path, str]) -> None:
    gate = ["sh", str(CHECKOUT / "firmware" / "sizes.sh"), str(builds[0] / "one")]
    assert subprocess.run([*gate, "8192", "1536", "160"], capture_output=True, check=False).returncode == 0
    for limits in (("4096", "1536", "160"), ("8192", "900", "160"), ("8192", "1536", "100")):
        assert subprocess.run([*gate, *limits], capture_output=True, check=False).returncode != 0


@pytest.mark.skipif(
    shutil.which("cppcheck") is None, reason="`make test` installs cppcheck; `make check` may be without"
)
def test_cppcheck_has_nothing_to_say() -> None:
    command = ["make", "-s", "-C", str(CHECKOUT / "firmware"), "cppcheck"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
