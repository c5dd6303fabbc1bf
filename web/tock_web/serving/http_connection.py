"""uvicorn's HTTP protocol under the guard: strict heads, few requests ahead, and refusals that clients can read."""

import logging
import re
from asyncio import Transport
from collections import Counter
from typing import Any

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from tock_web.limits.bodies import RETRY_AFTER_S
from tock_web.serving.guard import Connection, Guard, Phase
from tock_web.serving.security import SEALS

HTTP = "tock.http"
"""The name of a connection's protocol in the state of its requests."""
REQUESTS_AHEAD = 1
"""Requests already sent besides the one being answered; browsers send none before they have an answer."""
WRITE_BUFFER_BYTES = 32 * 1024
"""A stream waits for its reader beyond this."""
MAX_DRAIN_BYTES = 30_000_000
"""The most that is read of a refused body."""
HEAD_END = re.compile(rb"\n\r?\n")
HEADER = re.compile(rb"[!#$%&'*+.^`|~0-9A-Za-z-]+:[^\r\n]*")
"""One line: no space before the colon, no continuation, no underscore, which WSGI would take for a hyphen."""
ONCE = (
    *(b"host", b"content-length", b"transfer-encoding", b"content-type", b"cookie", b"origin"),
    *(b"authorization", b"x-tock", b"sec-fetch-site"),
)
REASONS = {
    400: "The request could be read in two ways.",
    413: "The body is too large.",
    429: "",
    503: "Other large bodies are on their way already; try again soon.",
}
for name in ("uvicorn.error", "uvicorn.access"):
    # Strangers decide what these would log.
    logging.getLogger(name).setLevel(logging.ERROR)


class GuardedHttp(H11Protocol):
    """One connection's requests."""

    def __init__(self, config: Config, served: ServerState, guard: Guard, connection: Connection) -> None:
        super().__init__(config, served, {HTTP: self})
        self.guard, self.line = guard, connection
        self._drained_bytes = 0
        self._left_bytes: int | None = None
        """The rest of a refused body, where its size was announced."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        self.line.transport = transport
        super().connection_made(transport)
        if self.line.is_gone:
            # Cut at the end of its handshake.
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in the client's bytes."""
        self.line.received_bytes += len(data)
        if self.line.phase is Phase.DRAINING:
            self._drain(len(data))
            return
        if self.line.is_gone or self.transport.is_closing():
            return
        self.line.begin_request()
        super().data_received(data)

    def handle_events(self) -> None:
        """Parse the received bytes; refuse heads that another program might read differently."""
        if self.conn.their_state is h11.IDLE and is_ambiguous(self.conn.trailing_data[0]):
            self.refuse(400)
            return
        super().handle_events()
        if self.cycle is None or self.cycle.response_complete or self.line.is_stream:
            return
        self.line.has_asked = True
        if not self.cycle.more_body and self.line.phase is Phase.RECEIVING:
            self.line.enter(Phase.ANSWERING)
        if len(HEAD_END.findall(self.conn.trailing_data[0])) > REQUESTS_AHEAD:
            self.line.cut("sends requests without waiting for answers")

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; from now on its client may be silent."""
        self.line.has_asked = self.line.is_stream = True
        self.line.enter(Phase.IDLE)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.line.enter(Phase.IDLE)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self.guard.leave(self.line)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Refuse bytes that are not a request."""
        self.refuse(400)

    def shutdown(self) -> None:
        """Close as soon as nothing is being answered."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
        else:
            self.cycle.keep_alive = False

    def refuse(self, status: int, left_bytes: int | None = None) -> None:
        """Answer in place of the app, read the rest of the body for a while, and close."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            # A client that waits for "100 Continue" before its body has its answer.
            self.cycle.waiting_for_100_continue = False
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        is_head = self.scope is not None and self.scope["method"] == "HEAD"
        content = b"" if is_head else REASONS[status].encode()
        headers: list[tuple[str, str]] = [
            ("Content-Type", "text/plain"),
            ("Content-Length", str(len(content))),
            ("Connection", "close"),
            *([("Retry-After", str(RETRY_AFTER_S))] if status in (429, 503) else []),
            *SEALS,
        ]
        events: tuple[Any, ...] = (
            h11.Response(status_code=status, headers=headers),
            h11.Data(data=content),
            h11.EndOfMessage(),
        )
        self.transport.write(b"".join(self.conn.send(event) or b"" for event in events))
        self._left_bytes = left_bytes
        self.line.enter(Phase.DRAINING)
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        elif not left_bytes:
            self.transport.close()

    def _drain(self, size: int) -> None:
        self._drained_bytes += size
        if self._drained_bytes > MAX_DRAIN_BYTES:
            self.line.cut("goes on sending a refused body")
        elif self._left_bytes is not None and self._drained_bytes >= self._left_bytes:
            self.transport.close()


def is_ambiguous(received: bytes) -> bool:
    """Whether the head of a request is complete and could be read in two ways."""
    end = HEAD_END.search(received)
    if end is None:
        return False
    names: Counter[bytes] = Counter()
    for line in received[: end.start()].removesuffix(b"\r").split(b"\r\n")[1:]:
        if not HEADER.fullmatch(line):
            return True
        names[line.partition(b":")[0].lower()] += 1
    has_two_ends = names[b"content-length"] > 0 and names[b"transfer-encoding"] > 0
    return has_two_ends or any(names[name] > 1 for name in ONCE)
