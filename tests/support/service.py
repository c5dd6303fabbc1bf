"""A whole companion in a process of its own, on a free port and a folder of its own, driven over HTTP."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

START_PATIENCE_S = 45.0
VIEW_PATIENCE_S = 30.0
CROWDING_S = 0.2
"""So much computing shows what else runs."""


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Phone:
    """One browser's worth of cookies."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Any:
        with self._opener.open(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def post(self, path: str, **data: object) -> Any:
        """Return the JSON answer, also of a refusal."""
        body = json.dumps(data).encode()
        headers = {"Content-Type": "application/json", "X-Tock": "1"}
        request = urllib.request.Request(self.url + path, body, headers)
        try:
            with self._opener.open(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def ask(self, kind: str, **data: object) -> Any:
        return self.post("/api/v1/request", kind=kind, data=data)

    def view(self, role: str = "seat") -> Any:
        return self.get(f"/api/v1/view?role={role}")

    def wait_for(self, what: str, value: object, role: str = "table") -> Any:
        """Return the first view in which `what` is `value`."""
        end_s = time.monotonic() + VIEW_PATIENCE_S
        while (view := self.view(role))[what] != value:
            if time.monotonic() > end_s:
                raise AssertionError(f"{what} never became {value!r}: {view}")
            time.sleep(0.05)
        return view


def crowding() -> float:
    """Return how many times longer than alone a computation takes now, because other programs run beside it."""
    wall_s, own_s = time.monotonic(), time.process_time()
    while time.process_time() - own_s < CROWDING_S:
        pass
    return (time.monotonic() - wall_s) / CROWDING_S


class Companion:
    """`tock run` as a person starts it."""

    def __init__(self, data: Path, *arguments: str, port: int | None = None, quiet: bool = False) -> None:
        """Start it; `quiet` throws its output away, which nobody reads in a long run."""
        self.data = data
        self.port = port if port is not None else free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {**os.environ, "TOCK_DATA": str(data), "TOCK_PORT": str(self.port)}
        self._made_s = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tock_companion.cli.main", "run", *arguments],
            env=environment,
            stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else subprocess.PIPE,
            text=True,
        )

    def wait_until_up(self, patience_s: float = START_PATIENCE_S) -> float:
        """Return how long the first answer of the page took since the process was made, in seconds."""
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
