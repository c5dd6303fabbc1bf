"""The reed board without the board: its compiled firmware on an emulated chip, behind a pseudo-terminal.

The runner is firmware/sim (`make firmware`); the firmware is the one that `tock firmware flash` would flash.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from tock_companion.errors import BadInputError, TockError

RUNNER_NAME = "tock-reed-sim"
RUNNER_VARIABLE = "TOCK_REED_SIM"
FIRMWARE = Path(__file__).parent / "firmware" / "tock-reed-avr328.hex"
CHECKOUT = Path(__file__).parents[4]
PATIENCE_S = 20.0


class EmulatorError(TockError):
    """The emulated board did not carry out a command."""


def find_runner() -> Path:
    """The program that runs the firmware; raises BadInputError when it has not been built."""
    named = os.environ.get(RUNNER_VARIABLE)
    built = CHECKOUT / "build" / "firmware" / RUNNER_NAME
    found = Path(named) if named else built if built.exists() else shutil.which(RUNNER_NAME)
    if found is None or not Path(found).exists():
        raise BadInputError("the emulated reed board is not built; type 'make firmware' in the checkout once")
    return Path(found)


class Emulator:
    """One emulated reed board; `port` is the terminal to open.

    In lockstep its time stands still except in `run`, so that the same calls always give the same bytes.
    """

    def __init__(
        self,
        boards: int,
        *,
        lockstep: bool = False,
        firmware: Path | None = FIRMWARE,
        bootloader: Path | None = None,
        reset_on_open: bool = False,
    ) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tock-reed-"))
        self.port = str(self._folder / "tty")
        control = self._folder / "control"
        command = [str(find_runner()), "--link", self.port, "--socket", str(control), "--boards", str(boards)]
        command += ["--hex", str(firmware)] if firmware is not None else []
        command += ["--bootloader", str(self._readable(bootloader))] if bootloader is not None else []
        command += ["--lockstep"] if lockstep else []
        command += ["--reset-on-open"] if reset_on_open else []
        # The runner ends when its standard input closes, so it never outlives us.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if next(iter(self._process.stdout or ()), "") != "ready\n":
            self.close()
            raise EmulatorError(f"{RUNNER_NAME} did not start")
        self._line = socket.socket(socket.AF_UNIX)
        self._line.settimeout(PATIENCE_S)
        self._line.connect(str(control))
        self._answers = self._line.makefile("r")

    def _readable(self, bootloader: Path) -> Path:
        """A copy without start address records (type 03), which libsimavr's reader stops at."""
        copy = self._folder / "bootloader.hex"
        lines = bootloader.read_text(encoding="ascii").splitlines()
        copy.write_text("".join(f"{line}\n" for line in lines if line[7:9] != "03"), encoding="ascii")
        return copy

    def tell(self, *words: object) -> str:
        """Give a command (`close 5`, `bounce 5 1 7 300`, `break 2`, `reset power`, …) and return its answer.

        Raises EmulatorError when the runner refuses it.
        """
        text = " ".join(str(word) for word in words)
        try:
            self._line.sendall(text.encode() + b"\n")
            outcome, _, answer = self._answers.readline().rstrip("\n").partition(" ")
        except OSError as error:
            raise EmulatorError(f"the emulated reed board has gone: {error}") from None
        if outcome != "ok":
            raise EmulatorError(f"the emulated reed board says '{outcome}' to '{text}'")
        return answer

    def switch(self, number: int, closed: bool) -> None:
        self.tell("close" if closed else "open", number)

    def run_ms(self, ms: float) -> int:
        """Let time pass in lockstep; returns how many bytes the board has sent since its start."""
        return int(self.tell("run", round(1000 * ms)))

    def lights(self) -> frozenset[int]:
        """The inputs whose lights are lit."""
        bitmap = int.from_bytes(bytes.fromhex(self.tell("lights")), "little")
        return frozenset(number for number in range(bitmap.bit_length()) if bitmap >> number & 1)

    def switches(self, closed: Iterable[int], of: Iterable[int]) -> None:
        wanted = frozenset(closed)
        for number in of:
            self.switch(number, number in wanted)

    def close(self) -> None:
        """End the emulated board; safe to call twice."""
        if hasattr(self, "_line"):
            self._answers.close()
            self._line.close()
        try:
            self._process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
