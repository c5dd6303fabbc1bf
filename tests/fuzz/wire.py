"""Wrong requests for a companion that really runs: by its own description, in sequences, and as raw bytes.

The companion is a process of its own, started as a person starts it; its log is read for faults of its own.
"""

import json
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from requests.adapters import HTTPAdapter
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from tests.fuzz import mutations
from tests.fuzz.campaign import CASES, Progress, keep_case
from tests.fuzz.child import MOST_MEMORY_MB
from tests.support.service import Companion
from tock_companion.errors import NO_TEXT

OWN = {"X-Tock": "1"}
MOST_S = 5.0
TRIES, STEPS, RAW_AT_ONCE = 3, 10, 20
RESTART_EVERY_S = 240.0
ENDLESS = "/api/v1/events"
ENDINGS = ("/api/v1/host/shutdown", "/api/v1/machine/restart")
"""What ends the companion, as it should."""
API, SEQUENCES, BYTES = "requests by the description", "sequences of requests", "bytes to the port"


@dataclass
class Site:
    """A running companion and what is known of its health."""

    companion: Companion
    log: Path
    base_mb: float = 0.0
    read_to: int = 0
    phones: dict[str, requests.Session] = field(default_factory=dict)

    def phone(self, who: str) -> requests.Session:
        """A guest, the holder of a seat, or the host, each at an address of its own."""
        if who not in self.phones:
            phone = requests.Session()
            phone.mount("http://", _From(f"127.0.1.{len(self.phones) + 1}"))
            phone.headers.update(OWN)
            self.phones[who] = phone
            if who == "host":
                phone.post(f"{self.companion.url}/api/v1/host", json={}, timeout=MOST_S)
            elif who != "guest":
                data = {"name": who, "seat": who, "lang": "en"}
                phone.post(f"{self.companion.url}/api/v1/join", json=data, timeout=MOST_S)
        return self.phones[who]

    def faults(self) -> list[str]:
        """What its log and its memory say since the last time."""
        found = []
        text = self.log.read_bytes()[self.read_to :].decode("utf-8", "surrogateescape")
        self.read_to += len(text.encode("utf-8", "surrogateescape"))
        if "Traceback (most recent call last)" in text:
            places = [line.strip() for line in text.splitlines() if line.strip().startswith("File ")]
            found.append(f"traceback: {places[-1] if places else ''} {text.strip().splitlines()[-1][:150]}")
        if NO_TEXT.search(text.replace("\n", "")):
            found.append("control characters: the log")
        if self.memory_mb() - self.base_mb > MOST_MEMORY_MB:
            found.append("memory: the companion")
        return found

    def memory_mb(self) -> float:
        """Resident memory of the process; infinite when it is gone."""
        with suppress(OSError, StopIteration):
            lines = Path(f"/proc/{self.companion.process.pid}/status").read_text().splitlines()
            return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1000
        return float("inf")


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
    log = folder / "log.txt"
    (folder / "data").mkdir(exist_ok=True)
    os.environ["TOCK_LOG"] = "WARNING"
    with log.open("ab") as errors, Companion(folder / "data", errors=errors) as companion:
        site = Site(companion, log)
        site.base_mb = site.memory_mb()
        yield site


