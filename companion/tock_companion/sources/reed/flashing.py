"""Flashing the firmware: find the board, run avrdude, check the board's version afterwards."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tock_companion.errors import BadInputError, TockError
from tock_companion.sources.reed.clock import monotonic_ms
from tock_companion.sources.reed.emulator import FIRMWARE
from tock_companion.sources.reed.link import ReedLink
from tock_companion.sources.reed.ports import SerialLine
from tock_companion.sources.reed.protocol import BoardKind, Hello

MANIFEST = FIRMWARE.with_suffix(".json")
BAUDS = (115200, 57600)
"""Baud rates of the bootloaders: today's, and that of Nanos made before 2018."""
ASK_FOR_S = 4.0
"""Opening the port resets a Nano; its bootloader waits for a second or two."""
ANSWER_WITHIN_S = 15.0
"""After flashing; the answer ends the waiting."""
FLASH_TIMEOUT_S = 60.0
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Shipped:
    """The firmware that comes with this companion."""

    version: str
    build: int


def shipped() -> Shipped:
    """Version and build number of the firmware that comes with this companion."""
    document = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return Shipped(document["version"], int(document["build"], 16))


def version_of(hello: Hello) -> str:
    return f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}"


def ask(port: str, seconds: float = ASK_FOR_S) -> Hello | None:
    """Ask a port for its HELLO; None when no reed board answers. Raises PortError."""
    link = ReedLink(0)
    listen(port, link, lambda: link.hello is not None, seconds)
    return link.hello


def listen(port: str, link: ReedLink, enough: Callable[[], bool], seconds: float = ASK_FOR_S) -> None:
    """Keep a link up until it has received enough or the time is over; raises PortError."""
    line = SerialLine(port)
    try:
        end_s = time.monotonic() + seconds
        link.reopen(monotonic_ms())
        while not enough() and time.monotonic() < end_s:
            line.write(link.send(monotonic_ms()))
            link.feed(line.read(), monotonic_ms())
    finally:
        line.close()


def flash(port: str, progress: Progress, *, force: bool = False, firmware: Path = FIRMWARE) -> Hello:
    """Flash the board on a port and return its next HELLO.

    Raises BadInputError for a port where no reed board answers (unless forced), TockError when flashing fails or the
    board reports another version afterwards.
    """
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise BadInputError("flashing needs avrdude; type 'sudo apt-get install avrdude'")
    before = ask(port)
    if before is None and not force:
        raise BadInputError(
            f"{port}: no reed board answers there; if it is a new Nano that shall become one, add --force"
        )
    if before is not None and before.board_kind == BoardKind.RP2040:
        raise BadInputError(
            f"{port}: a Raspberry Pi Pico; hold its button while plugging it in and copy tock-reed-rp2040.uf2 onto it"
        )
    progress(f"{port}: {'firmware ' + version_of(before) if before else 'no reed firmware'} so far")
    _run_avrdude(avrdude, port, firmware, progress)
    after = ask(port, ANSWER_WITHIN_S)
    if after is None:
        raise TockError(
            f"{port}: flashed, but the board does not answer; unplug it, plug it in and try again"
        )
    if firmware == FIRMWARE and after.build != shipped().build:
        raise TockError(f"{port}: flashed, but the board still has build {after.build:08x}; try once more")
    return after


def _run_avrdude(avrdude: str, port: str, firmware: Path, progress: Progress) -> None:
    complaint = ""
    for baud in BAUDS:
        progress(f"{port}: flashing at {baud} baud")
        command = [avrdude, "-q", "-c", "arduino", "-p", "m328p", "-b", str(baud), "-D", "-P", port]
        command += ["-U", f"flash:w:{firmware}:i"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=FLASH_TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            complaint = "it took longer than a minute"
            continue
        if done.returncode == 0:
            return
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        complaint = lines[-1] if lines else done.stderr.strip().splitlines()[-1:][0]
    raise TockError(
        f"{port}: avrdude could not flash the board: {complaint}; is it a Nano or Uno with its bootloader?"
    )
