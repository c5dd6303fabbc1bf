"""Connections on waitress that cannot slow down other clients.

Waitress leaves three jobs to a proxy in front of it, which a table at home does not have: a worker waits without end
for a client that does not read, a client that sends a header byte by byte keeps its connection for good, and once
all connections are in use nobody else is let in. Here an answer never holds a worker, a client that is too slow is
cut, and a new client is let in at the cost of the address with most waiting connections.
"""

import logging
import socket
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser, ParsingError  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]
from waitress.task import ErrorTask, WSGITask  # type: ignore[import-untyped]
from waitress.utilities import Error, RequestEntityTooLarge  # type: ignore[import-untyped]

from tock_web.limits.bodies import JSON_BYTES
from tock_web.serving.fair_queue import FairQueue
from tock_web.serving.security import SEALS
from tock_web.serving.wakeup import Wakeup

log = logging.getLogger(__name__)

REQUESTS_AHEAD = 2
"""The request being answered and one already read; browsers send no more before they have an answer."""
SEND_BUFFER_BYTES = 32 * 1024
"""The kernel's buffer for a client that does not read; by default it takes megabytes for each."""
CUT_SHARE = 40
"""Making room scans all connections, so a fortieth of them is cut at once."""
DRAIN_S, MAX_DRAIN_BYTES = 5.0, 30_000_000
"""Limits on reading the rest of a refused body."""
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
REQUEST, READING = "a request", "reading"

Recognize = Callable[[str], str | None]
"""Names the device behind a Cookie header, None for a stranger."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one client's share of the server, and on its time."""

    connections: int = 800
    """Browsers keep several connections open; idle ones cost nothing but must not shut others out."""
    connections_per_address: int = 500
    grace_s: float = 10.0
    """Seconds that a request or an answer may take at any speed."""
    slowest_bytes_per_s: float = 4096.0
    """Beyond the grace, a slower client is not on bad Wi-Fi but hostile or gone."""
    idle_s: float = 60.0
    unsent_bytes: int = 3_000_000
    """Unread answers of all clients together."""
    large_bodies: int = 2
    """Bodies over `JSON_BYTES` received at the same time from one device, or from all strangers."""


class TooManyBodiesError(Error):  # type: ignore[misc]
    """Refused for now, though alone it would not be too large."""

    code = 503
    reason = "Service Unavailable"


class GuardedErrorTask(ErrorTask):  # type: ignore[misc]
    """An error that waitress answers by itself, with our standard headers."""

    def execute(self) -> None:
        """Write the answer."""
        self.response_headers.extend(SEALS)
        super().execute()


class GuardedTask(WSGITask):  # type: ignore[misc]
    """An answer of the app; an endless one gives back its turn, since it has a worker of its own."""

    def build_response_header(self) -> bytes:
        """Write the head of the answer, which tells whether it will end."""
        header: bytes = super().build_response_header()
        if self.content_length is None and self.has_body:
            self.channel.become_stream()
        return header


class GuardedParser(HTTPRequestParser):  # type: ignore[misc]
    """The head of a request, which may be any bytes."""

    path = ""
    """For the log, also where a head was refused before its path was read."""

    def parse_header(self, header_plus: bytes) -> None:
        """Read a head; turns errors that would close the connection into ParsingError, which becomes a 400."""
        try:
            super().parse_header(header_plus)
        except ValueError:
            raise ParsingError("the head of the request is not text") from None


