"""Wrong requests for a companion that really runs: by its own description, in sequences, as bodies and as bytes."""

import json
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from tock_bench.fuzz import mutations
from tock_bench.fuzz.campaign import CASES, Progress, keep_case
from tock_bench.fuzz.site import OWN, PATIENCE_S, Site, running_site
from tock_bench.fuzz.uploads import UPLOAD_OF, Upload
from tock_companion.errors import TockError

TRIES, STEPS, UPLOADS_AT_ONCE, RAW_AT_ONCE = 3, 10, 5, 20
RESTART_EVERY_S = 900.0
ENDLESS = "/api/v1/events"
ENDINGS = ("/api/v1/host/shutdown", "/api/v1/machine/restart")
"""Requests that end the companion, as they should."""
API, SEQUENCES, BYTES = "requests by the description", "sequences of requests", "bytes to the port"
WIRE = (API, SEQUENCES, BYTES, *UPLOAD_OF)


class Wire:
    """Sends, looks what came back, and counts."""

    def __init__(self, site: Site, progress: Progress, keep: Path | None = CASES) -> None:
        self.site, self.progress, self._keep = site, progress, keep
        self.found: list[str] = []
        self.path = "/api/v1/openapi.json"
        document = site.phone("guest").get(f"{site.url}{self.path}", timeout=PATIENCE_S).json()
        self.schema = schemathesis.openapi.from_dict(document)

    def described(self, number: int, tries: int) -> None:
        """Send what the description allows and what it forbids, from all kinds of callers."""
        rng = Random(f"{self.progress.seed}/{API}/{number}")
        for found in self.schema.get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            if operation.path in (ENDLESS, *ENDINGS):
                continue
            for mode in GenerationMode:
                who = rng.choice(("guest", "P0", "P1", "host"))

                run = given(case=operation.as_strategy(generation_mode=mode))(self._sender(who))
                with suppress(Unsatisfiable):
                    _bounded(tries)(seed(rng.randrange(2**32))(run))()

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
        session, url = self.site.phone(who), self.site.url

        def call() -> Any:
            return case.call(base_url=url, session=session, headers=OWN, timeout=PATIENCE_S)

        answer, fault = self.site.ask(call)
        sent = json.dumps([case.method, case.path, dict(case.query or {}), repr(case.body)[:5_000]])
        status = answer.status_code if answer is not None else 0
        self._count(kind, status, fault, f"{case.method} {case.path}", sent.encode())
        return answer

    def upload(self, upload: Upload, number: int) -> None:
        """Send one body that is slightly wrong."""
        body, form = upload.make(Random(f"{self.progress.seed}/{upload.name}/{number}"))
        if upload.seat:
            self.site.free(upload.seat)
        phone, url = self.site.phone(upload.who), f"{self.site.url}{upload.path}"
        answer, fault = self.site.ask(
            lambda: phone.post(url, body, headers={"Content-Type": form}, timeout=PATIENCE_S)
        )
        status = answer.status_code if answer is not None else 0
        if status in (401, 403):
            # Some request gave its seat or the host's rights away.
            self.site.claim(upload.who)
        self._count(upload.name, status, fault, upload.path, body)

    def raw(self, number: int) -> None:
        """Send the bytes of a request with some of them changed."""
        rng = Random(f"{self.progress.seed}/{BYTES}/{number}")
        data, status = mutations.bytes_of(rng, rng.choice(_REQUESTS)), 0
        # It closes connections that say nothing more, so a silent one is no hang.
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.site.port), PATIENCE_S) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            status = _status(line.recv(4_096))
        fault = f"status {status}" if status >= 500 and status not in (501, 503, 505) else ""
        self._count(BYTES, status, fault, "bytes", data)

    def _count(self, kind: str, status: int, fault: str, place: str, sent: bytes) -> None:
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
                self.restart()
            except TockError as error:
                found.append(f"does not start on what requests left: {str(error)[-300:]}")
                tally.faults["does not start"] += 1
                self._folder = Path(tempfile.mkdtemp(dir=self._folder))
                self.restart()
        assert self._wire is not None
        if kind == API:
            self._wire.described(tally.tried, TRIES)
        elif kind == SEQUENCES:
            self._wire.sequences(tally.tried, TRIES, STEPS)
        elif kind in UPLOAD_OF:
            for _ in range(UPLOADS_AT_ONCE):
                self._wire.upload(UPLOAD_OF[kind], tally.tried)
        else:
            for _ in range(RAW_AT_ONCE):
                self._wire.raw(tally.tried)
        tally.spent_s = round(tally.spent_s + time.monotonic() - began_s, 3)
        found += self._wire.found
        self._wire.found = []
        return found

    def restart(self) -> None:
        """Restart it on the same folder; AssertionError when it does not come up."""
        self.close()
        self._wire = Wire(self._open.enter_context(running_site(self._folder)), self._progress, self._keep)
        self._started_s = time.monotonic()

    def close(self) -> None:
        """Stop the companion."""
        self._wire = None
        self._open.close()
