"""The processes of a club evening as a bench runs them: the desk, whole tables, and a hall's screen."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tock_bench.broker import free_port
from tock_bench.clients import Phone
from tock_companion.errors import TockError
from tock_companion.tournament.facts import GameKey

PATIENCE_S = 180.0
TABLE_SETTINGS = """host = "127.0.0.1"
[tls]
port = 0
[sources.camera]
device = "/dev/no-camera"
[mqtt]
host = "127.0.0.1"
port = {broker}
table = "{name}"
club = true
"""
"""A source that never sees the board: what is measured is the club's side."""


class DeskProcess:
    """A real `tock club serve`, driven over HTTP by its director."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self._folder, self._broker_port = folder, broker_port
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None
        self._director = Phone(self.url, timeout_s=60.0)

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and become its director."""
        arguments = ["club", "serve", f"127.0.0.1:{self._broker_port}", "--port", str(self._port)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tock_companion.cli.main", *arguments, "--data", str(self._folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        pin = None
        while pin is None:
            line = self._process.stdout.readline()
            if not line:
                raise TockError("the club's desk did not start")
            pin = re.search(r"its code is (\d+)", line)
        if not self._director.post("/api/v1/director/login", pin=pin[1])["ok"]:
            raise TockError("the club's desk does not know its own code")

    def kill(self) -> None:
        """Cut its power."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process is not None:
            self.kill()

    def open(self, name: str, people: int, rounds: int) -> None:
        """Announce a tournament and enter so many people."""
        self._ask("open", name=name, rounds=rounds)
        self._ask("enter", text="\n".join(f"Person {number}" for number in range(1, people + 1)))

    def do(self, what: str) -> float:
        """Do one of the director's steps; milliseconds."""
        began_s = time.monotonic()
        self._ask(what)
        return 1000 * (time.monotonic() - began_s)

    def has_results(self, count: int) -> bool:
        """Whether so many results of all rounds count."""
        with suppress(OSError, ValueError, HTTPException):
            hall = self._director.get("/api/v1/desk/hall")
            now = sum(game["result"] is not None for game in hall["games"])
            return len(hall["games"]) * (int(hall["round"]) - 1) + now == count
        return False

    def wait_for_tables(self, count: int) -> None:
        """Wait until so many tables have joined and are there."""
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


class RealTable:
    """A whole companion in a process of its own, which has joined the club."""

    def __init__(self, folder: Path, name: str, broker_port: int) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        (folder / "tock.toml").write_text(
            TABLE_SETTINGS.format(broker=broker_port, name=name), encoding="utf-8"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; nothing is waited for."""
        environment = {**os.environ, "TOCK_DATA": str(self._folder), "TOCK_PORT": str(free_port())}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tock_companion.cli.main", "run"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


class HallScreen:
    """Reads what the hall's screen is sent, and notes when it first showed each result."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.first_seen_s: dict[GameKey, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no more."""
        self._over.set()

    def has_seen(self, number: int, count: int) -> bool:
        """Whether at least so many results of a round were shown."""
        return sum(key.round == number for key in list(self.first_seen_s)) >= count

    def _read(self) -> None:
        kind = ""
        with urllib.request.urlopen(f"{self._url}/api/v1/desk/events", timeout=60) as stream:
            for line in stream:
                if self._over.is_set():
                    return
                if line.startswith(b"event: "):
                    kind = line[7:].decode().strip()
                elif line.startswith(b"data: ") and kind == "hall":
                    self._note(json.loads(line[6:]))

    def _note(self, hall: dict[str, Any]) -> None:
        now_s = time.monotonic()
        for game in hall["games"]:
            if game["result"] is not None:
                self.first_seen_s.setdefault(GameKey(hall["round"], game["table"]), now_s)


def memory_mb(pid: int) -> float:
    """Megabytes of memory that a process has now."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return round(int(found[1]) / 1000, 1) if found else 0.0


def cpu_s(pid: int) -> float:
    """Seconds of computing that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
