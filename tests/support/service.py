"""A whole companion in a process of its own, on a free port and a folder of its own, driven over HTTP."""

import importlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Protocol

from tock_bench import clients

START_PATIENCE_S = 45.0
VIEW_PATIENCE_S = 30.0
NEEDED = (
    "tock_companion.cli.main",
    "tock_companion.cli.commands.run",
    "tock_vision.simulated",
    "tock_vision.camera",
    "tock_web",
)
CROWDING_S = 0.2
"""So much computing shows what else runs."""


def free_port() -> int:
    """A port that nothing uses at present."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Phone(clients.Phone):
    """A phone that waits until the table has got somewhere."""

    def wait_for(self, what: str, value: object, role: str = "table") -> Any:
        """The first view in which `what` is `value`."""
        end_s = time.monotonic() + VIEW_PATIENCE_S
        while (view := self.view(role))[what] != value:
            if time.monotonic() > end_s:
                raise AssertionError(f"{what} never became {value!r}: {view}")
            time.sleep(0.05)
        return view


def drag(phone: Phone, seat: str, target: str, source: str | None = None) -> None:
    """Drag a pawn of a seat from a hole, or the first one in its camp, onto a hole of the simulated table."""
    holes = {hole["id"]: (hole["x"], hole["y"]) for hole in phone.get("/api/v1/board")["holes"]}
    sources = [holes[source]] if source else [holes[f"{seat}-C{number}"] for number in range(1, 5)]
    pawns = phone.get("/api/v1/sim/scene")["pawns"]
    pawn = next(pawn for pawn in pawns if pawn["seat"] == seat and (pawn["x_mm"], pawn["y_mm"]) in sources)
    x_mm, y_mm = holes[target]
    phone.post("/api/v1/sim/pawn", id=pawn["id"], x_mm=x_mm, y_mm=y_mm)


def wait_for_board(phone: Phone, name: str) -> dict[str, Any]:
    """The board of the views once the table is laid with it."""
    end_s = time.monotonic() + 30
    while time.monotonic() < end_s:
        # The old table ends and the new one is not there yet.
        with suppress(OSError):
            board: dict[str, Any] = phone.view("table")["board"]
            if board["name"] == name:
                return board
        time.sleep(0.1)
    raise AssertionError(f"{name} was never laid")


def crowding() -> float:
    """How many times longer a computation takes now than it would alone on this machine."""
    wall_s, own_s = time.monotonic(), time.process_time()
    while time.process_time() - own_s < CROWDING_S:
        pass
    return (time.monotonic() - wall_s) / CROWDING_S


def answers(url: str) -> bool:
    """Whether the page is up."""
    try:
        Phone(url).get("/api/v1/health")
    except OSError:
        return False
    return True


class Companion:
    """`tock run` as a person starts it."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        port: int | None = None,
        program: str = "tock_companion.cli.main",
        quiet: bool = False,
        errors: IO[bytes] | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """Start it; `quiet` throws its output away, which nobody reads in a long run, `errors` takes its log."""
        self.data = data
        self.port = port if port is not None else free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        own = {"TOCK_TLS_PORT": "0", **environment, "TOCK_DATA": str(data), "TOCK_PORT": str(self.port)}
        self._made_s = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, "run", *arguments],
            env=own,
            stdout=subprocess.DEVNULL if quiet or errors else subprocess.PIPE,
            stderr=errors or (subprocess.DEVNULL if quiet else subprocess.PIPE),
            text=True,
        )

    def wait_until_up(self, patience_s: float = START_PATIENCE_S) -> float:
        """Seconds from the start of the process to the first answer of the page."""
        while time.monotonic() < self._made_s + patience_s:
            if self.process.poll() is not None:
                raise AssertionError(
                    f"the companion ended: {self.process.stderr and self.process.stderr.read()}"
                )
            if answers(self.url):
                return time.monotonic() - self._made_s
            time.sleep(0.05)
        raise AssertionError("the companion never answered")

    def kill(self) -> None:
        """Cut the power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> float:
        """Ask it to stop; return how long that took, in seconds."""
        start_s = time.monotonic()
        self.process.terminate()
        self.process.communicate(timeout=10)
        return time.monotonic() - start_s

    def __enter__(self) -> "Companion":
        self.wait_until_up()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()


class Killable(Protocol):
    """A companion that is started and killed."""

    url: str

    def wait_until_up(self, patience_s: float) -> float: ...

    def kill(self) -> None: ...


class ForkedCompanion:
    """`tock run` in a process forked from this one, which has loaded its modules: that is most of a start."""

    def __init__(self, data: Path, port: int, errors: IO[bytes]) -> None:
        """Start it; call this while the process has one thread."""
        for module in NEEDED:
            importlib.import_module(module)
        self.url = f"http://127.0.0.1:{port}"
        self._made_s = time.monotonic()
        self._pid: int | None = os.fork()
        if self._pid == 0:
            _become_companion({"TOCK_DATA": str(data), "TOCK_PORT": str(port), "TOCK_TLS_PORT": "0"}, errors)

    def wait_until_up(self, patience_s: float = START_PATIENCE_S) -> float:
        """Seconds from the fork to the first answer of the page."""
        while time.monotonic() < self._made_s + patience_s:
            if self._pid is None or os.waitpid(self._pid, os.WNOHANG)[0]:
                self._pid = None
                raise AssertionError("the companion ended")
            if answers(self.url):
                return time.monotonic() - self._made_s
            time.sleep(0.01)
        raise AssertionError("the companion never answered")

    def kill(self) -> None:
        """Cut the power."""
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = None


def _become_companion(environment: Mapping[str, str], errors: IO[bytes]) -> None:
    os.environ.update(environment)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    os.dup2(errors.fileno(), sys.stderr.fileno())
    code = 1
    try:
        code = importlib.import_module("tock_companion.cli.main").main(["run"])
    finally:
        os._exit(code)
