"""A whole companion in a process of its own, on a free port and a folder of its own, driven over HTTP."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

from tock_bench import clients

START_PATIENCE_S = 45.0
VIEW_PATIENCE_S = 30.0
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


def crowding() -> float:
    """How many times longer a computation takes now than it would alone on this machine."""
    wall_s, own_s = time.monotonic(), time.process_time()
    while time.process_time() - own_s < CROWDING_S:
        pass
    return (time.monotonic() - wall_s) / CROWDING_S


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
    ) -> None:
        """Start it; `quiet` throws its output away, which nobody reads in a long run, `errors` takes its log."""
        self.data = data
        self.port = port if port is not None else free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {**os.environ, "TOCK_DATA": str(data), "TOCK_PORT": str(self.port)}
        self._made_s = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, "run", *arguments],
            env=environment,
            stdout=subprocess.DEVNULL if quiet or errors else subprocess.PIPE,
            stderr=errors or (subprocess.DEVNULL if quiet else subprocess.PIPE),
            text=True,
        )

    def wait_until_up(self, patience_s: float = START_PATIENCE_S) -> float:
        """Seconds from the start of the process to the first answer of the page."""
        start_s = self._made_s
        while time.monotonic() < start_s + patience_s:
            if self.process.poll() is not None:
                raise AssertionError(
                    f"the companion ended: {self.process.stderr and self.process.stderr.read()}"
                )
            try:
                Phone(self.url).get("/api/v1/health")
                return time.monotonic() - start_s
            except OSError:
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