class GuardedChannel(HTTPChannel):  # type: ignore[misc]
    """One connection, which measures how long the server has been waiting for its client."""

    task_class = GuardedTask
    error_task_class = GuardedErrorTask
    parser_class = GuardedParser
    request: Any

    def __init__(self, server: "GuardedServer", *arguments: Any, **options: Any) -> None:
        super().__init__(server, *arguments, **options)
        self.is_stream = False
        self.device: str | None = None
        """The device whose request is being answered, None for a stranger's."""
        self._admitted: object = None
        """The request that may have a large body."""
        self._waits_for: object = REQUEST
        self._since_s = monotonic()
        self._moved_bytes = 0
        """Bytes sent and received since then."""
        self._refuses_body = False
        self._drains_until_s: float | None = None
        """End of the time in which the rest of a refused body is read and dropped."""

    # The client's side, on the main thread.

    def received(self, data: bytes) -> bool:
        """Take in the client's bytes; cut one that pipelines many requests."""
        self._moved_bytes += len(data)
        if self._drains_until_s is not None:
            if self._moved_bytes > MAX_DRAIN_BYTES:
                self.cut("sends far more than it was refused")
            return False
        took = bool(super().received(data))
        self._refuse_large_body()
        if len(self.requests) > REQUESTS_AHEAD:
            self.cut("sends requests without waiting for answers")
        return took

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the kernel takes."""
        sent: int = super().send(data, do_close=do_close)
        self._moved_bytes += sent
        return sent

    def readable(self) -> bool:
        """Whether the main thread reads from it."""
        return not self.will_close if self._drains_until_s is not None else bool(super().readable())

    def handle_write(self) -> None:
        """Send; after refusing a body, wait for its end: closing earlier would lose the answer."""
        if self._refuses_body and self.close_when_flushed and not self.will_close:  # type: ignore[has-type]
            self._flush_exception(self._flush_some)
            if not self.total_outbufs_len and not self.will_close:
                self.close_when_flushed = False
                self._drains_until_s, self._moved_bytes = monotonic() + DRAIN_S, 0
                with suppress(OSError):
                    self.socket.shutdown(socket.SHUT_WR)
            return
        super().handle_write()

    def _refuse_large_body(self) -> None:
        """End a request with a large body before it is received, unless few are under way."""
        with self.requests_lock:
            request = self.request
            if request is None or not request.headers_finished or request.completed:
                return
            if request is self._admitted or self.body_bytes <= JSON_BYTES:
                return
            if self.server.may_be_large(self, request):
                self._admitted = request
                return
            request.error = TooManyBodiesError("other large bodies are on their way already; try again soon")
            request.completed = True
            self.request = None
            self.requests.append(request)
            if len(self.requests) == 1:
                self.server.add_task(self)

    @property
    def has_large_body(self) -> bool:
        """Whether a request with a large body is being received."""
        return self.request is not None and self.request is self._admitted

    @property
    def body_bytes(self) -> int:
        """The size of the body being received: as announced, or as received so far."""
        request = self.request
        return 0 if request is None else max(request.content_length, request.body_bytes_received)

    # The time for which the server has been waiting for it.

    def _awaited(self) -> object:
        """The event that the server waits for: a read, the rest of a request, or a request; None while it is busy."""
        if self.total_outbufs_len:
            return READING
        return None if self.requests else self.request or REQUEST

    def waited_s(self, now_s: float) -> float | None:
        """Seconds for which the server has waited for the same event, as of its last check; None while it is busy."""
        awaited = self._awaited()
        if awaited is not self._waits_for or (awaited is REQUEST and self._moved_bytes):
            self._waits_for, self._since_s, self._moved_bytes = awaited, now_s, 0
        return None if awaited is None else now_s - self._since_s

    def is_overdue(self, now_s: float, limits: Limits) -> bool:
        """Whether its client exceeds every limit on time."""
        if self._drains_until_s is not None:
            return now_s > self._drains_until_s
        waited_s = self.waited_s(now_s)
        if waited_s is None:
            return False
        if self._waits_for is REQUEST:
            return waited_s > limits.idle_s
        over_s = waited_s - limits.grace_s
        return over_s > 0 and self._moved_bytes < over_s * limits.slowest_bytes_per_s

    def cut(self, why: str) -> None:
        """Close the connection and drop its unread data; any thread may call this."""
        line = self.socket
        self.will_close = True
        log.debug("%s %s: cut", self.addr[0], why)
        try:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            # The main thread waits until the socket of a client that does not read is writable: it never would be.
            line.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            # Already closed.
            pass

    # The workers' side.

    def become_stream(self) -> None:
        """Note that the answer has no end."""
        self.is_stream = True
        self.server.turns.end(self)

    def service(self) -> None:
        """Answer one request and give the turn back."""
        self._refuses_body = isinstance(self.requests[0].error, RequestEntityTooLarge | TooManyBodiesError)
        try:
            super().service()
        finally:
            self.server.turns.end(self)
            if self.total_outbufs_len > SEND_BUFFER_BYTES:
                self.server.keep_unsent_bounded()

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Make a stream wait for its reader; other answers are complete, and the main thread sends them."""
        if self.is_stream:
            super()._flush_outbufs_below_high_watermark()


