"""The firmware: two builds are equal and fit the chip, and an emulated chip is flashed by the real avrdude."""

import hashlib
import os
import pty
import re
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from tock_app.cli.main import main
from tock_companion.sources.reed.emulator import CHECKOUT, FIRMWARE, Emulator
from tock_companion.sources.reed.flashing import ask, shipped

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


BOOTLOADER = CHECKOUT / "build" / "firmware" / "optiboot.hex"


def test_a_blank_chip_is_flashed_and_says_hello(capsys: pytest.CaptureFixture[str]) -> None:
    with Emulator(4, firmware=None, bootloader=BOOTLOADER, reset_on_open=True) as board:
        assert main(["firmware", "flash", "--port", board.port, "--force"]) == 0
        printed = capsys.readouterr()
        assert f"build {shipped().build:08x} (the one that comes with this companion)" in printed.out
        assert "no reed firmware so far" in printed.err
        # Now it is ours: no need to force, and nothing else changes.
        assert main(["firmware", "flash", "--port", board.port]) == 0
        assert "firmware 1.0.0 so far" in capsys.readouterr().err


def test_the_board_s_firmware_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with Emulator(6) as board:
        assert main(["firmware", "show", "--port", board.port]) == 0
    printed = capsys.readouterr().out
    assert "reed board on atmega328p" in printed
    assert "6 sector boards, 6 of them answer" in printed


def test_a_port_without_a_board_of_ours_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    master, slave = pty.openpty()
    received = bytearray()
    threading.Thread(target=lambda: received.extend(os.read(master, 4096)), daemon=True).start()
    assert main(["firmware", "flash", "--port", os.ttyname(slave)]) == 2
    refusal = capsys.readouterr().err
    assert "no reed board answers there" in refusal
    assert "--force" in refusal
    # It was asked who it is, and never sent the bootloader's 0x30 0x20.
    assert b"0 " not in bytes(received)
    os.close(slave)
    os.close(master)


def test_a_port_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["firmware", "show", "--port", "/dev/tock-nowhere"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_manifest_belongs_to_the_firmware_that_is_shipped() -> None:
    with Emulator(4, firmware=FIRMWARE) as board:
        hello = ask(board.port)
    assert hello is not None
    assert (hello.build, f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}") == (
        shipped().build,
        shipped().version,
    )
