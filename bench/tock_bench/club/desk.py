"""The club's desk as a process that a bench starts, drives over HTTP as its director, and kills."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from tock_bench.broker import free_port
from tock_bench.clients import PageClient
from tock_companion.errors import TockError

PATIENCE_S = 180.0
LOOK_S = 0.01


class DeskProcess:
    """A `tock club serve` in a process of its own, forked from one that has loaded what it needs."""

    def __init__(self, folder: Path, broker_port: int, database: str = "") -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        arguments = [f"127.0.0.1:{broker_port}", "--port", str(port), "--data", str(folder)]
        self._arguments = [*arguments, *(["--database", database] if database else [])]
        self._printed = folder.with_suffix(".out")
        self._forks: subprocess.Popen[str] | None = None
        self._number: int | None = None
        self._director = PageClient(self.url, timeout_s=60.0)

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._number is not None
        return self._number

    def start(self) -> None:
        """Start it and become its director."""
        self._fork()
        pin = None
        while pin is None:
            if not _is_alive(self.pid):
                raise TockError("the club's desk did not start")
            time.sleep(LOOK_S)
            pin = re.search(r"its code is (\d+)", self._printed.read_text(encoding="utf-8"))
        if not self._director.post("/api/v1/director/login", pin=pin[1])["ok"]:
            raise TockError("the club's desk does not know its own code")

    def start_and_die(self, after_s: float) -> None:
        """Start it, and cut its power so soon, however far it has come."""
        self._fork()
        time.sleep(after_s)
        self.kill()

    def do_and_die(self, what: str, after_s: float) -> None:
        """Ask for one of the director's steps, and cut the power so soon; nobody knows whether it was done."""

        def ask() -> None:
            with suppress(OSError, ValueError, HTTPException):
                self._ask(what)

        director = threading.Thread(target=ask)
        director.start()
        time.sleep(after_s)
        self.kill()
        director.join()

    def kill(self) -> None:
        """Cut its power."""
        os.kill(self.pid, signal.SIGKILL)
        while _is_alive(self.pid):
            time.sleep(LOOK_S)
        self._number = None

    def stop(self) -> None:
        """End it, if it runs, and what it was forked from."""
        if self._number is not None:
            self.kill()
        if self._forks is not None:
            self._forks.communicate()
            self._forks = None

    def _fork(self) -> None:
        if self._forks is None:
            program = [sys.executable, "-m", "tock_bench.club.forks"]
            self._forks = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._forks.stdin is not None
        assert self._forks.stdout is not None
        self._printed.write_text("", encoding="utf-8")
        self._forks.stdin.write(json.dumps([str(self._printed), *self._arguments]) + "\n")
        self._forks.stdin.flush()
        self._number = int(self._forks.stdout.readline())

    def open(self, name: str, people: int, rounds: int) -> None:
        """Announce a tournament and enter this many people."""
        self._ask("open", name=name, rounds=rounds)
        self._ask("enter", text="\n".join(f"Person {number}" for number in range(1, people + 1)))

    def do(self, what: str) -> float:
        """Do one of the director's steps; milliseconds."""
        began_s = time.monotonic()
        self._ask(what)
        return 1000 * (time.monotonic() - began_s)

    @property
    def round(self) -> tuple[int, bool]:
        """The number of the present round, and whether it has begun."""
        hall = self._director.get("/api/v1/desk/hall")
        return int(hall["round"]), bool(hall["begun"])

    def has_results(self, count: int) -> bool:
        """Whether this many results of all rounds count."""
        with suppress(OSError, ValueError, HTTPException):
            hall = self._director.get("/api/v1/desk/hall")
            now = sum(game["result"] is not None for game in hall["games"])
            return len(hall["games"]) * (int(hall["round"]) - 1) + now == count
        return False

    def wait_for_tables(self, count: int) -> None:
        """Wait until this many tables have joined and are online."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            tables = self._director.get("/api/v1/director")["tables"]
            if sum(table["online"] for table in tables) >= count:
                return
            time.sleep(0.2)
        raise TockError(f"{count} tables never joined")

    def _ask(self, what: str, **data: object) -> None:
        answer = self._director.post(f"/api/v1/director/{what}", **data)
        if not answer["ok"]:
            raise TockError(f"the club's desk refuses '{what}': {answer['message']['en']}")


def _is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