class GuardedServer(TcpWSGIServer):  # type: ignore[misc]
    """A waitress server that keeps its connections within limits."""

    channel_class = GuardedChannel

    def __init__(
        self, application: Any, turns: FairQueue[Any], limits: Limits, recognize: Recognize, **options: Any
    ) -> None:
        """Serve the app on the one socket of the adjustments in `options`; `turns` orders the workers' tasks."""
        self.turns, self.limits, self._recognize = turns, limits, recognize
        listener = options["adj"].sockets[0]
        sockinfo = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(application, _sock=listener, bind_socket=False, sockinfo=sockinfo, **options)
        self.trigger.close()  # type: ignore[has-type]
        self.trigger = Wakeup(self._map)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Bound the kernel's buffer for a connection."""
        super().set_socket_options(conn)
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    def handle_accept(self) -> None:
        """Let one more in, and cut others where there are too many."""
        super().handle_accept()
        channels = [channel for channel in self.active_channels.values() if not channel.will_close]
        if channels:
            *others, newcomer = channels
            self._make_room(others, newcomer.addr[0])

    def _make_room(self, channels: list[GuardedChannel], newcomer: str) -> None:
        """Cut connections of the newcomer's address when that has too many, else of the address with most."""
        counts = Counter(channel.addr[0] for channel in channels)
        if counts[newcomer] >= self.limits.connections_per_address:
            addresses = [newcomer]
        elif len(channels) >= self.limits.connections:
            addresses = [address for address, _ in counts.most_common()]
        else:
            return
        for address in addresses:
            if _cut_idlest([channel for channel in channels if channel.addr[0] == address]):
                return
        # No client keeps us waiting: a crowd sends requests faster than they are answered.
        _cut_newest([channel for channel in channels if channel.addr[0] == addresses[0]])

    def handle_error(self) -> None:
        """Log an internal error and go on listening; waitress would stop accepting."""
        log.error("a connection could not be taken in", exc_info=True)

    def add_task(self, task: GuardedChannel) -> None:
        """Queue a connection with a request, known by the device that sent it."""
        task.device = self._recognize(task.requests[0].headers.get("COOKIE", ""))
        super().add_task(task)

    def keep_unsent_bounded(self) -> None:
        """Cut the client with most unread data while all together have too much: answers take memory until they are
        read."""
        channels = [channel for channel in list(self.active_channels.values()) if channel.total_outbufs_len]
        unsent_bytes = sum(channel.total_outbufs_len for channel in channels)
        if unsent_bytes > self.limits.unsent_bytes:
            of_address: Counter[str] = Counter()
            for channel in channels:
                of_address[channel.addr[0]] += channel.total_outbufs_len
            (worst, _), *_ = of_address.most_common()
            for channel in channels:
                if channel.addr[0] == worst:
                    channel.cut("leaves too much unread")

    def may_be_large(self, asking: GuardedChannel, request: Any) -> bool:
        """Whether a request may have a large body: each device, and all strangers together, may have few at once."""
        asking.device = self._recognize(request.headers.get("COOKIE", ""))
        large = [
            channel
            for channel in self.active_channels.values()
            if channel.device == asking.device and channel.has_large_body
        ]
        return len(large) < self.limits.large_bodies

    def maintenance(self, _now: float) -> None:
        """Cut the clients that take too long; called about once a second."""
        now_s = monotonic()
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now_s, self.limits):
                channel.cut("takes too long")


def _cut_newest(channels: list[GuardedChannel]) -> None:
    """Cut some of the connections that came last; streams stay."""
    asking = [channel for channel in channels if not channel.is_stream]
    for channel in asking[-1 - len(asking) // CUT_SHARE :]:
        channel.cut("has more connections than others")


def _cut_idlest(channels: list[GuardedChannel]) -> bool:
    """Cut some of the connections that have kept the server waiting longest; streams and busy ones stay."""
    now_s = monotonic()
    waiting = [
        (round(waited_s), channel)
        for channel in channels
        if not channel.is_stream and (waited_s := channel.waited_s(now_s)) is not None
    ]
    waiting.sort(key=lambda entry: (-entry[0], entry[1].creation_time))
    for _, channel in waiting[: 1 + len(channels) // CUT_SHARE]:
        channel.cut("has more connections than others")
    return bool(waiting)
