"""Decides whose request is answered next: clients take turns, so that a flood delays only its sender.

Replaces the first-come queue of waitress's dispatcher, which calls it while holding its lock.
"""

from collections import Counter, OrderedDict, deque
from threading import Condition
from typing import Generic, Protocol, TypeVar

AT_ONCE_PER_CLIENT = 3
STRANGERS_AT_ONCE = 6
"""With eight seats, a host and these, there is a worker for every known device."""


class Asking(Protocol):
    """A connection with a request."""

    addr: tuple[str, int]
    device: str | None


Connection = TypeVar("Connection", bound=Asking)


class _Round(Generic[Connection]):
    """Clients waiting for their turn, each with its connections, and the number of them being served."""

    def __init__(self, at_once: int | None) -> None:
        self._at_once = at_once
        self._waiting: OrderedDict[str, deque[Connection]] = OrderedDict()
        self._served: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def append(self, client: str, connection: Connection) -> None:
        self._waiting.setdefault(client, deque()).append(connection)

    def next(self) -> str | None:
        """The client whose turn it is; None when all who wait have their share."""
        if self._at_once is not None and self._served.total() >= self._at_once:
            return None
        return next((who for who in self._waiting if self._served[who] < AT_ONCE_PER_CLIENT), None)

    def begin(self, client: str) -> Connection:
        """Queue a connection of the client, which is last in the next round."""
        self._served[client] += 1
        connections = self._waiting.pop(client)
        connection = connections.popleft()
        if connections:
            self._waiting[client] = connections
        return connection

    def end(self, client: str) -> None:
        self._served[client] -= 1
        if not self._served[client]:
            del self._served[client]


class FairQueue(Generic[Connection]):
    """Known devices and strangers take turns, and so do the clients within each of the two groups.

    A stranger's client is its address. Strangers cannot take all workers, however many addresses they use.
    """

    def __init__(self, news: Condition) -> None:
        """Idle workers wait for `news`."""
        self._news = news
        self._known: _Round[Connection] = _Round(None)
        self._strangers: _Round[Connection] = _Round(STRANGERS_AT_ONCE)
        self._first, self._second = self._known, self._strangers
        self._served: dict[Connection, tuple[_Round[Connection], str]] = {}

    def __len__(self) -> int:
        """Number of waiting connections."""
        return len(self._known) + len(self._strangers)

    def __bool__(self) -> bool:
        """Whether a worker has something to do now."""
        return self._known.next() is not None or self._strangers.next() is not None

    def append(self, connection: Connection) -> None:
        """Queue a connection for its turn."""
        if connection.device is not None:
            self._known.append(connection.device, connection)
        else:
            self._strangers.append(connection.addr[0], connection)

    def popleft(self) -> Connection:
        """Begin the next turn; raises IndexError when there is none."""
        for group in (self._first, self._second):
            client = group.next()
            if client is not None:
                connection = group.begin(client)
                self._served[connection] = (group, client)
                if group is self._first:
                    self._first, self._second = self._second, self._first
                return connection
        raise IndexError("nobody waits for a turn")

    def end(self, connection: Connection) -> None:
        """End a turn, if it has not ended yet; not to be called while holding the lock."""
        with self._news:
            served = self._served.pop(connection, None)
            if served is not None:
                group, client = served
                group.end(client)
                self._news.notify()
