"""A running companion for wrong requests, and the faults in its answers, log and memory."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import Any

import requests
from requests.adapters import HTTPAdapter

from tests.support import valid_files as valid
from tests.support.service import Companion, Process
from tests.support.trial import MAX_CPU_S, MAX_MEMORY_MB
from tests.support.watching import cpu_s
from tock_app.service.control import ask
from tock_companion.errors import NO_TEXT
from tock_rules import Seat
from tock_web.rights.pin import PIN_NAME

OWN = {"X-Tock": "1"}
PATIENCE_S = 300.0
"""Longest wait for an answer; on a shared machine much longer than the limit of computing."""
SETTINGS = "[sources.simulated]\nfps = 0.5\n"
"""Drawn pictures take more computing than most requests, and would count as their hangs."""


@dataclass
class Watched:
    """A process whose log is a file."""

    process: Process | Popen[bytes]
    log: Path
    base_mb: float = 0.0
    read_to: int = 0

    def __post_init__(self) -> None:
        self.base_mb = self.memory_mb()

    def ask(self, send: Callable[[], requests.Response]) -> tuple[requests.Response | None, str]:
        """Send a request; return its answer and its fault."""
        began_s = self.cpu_s()
        try:
            answer = send()
        except requests.Timeout:
            return None, "hang"
        except (requests.RequestException, UnicodeError, ValueError):
            return None, ""  # Not a valid request, so it was never sent.
        if self.cpu_s() - began_s > MAX_CPU_S:
            return answer, "hang"
        # 503 is an answer: the table is busy, or the disk is full.
        return answer, f"status {answer.status_code}" if answer.status_code not in ANSWERS else ""

    def faults(self) -> list[str]:
        """The faults in its log and its memory since the last time."""
        found = []
        text = self.log.read_bytes()[self.read_to :].decode("utf-8", "surrogateescape")
        self.read_to += len(text.encode("utf-8", "surrogateescape"))
        if "Traceback (most recent call last)" in text:
            places = [line.strip() for line in text.splitlines() if line.strip().startswith("File ")]
            found.append(f"traceback: {places[-1] if places else ''} {text.strip().splitlines()[-1][:150]}")
        if NO_TEXT.search(text.replace("\n", "")):
            found.append("control characters: the log")
        if self.process.poll() is not None:
            found.append("ended: the process")
        elif self.memory_mb() - self.base_mb > MAX_MEMORY_MB:
            found.append("memory: the process")
        return found

    def memory_mb(self) -> float:
        """The peak of its memory; 0 when it is gone."""
        with suppress(OSError, StopIteration):
            lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
            return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1000
        return 0.0

    def cpu_s(self) -> float:
        """Time of computing so far; 0 when it is gone."""
        with suppress(OSError):
            return cpu_s(self.process.pid)
        return 0.0


ANSWERS = (*range(200, 500), 503)


@dataclass
class Site(Watched):
    """A running companion and its phones."""

    url: str = ""
    port: int = 0
    data: Path = Path()
    phones: dict[str, requests.Session] = field(default_factory=dict)

    def phone(self, who: str) -> requests.Session:
        """A guest, the holder of a seat, or the host, each at another address."""
        if who not in self.phones:
            phone = self.phones[who] = requests.Session()
            phone.mount("http://", _From(f"127.0.1.{len(self.phones)}"))
            phone.headers.update(OWN)
            self.claim(who)
        return self.phones[who]

    def claim(self, who: str) -> None:
        """Have a phone ask for its seat or for the host's rights, also after it lost them."""
        phone = self.phones[who]
        if who == "host":
            # A host from before the last start may remain; the machine's code makes another one.
            code = ask(self.data, "host-code")["code"]
            phone.post(f"{self.url}/api/v1/host", json={"pin": code}, timeout=PATIENCE_S)
        elif who in Seat.__members__:
            # A player from before the last start may remain.
            self.free(who)
            data = {"name": who, "seat": who, "lang": "en"}
            phone.post(f"{self.url}/api/v1/join", json=data, timeout=PATIENCE_S)

    def free(self, seat: str) -> None:
        """Have the host free a seat, with its rights asked for again where it lost them."""
        free: Any = {"kind": "free_seat", "role": "host", "data": {"seat": seat}}
        for _ in range(2):
            answer = self.phone("host").post(f"{self.url}/api/v1/request", json=free, timeout=PATIENCE_S)
            if answer.status_code not in (401, 403):
                return
            self.claim("host")


class _From(HTTPAdapter):
    """Requests from an address of the loopback network."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, source_address=(self._address, 0), **kwargs)


@contextmanager
def running_site(folder: Path) -> Iterator[Site]:
    """A companion on the data of a folder."""
    log, data = folder / "log.txt", folder / "data"
    data.mkdir(exist_ok=True)
    # Each start has valid settings; starts on other granted settings are tried by another door.
    (data / "tock.toml").write_text(SETTINGS)
    (data / "boards").mkdir(exist_ok=True)
    (data / "boards" / "board.json").write_bytes(valid.board())
    (data / PIN_NAME).unlink(missing_ok=True)
    os.environ["TOCK_LOG"] = "WARNING"
    with log.open("ab") as errors:
        companion = Companion(data, program="tock_bench.fuzz.generous", errors=errors)
        try:
            companion.wait_until_up(PATIENCE_S)
            yield Site(companion.process, log, url=companion.url, port=companion.port, data=data)
        finally:
            companion.process.terminate()
            companion.process.communicate(timeout=PATIENCE_S)
