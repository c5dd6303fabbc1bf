"""A real Mosquitto on a free port, started and stopped by benches and tests."""

import os
import random
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.waiting import until

PATIENCE_S = 10.0
PORTS = 10_000, 32_000
CHANCE = random.SystemRandom()
"""Tests may seed the usual one alike in several processes."""


def free_port() -> int:
    """A port that nothing uses at present.

    It is none of those that the system gives to outgoing connections (32,768 on): one of these could take it before the
    program that it is for.
    """
    while True:
        port = CHANCE.randrange(*PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("0.0.0.0", port))
            return port


class Broker:
    """Mosquitto with nothing kept on disk, so that a restart forgets everything."""

    def __init__(self, folder: Path, more: Sequence[str] = ()) -> None:
        """`more` are further lines of its configuration."""
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "persistence false", *more]
        if os.geteuid() == 0:
            # It would become a user who may not read the test's private files.
            lines.append("user root")
        self._config.write_text("\n".join([*lines, ""]))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it was started."""
        return self._process is not None

    def start(self) -> None:
        """Start, and wait until it answers."""
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/sbin:/bin")
        assert program, "mosquitto is not installed; `make test` installs it"
        self._process = subprocess.Popen([program, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        address = ("127.0.0.1", self.port)
        until(
            lambda: socket.create_connection(address, timeout=1), "the broker", PATIENCE_S, (OSError,)
        ).close()

    def restart(self) -> None:
        """Shut down as a system does, which lets it save its messages, and start again."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait()
        self.start()

    def stop(self) -> None:
        """End at once, as a power cut would; harmless when it does not run."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()
