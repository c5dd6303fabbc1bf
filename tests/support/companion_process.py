"""A whole companion in a process of its own, on a free port and a folder of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol, Self

from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient
from tock_companion.errors import TockError

PROGRAM = "tock_app.cli.main"
START_PATIENCE_S = 45.0
STOP_PATIENCE_S = 10.0
LOOK_S = 0.02
BLIND = '[sources.camera]\ndevice = "/dev/no-camera"\n'
"""A source that never sees the board, so that moves are made by touch and the machine has its time for the rest."""


class Process(Protocol):
    """A running `tock`, however it was started."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def poll(self) -> int | None: ...

    def communicate(self, *, timeout: float | None = None) -> tuple[str, str]: ...

    def send_signal(self, sig: int, /) -> None: ...

    def terminate(self) -> None: ...


def started(
    program: str, environment: Mapping[str, str], arguments: Sequence[str], errors: IO[bytes] | None
) -> "subprocess.Popen[str]":
    """`tock run` of a module, in a Python of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", program, "run", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL if errors else subprocess.PIPE,
        stderr=errors or subprocess.PIPE,
        text=True,
    )


def answers(url: str) -> bool:
    """Whether the page is up."""
    try:
        PageClient(url).get("/api/v1/health")
    except OSError:
        return False
    return True


class Companion:
    """`tock run` as a person starts it, in a Python of its own."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        port: int | None = None,
        program: str = PROGRAM,
        errors: IO[bytes] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start it; `program` is the module to run, `errors` takes its log."""
        self.data = data
        self.port = port if port is not None else free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        own = {
            "TOCK_TLS_PORT": "0",
            **(environment or os.environ),
            "TOCK_DATA": str(data),
            "TOCK_PORT": str(self.port),
        }
        self._made_s = time.monotonic()
        self.process = self._start(program, own, arguments, errors)

    def _start(
        self, program: str, environment: Mapping[str, str], arguments: Sequence[str], errors: IO[bytes] | None
    ) -> Process:
        return started(program, environment, arguments, errors)

    def wait_until_up(self, patience_s: float = START_PATIENCE_S) -> float:
        """Seconds from the start of the process to the first answer; raises TockError when there is none."""
        while time.monotonic() < self._made_s + patience_s:
            if self.process.poll() is not None:
                raise TockError(f"the companion ended: {self.process.communicate()[1]}")
            if answers(self.url):
                return time.monotonic() - self._made_s
            time.sleep(LOOK_S)
        raise TockError("the companion never answered")

    def kill(self) -> None:
        """Cut the power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> float:
        """Ask it to stop; return how long that took, in seconds."""
        start_s = time.monotonic()
        self.process.terminate()
        self.process.communicate(timeout=STOP_PATIENCE_S)
        return time.monotonic() - start_s

    def __enter__(self) -> Self:
        self.wait_until_up()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
