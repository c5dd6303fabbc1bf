"""The guard of a server's connections: no client slows another down, and none holds resources that it does not use.

Used on the server's loop alone. A connection is counted from the moment the kernel hands it over, before any handshake.
Whoever keeps the server waiting for too long is cut; at the limit the idlest connections of the greediest address make
room for the next. Streams stay, since they have limits elsewhere; a WebSocket may be named idle.
"""

import asyncio
import logging
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from time import monotonic

from tock_companion.operating_system import UNANSWERED
from tock_web.limits.bodies import PAGE_BYTES

log = logging.getLogger(__name__)

SEND_BUFFER_BYTES = 32 * 1024
"""The kernel's buffer for a client that does not read; by default it takes megabytes for each."""
UNANSWERED_MS = 30_000
"""Three heartbeats that the network of a client has not confirmed: its phone is off or far, and holds no seat."""
CUT_SHARE = 40
"""Making room scans all connections, so a fortieth of them is cut at once."""
DRAIN_S = 5.0
"""Time for the rest of a refused body: closing earlier would reset the connection and lose the answer."""
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one client's share of the server, and on its time."""

    connections: int = 800
    """Browsers keep several connections open; idle ones cost nothing but must not shut others out."""
    connections_per_address: int = 500
    first_s: float = 60.0
    """Until the head of the first request has arrived, handshake included."""
    grace_s: float = 10.0
    """Seconds that a request or an answer may take at any speed."""
    slowest_bytes_per_s: float = 4096.0
    """Beyond the grace, a slower client is not on bad Wi-Fi but hostile or gone."""
    idle_s: float = 60.0
    unsent_bytes: int = 3_000_000
    """Unread answers of all clients together."""
    body_bytes: int = PAGE_BYTES
    large_bodies: int = 2
    """Bodies over `JSON_BYTES` received at the same time from one device, or from all strangers."""


class Phase(Enum):
    """The event that ends the present state of a connection."""

    IDLE = "a request"
    RECEIVING = "the rest of a request"
    ANSWERING = "our own answer"
    READING = "the client's reading"
    DRAINING = "the end of a refused body"


class Connection:
    """One client's connection, which measures how long the server has been waiting for it."""

    def __init__(self, line: socket.socket, address: str) -> None:
        self._line, self.address = line, address
        self.transport: asyncio.Transport | None = None
        """None during the handshake."""
        self.device: str | None = None
        """The device whose request is being answered, None for a stranger's."""
        self.is_stream = self.has_asked = self.has_large_body = self.is_gone = False
        self.is_idle: Callable[[], bool] | None = None
        """Whether a stream is cut before others of its source to make room; None for one that stays."""
        self.received_bytes = self.written_bytes = 0
        self.on_gone: Callable[[], None] = lambda: None
        """Called when the connection has ended, for whoever works for it."""
        self.opened_s = self._since_s = monotonic()
        self._phase = self._seen = Phase.IDLE
        self._moved_before = 0
        with suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            # Otherwise the kernel goes on sending for a quarter of an hour.
            if UNANSWERED is not None:
                line.setsockopt(socket.IPPROTO_TCP, UNANSWERED, UNANSWERED_MS)

    @property
    def unread_bytes(self) -> int:
        """The part of the answers that the client has not read and the kernel has not taken."""
        try:
            return 0 if self.transport is None else self.transport.get_write_buffer_size()
        except AttributeError:
            # asyncio's TLS transport has ended, and has let go of its protocol.
            return 0

    @property
    def phase(self) -> Phase:
        """The present state."""
        if self._phase is not Phase.DRAINING and self.unread_bytes:
            return Phase.READING
        return self._phase

    def enter(self, phase: Phase) -> None:
        """Begin to wait for something else."""
        self._phase = phase
        self._begin(self.phase, monotonic())

    def begin_request(self) -> None:
        """Note that a request begins, unless one is under way."""
        if self._phase is Phase.IDLE:
            self.enter(Phase.RECEIVING)

    def waited_s(self, now_s: float) -> float | None:
        """The seconds for which the server has waited for the client; None while it is busy."""
        phase = self.phase
        if phase is not self._seen:
            self._begin(phase, now_s)
        return None if phase is Phase.ANSWERING else now_s - self._since_s

    def is_overdue(self, now_s: float, limits: Limits) -> bool:
        """Whether its client exceeds a limit on time."""
        waited_s = self.waited_s(now_s)
        if waited_s is None:
            return False
        if not self.has_asked and now_s - self.opened_s > limits.first_s:
            return True
        match self.phase:
            case Phase.IDLE:
                return not self.is_stream and waited_s > limits.idle_s
            case Phase.DRAINING:
                return waited_s > DRAIN_S
        over_s = waited_s - limits.grace_s
        return over_s > 0 and self._moved_bytes < over_s * limits.slowest_bytes_per_s

    def cut(self, why: str) -> None:
        """Reset the connection and drop its unread data."""
        log.debug("%s %s: cut", self.address, why)
        with suppress(OSError):
            self._line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            if self.transport is None:
                # Ends the handshake.
                self._line.shutdown(socket.SHUT_RDWR)
        if self.transport is not None:
            self.transport.abort()

    def _begin(self, phase: Phase, now_s: float) -> None:
        self._seen, self._since_s, self._moved_before = phase, now_s, 0
        self._moved_before = self._moved_bytes

    @property
    def _moved_bytes(self) -> int:
        """Bytes moved since the server began to wait; bytes that only the kernel took at once do not count."""
        moved = self.written_bytes - self.unread_bytes if self._seen is Phase.READING else self.received_bytes
        return moved - self._moved_before


