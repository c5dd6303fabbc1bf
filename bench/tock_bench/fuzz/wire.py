"""Wrong requests for a running companion: by its own description, in sequences, as bodies and as bytes."""

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

from tests.support.doors import empty_folder
from tock_bench.fuzz import mutations
from tock_bench.fuzz.campaign import Progress
from tock_bench.fuzz.site import OWN, PATIENCE_S, Site, running_site
from tock_bench.fuzz.uploads import UPLOAD_OF, Upload
from tock_companion.errors import TockError

TRIES, STEPS, UPLOADS_AT_ONCE, RAW_AT_ONCE = 1, 10, 5, 20
RESTART_EVERY_S = 900.0
DESCRIPTION = "/api/v1/openapi.json"
LEFT_OUT = ("/api/v1/events", "/api/v1/host/shutdown", "/api/v1/machine/restart")
"""An endless stream, and requests that end the companion."""
API, SEQUENCES, BYTES = "requests by the description", "sequences of requests", "bytes to the port"
WIRE = (API, SEQUENCES, BYTES, *UPLOAD_OF)
BOUNDED = settings(
    max_examples=TRIES, deadline=None, database=None, phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


class Sender:
    """Sends requests to a companion that is restarted now and then on the same data."""

    def __init__(self, stack: ExitStack, progress: Progress) -> None:
        self._folder = Path(stack.enter_context(empty_folder()))
        self._progress = progress
        self._running = stack.enter_context(ExitStack())
        self._site: Site | None = None
        self._started_s = 0.0
        self._found: list[str] = []

    def step(self, kind: str) -> list[str]:
        """Send some requests of a kind; return new findings."""
        self._found = []
        if self._site is None or time.monotonic() - self._started_s > RESTART_EVERY_S:
            self._restart(kind)
        assert self._site is not None
        if kind == API:
            self._described(self._site)
        elif kind == SEQUENCES:
            self._sequences(self._site)
        elif kind in UPLOAD_OF:
            for _ in range(UPLOADS_AT_ONCE):
                self._upload(self._site, UPLOAD_OF[kind])
        else:
            for _ in range(RAW_AT_ONCE):
                self._raw(self._site)
        return self._found

    def _restart(self, kind: str) -> None:
        try:
            self._start()
        except TockError as error:
            self._found += self._progress.count(kind, [f"does not start: {str(error)[-300:]}"], b"")
            self._folder = Path(tempfile.mkdtemp(dir=self._folder))
            self._start()

    def _start(self) -> None:
        """Start the companion again on its folder; raises TockError where it does not answer."""
        self._running.close()
        self._site = self._running.enter_context(running_site(self._folder))
        self._started_s = time.monotonic()

    def _rng(self, kind: str) -> Random:
        return Random(f"{self._progress.seed}/{kind}/{self._progress.tally(kind).tried}")

    def _described(self, site: Site) -> None:
        """Send requests that the description allows or forbids, from all kinds of callers."""
        rng = self._rng(API)
        for found in _schema(site).get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            if operation.path in LEFT_OUT:
                continue
            for mode in GenerationMode:
                send = self._sender(site, rng.choice(("guest", "P0", "P1", "host")))
                run = given(case=operation.as_strategy(generation_mode=mode))(send)
                with suppress(Unsatisfiable):
                    BOUNDED(seed(rng.randrange(2**32))(run))()

    def _sender(self, site: Site, who: str) -> Callable[[schemathesis.Case[Any]], None]:
        def send(case: schemathesis.Case[Any]) -> None:
            self._send(site, API, case, who)

        return send

    def _sequences(self, site: Site) -> None:
        """Follow the links of the description from answer to request."""
        schema, send = _schema(site), self._send

        class Sequence(schema.as_state_machine()):  # type: ignore[misc]
            def call(self, case: schemathesis.Case[Any], **_: Any) -> Any:
                is_left_out = case.operation.path in LEFT_OUT
                return send(
                    site, SEQUENCES, schema["/api/v1/health"]["GET"].Case() if is_left_out else case, "host"
                )

            def validate_response(self, *_: Any, **__: Any) -> None: ...

        machine = seed(self._rng(SEQUENCES).randrange(2**32))(Sequence.TestCase)
        machine.settings = settings(BOUNDED, stateful_step_count=STEPS)
        machine("runTest").runTest()

    def _send(self, site: Site, kind: str, case: schemathesis.Case[Any], who: str) -> Any:
        """Send one request and count the faults of its answer."""
        session = site.phone(who)

        def call() -> Any:
            return case.call(base_url=site.url, session=session, headers=OWN, timeout=PATIENCE_S)

        answer, fault = site.ask(call)
        sent = json.dumps([case.method, case.path, dict(case.query or {}), repr(case.body)[:5_000]])
        status = answer.status_code if answer is not None else 0
        self._count(site, kind, status, fault, f"{case.method} {case.path}", sent.encode())
        return answer

    def _upload(self, site: Site, upload: Upload) -> None:
        """Send one slightly wrong body."""
        body, form = upload.make(self._rng(upload.name))
        if upload.seat:
            site.free(upload.seat)
        phone, url = site.phone(upload.who), f"{site.url}{upload.path}"
        answer, fault = site.ask(
            lambda: phone.post(url, body, headers={"Content-Type": form}, timeout=PATIENCE_S)
        )
        status = answer.status_code if answer is not None else 0
        if status in (401, 403):
            # An earlier request gave its seat or the host's rights away.
            site.claim(upload.who)
        self._count(site, upload.name, status, fault, upload.path, body)

    def _raw(self, site: Site) -> None:
        """Send a request with some changed bytes."""
        rng = self._rng(BYTES)
        data, status = mutations.bytes_of(rng, rng.choice(_REQUESTS)), 0
        # The companion closes silent connections, so silence is no hang.
        with suppress(OSError), socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            words = line.recv(4_096).split(b" ", 2)
            status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        fault = f"status {status}" if status >= 500 and status not in (501, 503, 505) else ""
        self._count(site, BYTES, status, fault, "bytes", data)

    def _count(self, site: Site, kind: str, status: int, fault: str, place: str, sent: bytes) -> None:
        faults = [*([f"{fault}: {place}"] if fault else []), *site.faults()]
        self._found += self._progress.count(kind, faults, sent, refused=400 <= status < 500)


def _schema(site: Site) -> Any:
    document = site.phone("guest").get(f"{site.url}{DESCRIPTION}", timeout=PATIENCE_S).json()
    return schemathesis.openapi.from_dict(document)


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
