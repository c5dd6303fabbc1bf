"""Mosquitto as a program of ours: found, started for the user that we run as, kept running, and stopped."""

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from tock_companion.background import Background, Backoff
from tock_companion.background.faults import STEADY_S

LOG = logging.getLogger(__name__)
PROGRAM = "mosquitto"
PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Debian has it in one of these, which are not among the places where a person's commands are looked for."""
END_S, LOOK_S = 3.0, 0.02
FIRST_PAUSE_MS, MAX_PAUSE_MS = 200, 10_000
LOOK_AGAIN_S = 5.0
STOP_S = 3.0
TIME = re.compile(r"^[0-9]+: ")
"""Mosquitto begins every line with the time in seconds."""


@dataclass(frozen=True, slots=True)
class BrokerPlace:
    """The files and the address of a broker."""

    setup: Path
    """Its configuration."""
    pid: Path
    """The file that its configuration names for the number of its process."""
    host: str
    port: int


def find_mosquitto() -> str | None:
    places = (os.environ.get("PATH", os.defpath), *PLACES)
    return shutil.which(PROGRAM, path=os.pathsep.join(places))


def running(place: BrokerPlace) -> int | None:
    """The number of the process of a broker."""
    with suppress(OSError, ValueError):
        number = int(place.pid.read_text(encoding="ascii"))
        # The number may be another program's by now.
        if str(place.setup) in Path(f"/proc/{number}/cmdline").read_text(encoding="utf-8"):
            return number
    return None


def end_former(place: BrokerPlace) -> None:
    """End a broker, if it runs, and wait until it has."""
    end_s = monotonic() + END_S
    number = running(place)
    while number is not None:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGTERM if monotonic() < end_s else signal.SIGKILL)
        sleep(LOOK_S)
        number = running(place)


class KeptMosquitto:
    """A broker that is started again whenever it ends, while we run."""

    def __init__(self, place: BrokerPlace, name: str, not_installed: str) -> None:
        """`name` appears in log lines ("the club's broker"), `not_installed` is their text without Mosquitto."""
        self.trouble = ""
        """Why it ended, or cannot begin."""
        self._place, self._name, self._not_installed = place, name, not_installed
        self._process: subprocess.Popen[str] | None = None
        self._backoff = Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS)
        self._loop = Background("mosquitto", f"keeps {name} running", self._step, wake=self._end)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        self._loop.start()

    def wait(self, timeout_s: float) -> bool:
        """Wait until it answers; False where it cannot run, or for the timeout."""
        end_s = monotonic() + timeout_s
        while monotonic() < end_s and not self.trouble:
            address = (self._place.host, self._place.port)
            with suppress(OSError), socket.create_connection(address, timeout=timeout_s):
                return True
            self._loop.pause(0.02)
        return False

    def stop(self) -> None:
        """End it, and wait until it has saved its retained messages."""
        self._loop.stop(STOP_S)
        process = self._process
        if process is not None:
            process.kill()

    def _end(self) -> None:
        process = self._process
        if process is not None:
            process.terminate()

    def _step(self) -> float:
        program = find_mosquitto()
        if program is None:
            self._note(self._not_installed)
            return LOOK_AGAIN_S
        # The one of an owner that was killed would keep the port.
        end_former(self._place)
        self._before()
        began_s = monotonic()
        reason = self._run(program)
        if self._loop.is_stopping:
            return 0.0
        if monotonic() - began_s > STEADY_S:
            self._backoff.reset()
            self.trouble = ""
        if "in use" in reason:
            reason = f"port {self._place.port} is taken by another program"
        self._note(f"{self._name} has ended ({reason}); it is started again")
        return self._backoff.next_ms() / 1000

    def _before(self) -> None:
        """Mend its files before each start, where an owner has to."""

    def _run(self, program: str) -> str:
        """Run it to its end; its last words."""
        command = [program, "-c", str(self._place.setup)]
        quiet = subprocess.DEVNULL
        last = ""
        # In a session of its own: Ctrl-C in a terminal is for its owner, which ends its broker last.
        with subprocess.Popen(
            command,
            stdin=quiet,
            stdout=quiet,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            self._process = process
            if self._loop.is_stopping:
                process.terminate()
            assert process.stderr is not None
            for line in process.stderr:
                message = TIME.sub("", line.strip())
                LOG.debug("%s: %s", self._name, message)
                last = last if message.startswith("Warning") else message or last
        self._process = None
        code = process.returncode
        return f"by signal {-code}" if code < 0 else last or f"with exit code {code}"

    def _note(self, trouble: str) -> None:
        """Tell of a trouble once."""
        if trouble != self.trouble:
            LOG.warning("%s", trouble)
        self.trouble = trouble