class Guard:
    """Keeps the connections of one server within limits."""

    def __init__(
        self,
        limits: Limits,
        sources: Callable[[str], Sequence[str]] = lambda address: (address,),
        may_open: Callable[[str], bool] = lambda _address: True,
    ) -> None:
        """`sources` names the address and the networks around it, each of which may have twice the one before.

        `may_open` counts the new connections of an address, since handshakes cost the most.
        """
        self.limits, self._sources, self._may_open = limits, sources, may_open
        self._open: dict[Connection, None] = {}
        """In the order in which they were opened."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, newcomer: Connection) -> bool:
        """Take a connection in, at the cost of others where there are too many; False where none can be cut."""
        if not (self._may_open(newcomer.address) and self._has_room(newcomer.address)):
            return False
        self._open[newcomer] = None
        return True

    def leave(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        self._open.pop(connection, None)
        if not connection.is_gone:
            connection.is_gone = True
            connection.on_gone()

    def end(self) -> None:
        """Cut everything: the server stops."""
        self._cut(list(self._open), "the server stops")

    def may_be_large(self, asking: Connection) -> bool:
        """Whether a request may have a large body: each device, and all strangers together, may have few at once."""
        large = [other for other in self._open if other.has_large_body and other.device == asking.device]
        return len(large) < self.limits.large_bodies

    def keep_unread_bounded(self) -> None:
        """Cut the address with most unread data while all together have too much: answers take memory until read."""
        of_address: Counter[str] = Counter()
        for connection in self._open:
            of_address[connection.address] += connection.unread_bytes
        if of_address.total() > self.limits.unsent_bytes:
            (worst, _), *_ = of_address.most_common(1)
            greedy = [each for each in self._open if each.address == worst and each.unread_bytes]
            self._cut(greedy, "leaves too much unread")

    def sweep(self) -> None:
        """Cut the clients that take too long; called about once a second."""
        now_s = monotonic()
        self._cut([each for each in self._open if each.is_overdue(now_s, self.limits)], "takes too long")
        self.keep_unread_bounded()

    def _has_room(self, newcomer: str) -> bool:
        counts = Counter(source for each in self._open for source in self._sources(each.address))
        own, most = self._sources(newcomer), self.limits.connections_per_address
        full = [source for level, source in enumerate(own) if counts[source] >= most << level]
        if full:
            sources = full[:1]
        elif len(self._open) >= self.limits.connections:
            sources = [source for source, _ in counts.most_common()]
        else:
            return True
        for source in sources:
            lines = [each for each in self._open if source in self._sources(each.address)]
            is_greedier = counts[source] > counts[own[-1]] + 1
            if self._cut_idlest(lines) or self._cut_streams(lines, only_idle=not is_greedier):
                return True
        # No client keeps us waiting: a crowd sends requests faster than they are answered.
        greedy = [each for each in self._open if sources[0] in self._sources(each.address)]
        asking = [each for each in greedy if not each.is_stream]
        self._cut(asking[-1 - len(asking) // CUT_SHARE :], "has more connections than others")
        return bool(asking)

    def _cut_idlest(self, connections: list[Connection]) -> bool:
        """Cut some of the connections that have kept the server waiting longest; streams and busy ones stay."""
        now_s = monotonic()
        waiting = [
            (-round(waited_s), each.opened_s, each)
            for each in connections
            if not each.is_stream and (waited_s := each.waited_s(now_s)) is not None
        ]
        waiting.sort(key=lambda entry: entry[:2])
        idlest = [each for *_, each in waiting[: 1 + len(connections) // CUT_SHARE]]
        self._cut(idlest, "has more connections than others")
        return bool(idlest)

    def _cut_streams(self, connections: list[Connection], *, only_idle: bool) -> bool:
        """Cut some of the streams that make room for others: first the idle ones, then the newest."""
        streams = [(each.is_idle(), each) for each in connections if each.is_idle is not None]
        idle = [each for is_idle, each in streams if is_idle]
        others = [] if only_idle else [each for is_idle, each in reversed(streams) if not is_idle]
        cut = [*idle, *others][: 1 + len(streams) // CUT_SHARE]
        self._cut(cut, "makes room for others")
        return bool(cut)

    def _cut(self, connections: Iterable[Connection], why: str) -> None:
        for connection in connections:
            connection.cut(why)
            self.leave(connection)
