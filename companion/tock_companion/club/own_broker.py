"""The club's own broker: Mosquitto, set up for the user that the desk runs as, started, kept running, and stopped."""

import logging
import re
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic

from tock_companion.background import Background, Backoff
from tock_companion.club.access import (
    DESK_USER,
    SETUP_NAME,
    accounts_for,
    end_former,
    find_mosquitto,
    stored_accounts,
    write_access,
)
from tock_companion.errors import TockError
from tock_companion.files import read_text_bounded, replace_file
from tock_companion.mqtt.connection import BrokerAddress

LOG = logging.getLogger(__name__)
HERE = "127.0.0.1"
PORTS = range(8883, 8900)
"""Tables are set up for one of these: the first that is free when the folder is made, and that one from then on."""
PORT_NAME = "port"
FIRST_PAUSE_MS, MAX_PAUSE_MS = 200, 10_000
STEADY_S = 10.0
"""After so long the next end is a new one, and the broker is started again at once."""
LOOK_AGAIN_S = 5.0
STOP_S = 3.0
TIME = re.compile(r"^[0-9]+: ")
"""Mosquitto begins every line with the time in seconds."""
NOT_INSTALLED = (
    "Mosquitto is not installed, so tables with a companion cannot join; all others can. "
    "Install it with: sudo apt install mosquitto"
)


class OwnBroker:
    """A broker on this machine that runs while the desk does."""

    def __init__(self, folder: Path, certificate: Path, key: Path) -> None:
        """Write its files into a folder; passwords and port are those that are there already."""
        self._setup = folder / SETUP_NAME
        accounts = stored_accounts(folder)
        if DESK_USER not in accounts:
            accounts = {**accounts, **accounts_for(())}
        self.port = _chosen_port(folder)
        write_access(folder, accounts, self.port, str(certificate), str(key))
        self.address = BrokerAddress(HERE, self.port, DESK_USER, accounts[DESK_USER], str(certificate))
        self.trouble = ""
        """Why it ended, or cannot begin."""
        self._process: subprocess.Popen[str] | None = None
        self._backoff = Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS)
        self._loop = Background(
            "club-broker", "keeps the club's own broker running", self._step, wake=self._end
        )

    @property
    def pid(self) -> int | None:
        """The number of its process, while it runs."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Begin; returns at once."""
        self._loop.start()

    def wait(self, timeout_s: float) -> bool:
        """Wait until it answers; False where it cannot run, or for the timeout."""
        end_s = monotonic() + timeout_s
        while monotonic() < end_s and not self.trouble:
            with suppress(OSError), socket.create_connection((HERE, self.port), timeout=timeout_s):
                return True
            self._loop.pause(0.02)
        return False

    def stop(self) -> None:
        """End it, and wait until it has written down what it keeps."""
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
            self._note(NOT_INSTALLED)
            return LOOK_AGAIN_S
        # The one of a desk that was killed would keep the port.
        end_former(self._setup.parent)
        began_s = monotonic()
        reason = self._run(program)
        if self._loop.is_stopping:
            return 0.0
        if monotonic() - began_s > STEADY_S:
            self._backoff.reset()
            self.trouble = ""
        if "in use" in reason:
            reason = f"port {self.port} is taken by another program"
        self._note(f"the club's broker has ended ({reason}); it is started again")
        return self._backoff.next_ms() / 1000

    def _run(self, program: str) -> str:
        """Run it to its end; its last words."""
        command = [program, "-c", str(self._setup)]
        quiet = subprocess.DEVNULL
        last = ""
        # In a session of its own: Ctrl-C in a terminal is for the desk, which ends its broker last.
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
                LOG.debug("the club's broker: %s", message)
                last = last if message.startswith("Warning") else message or last
        self._process = None
        code = process.returncode
        return f"by signal {-code}" if code < 0 else last or f"with exit code {code}"

    def _note(self, trouble: str) -> None:
        """Tell of a trouble once."""
        if trouble != self.trouble:
            LOG.warning("%s", trouble)
        self.trouble = trouble


def stored_port(folder: Path) -> int | None:
    """The port of the broker whose files are in a folder; None before."""
    path = folder / PORT_NAME
    if path.exists():
        with suppress(ValueError):
            return int(read_text_bounded(path, 10, "port of the broker"))
    return None


def _chosen_port(folder: Path) -> int:
    stored = stored_port(folder)
    if stored is not None:
        return stored
    port = next((port for port in PORTS if _is_free(port)), None)
    if port is None:
        raise TockError(
            f"no port from {PORTS[0]} to {PORTS[-1]} is free; end one of the programs that have them"
        )
    replace_file(folder / PORT_NAME, f"{port}\n")
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("", port))
        return True
    return False