class Wire:
    """Sends, looks what came back, and counts."""

    def __init__(self, site: Site, progress: Progress, keep: Path | None = CASES) -> None:
        self.site, self.progress, self._keep = site, progress, keep
        self.found: list[str] = []
        self.path = "/api/v1/openapi.json"
        document = site.phone("guest").get(f"{site.companion.url}{self.path}", timeout=MOST_S).json()
        self.schema = schemathesis.openapi.from_dict(document)

    def described(self, number: int, tries: int) -> None:
        """Send what the description allows and what it forbids, from all kinds of callers."""
        chance = Random(f"{self.progress.seed}/{API}/{number}")
        for found in self.schema.get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            if operation.path in (ENDLESS, *ENDINGS):
                continue
            for mode in GenerationMode:
                who = chance.choice(("guest", "P0", "P1", "host"))

                run = given(case=operation.as_strategy(generation_mode=mode))(self._sender(who))
                with suppress(Unsatisfiable):
                    _bounded(tries)(seed(chance.randrange(2**32))(run))()

    def _sender(self, who: str) -> Callable[[schemathesis.Case[Any]], None]:
        def sent(case: schemathesis.Case[Any]) -> None:
            self.send(API, case, who)

        return sent

    def sequences(self, number: int, tries: int, steps: int) -> None:
        """Follow the links of the description from answer to request."""
        wire = self

        class Sequence(self.schema.as_state_machine()):  # type: ignore[misc]
            def call(self, case: schemathesis.Case[Any], **_: Any) -> Any:
                if case.operation.path in (ENDLESS, *ENDINGS):
                    case = wire.schema["/api/v1/health"]["GET"].Case()
                return wire.send(SEQUENCES, case, "host")

            def validate_response(self, *_: Any, **__: Any) -> None: ...

        machine = seed(Random(f"{self.progress.seed}/{SEQUENCES}/{number}").randrange(2**32))(
            Sequence.TestCase
        )
        machine.settings = settings(_bounded(tries), stateful_step_count=steps)
        machine("runTest").runTest()

    def send(self, kind: str, case: schemathesis.Case[Any], who: str) -> Any:
        """Send one request and count what is wrong with its answer."""
        session, url = self.site.phone(who), self.site.companion.url
        try:
            answer = case.call(base_url=url, session=session, headers=OWN, timeout=MOST_S)
            status, fault = answer.status_code, ""
            # 503 is an answer: the table is busy, or the disk is full.
            if status >= 500 and status != 503:
                fault = f"status {status}"
        except (requests.RequestException, UnicodeError, ValueError) as error:
            answer, status = None, 0
            # What cannot be written as a request is never sent.
            fault = "hang" if isinstance(error, requests.Timeout) else ""
        sent = json.dumps([case.method, case.path, dict(case.query or {}), repr(case.body)[:5_000]])
        self._count(kind, status, fault, f"{case.method} {case.path}", sent.encode())
        return answer

    def raw(self, number: int) -> None:
        """Send the bytes of a request with some of them changed."""
        chance = Random(f"{self.progress.seed}/{BYTES}/{number}")
        data = mutations.bytes_of(chance, chance.choice(_REQUESTS))
        status = 0
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self.site.companion.port), MOST_S) as line,
        ):
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            status = _status(line.recv(4_096))
        fault = f"status {status}" if status >= 500 and status not in (501, 503, 505) else ""
        self._count(BYTES, status, fault, "bytes", data)

    def _count(
        self,
        kind: str,
        status: int,
        fault: str,
        place: str,
        sent: bytes,
    ) -> None:
        tally = self.progress.tally(kind)
        tally.tried += 1
        tally.refused += 400 <= status < 500
        for found in [*([f"{fault}: {place}"] if fault else []), *self.site.faults()]:
            tally.faults[found.partition(":")[0]] += 1
            if found not in tally.known:
                tally.known.append(found)
                self.found.append(f"{kind}: {found}: {sent[:400]!r}")
                if self._keep is not None:
                    keep_case(self._keep, kind, found.partition(":")[0], sent)


def _status(answer: bytes) -> int:
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _bounded(tries: int) -> settings:
    return settings(
        max_examples=tries,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def _request(path: str, body: object = None, **headers: str) -> bytes:
    content = json.dumps(body).encode() if body is not None else b""
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: localhost", "X-Tock: 1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if content:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


_COOKIES = (
    "tock_seat=0123456789abcdef0123456789abcdef; tock_host=0123456789abcdef0123456789abcdef; tock_lang=fr"
)
_REQUESTS = (
    _request("/api/v1/view?role=watch", Cookie=_COOKIES),
    _request("/seat", Accept_Language="fr-CA,fr;q=0.8,en;q=0.5", If_None_Match='"abc"', Range="bytes=0-10"),
    _request("/static/js/pages/table.js", Accept_Encoding="gzip, br;q=0.1"),
    _request("/api/v1/join", {"name": "Anna", "seat": "P2", "lang": "fr"}, Origin="http://localhost"),
    _request(
        "/api/v1/request", {"kind": "play_card", "data": {"card": "6H"}, "revision": 3}, Cookie=_COOKIES
    ),
    _request(
        "/api/v1/join/ask", {"name": "Zoe", "seat": "P0"}, Transfer_Encoding="chunked", Expect="100-continue"
    ),
    _request("/api/v1/game.jsonl?number=1", Connection="keep-alive, Upgrade", X_Forwarded_For="1.2.3.4"),
)


class Sender:
    """The companion that requests go to, started again now and then on what they left in its folder."""

    def __init__(self, folder: Path, progress: Progress, keep: Path | None = CASES) -> None:
        self._folder, self._progress, self._keep = folder, progress, keep
        self._open = ExitStack()
        self._wire: Wire | None = None
        self._started_s = 0.0

    def step(self, kind: str) -> list[str]:
        """Send some requests of a kind; return what was found first."""
        began_s, tally = time.monotonic(), self._progress.tally(kind)
        found: list[str] = []
        if self._wire is None or began_s - self._started_s > RESTART_EVERY_S:
            try:
                self._start()
            except AssertionError as error:
                found.append(f"does not start on what requests left: {str(error)[-300:]}")
                tally.faults["does not start"] += 1
                self._folder = Path(tempfile.mkdtemp(dir=self._folder))
                self._start()
        assert self._wire is not None
        if kind == API:
            self._wire.described(tally.tried, TRIES)
        elif kind == SEQUENCES:
            self._wire.sequences(tally.tried, TRIES, STEPS)
        else:
            for _ in range(RAW_AT_ONCE):
                self._wire.raw(tally.tried)
        tally.spent_s = round(tally.spent_s + time.monotonic() - began_s, 3)
        found += self._wire.found
        self._wire.found = []
        return found

    def _start(self) -> None:
        self.close()
        self._wire = Wire(self._open.enter_context(running_site(self._folder)), self._progress, self._keep)
        self._started_s = time.monotonic()

    def close(self) -> None:
        """Stop the companion."""
        self._wire = None
        self._open.close()
