"""A whole companion in a process of its own, on a free port and a folder of its own, driven over HTTP."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol, Self

from tests.support.forked import ForkedTock
from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient
from tests.support.waiting import until
from tock_companion.errors import TockError

PROGRAM = "tock_app.cli.main"
START_PATIENCE_S = 90.0
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
    """`tock run` as a person starts it, on a free port unless one is named."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        port: int | None = None,
        program: str = "",
        errors: IO[bytes] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start it, forked where no `program` is a module to run in a Python of its own; `errors` takes its log."""
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
        self.process: Process = (
            started(program, own, arguments, errors)
            if program
            else ForkedTock(["run", *arguments], own, errors)
        )

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


def drag(phone: PageClient, seat: str, target: str, source: str | None = None) -> None:
    """Drag a pawn of a seat from a hole, or the first one in its camp, onto a hole of the simulated table."""
    holes = places_mm(phone)
    sources = [holes[source]] if source else [holes[f"{seat}-C{number}"] for number in range(1, 5)]
    pawns = phone.get("/api/v1/sim/scene")["pawns"]
    pawn = next(pawn for pawn in pawns if pawn["seat"] == seat and (pawn["x_mm"], pawn["y_mm"]) in sources)
    _lay(phone, pawn["id"], holes[target])


def places_mm(phone: PageClient) -> dict[str, tuple[float, float]]:
    """The places of the board's holes."""
    return {hole["id"]: (hole["x"], hole["y"]) for hole in phone.get("/api/v1/board")["holes"]}


def _lay(phone: PageClient, pawn: int, place_mm: tuple[float, float]) -> None:
    phone.post("/api/v1/sim/pawn", id=pawn, x_mm=place_mm[0], y_mm=place_mm[1])


def wait_for_board(phone: PageClient, name: str) -> dict[str, Any]:
    """The board of the views once the table is laid with it."""

    def laid() -> dict[str, Any] | None:
        board: dict[str, Any] = phone.view("table")["board"]
        return board if board["name"] == name else None

    # The old table ends before the new one is there.
    return until(laid, f"the board {name}", within_s=30, despite=(OSError,))
