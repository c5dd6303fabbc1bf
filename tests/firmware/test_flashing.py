"""`tock firmware`: a blank emulated chip becomes a reed board through its bootloader, by the real avrdude."""

import os
import pty
import threading

import pytest

from tock_app.cli.main import main
from tock_companion.sources.reed.emulator import CHECKOUT, FIRMWARE, Emulator
from tock_companion.sources.reed.flashing import ask, shipped

pytestmark = pytest.mark.whole
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
