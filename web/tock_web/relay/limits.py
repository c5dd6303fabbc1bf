"""Limits on what one address may ask of a relay: connections at once, requests, bytes, tables and wrong passwords."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from time import monotonic

from tock_web.limits.bodies import RELAY_BYTES
from tock_web.limits.rate_limit import Attempts

MAX_REMEMBERED = 20_000
"""Addresses whose requests are counted at a time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a relay."""

    connections: int = 6_000
    """Of all together: each is a file of the process, and one more to the broker."""
    connections_per_address: int = 100
    """Phones of a hall or of a mobile network may share an address."""
    requests: int = 120
    """At once, of one address."""
    requests_per_s: float = 4.0
    tables_per_hour: int = 10
    wrong_passwords: int = 20
    head_s: float = 10.0
    """Until a connection has sent the head of its first request, with the handshake of TLS."""
    request_s: float = 60.0
    """From the head to the end of the answer: a phone at the edge of its network reads 3 kB/s."""
    body_bytes: int = RELAY_BYTES
    broker_s: float = 10.0
    """Until the broker has answered an MQTT connection for the first time: it was given a name and a password."""
    bytes_at_once: int = 1_000_000
    """From one connection to the broker."""
    bytes_per_s: float = 100_000.0


def source_of(address: str) -> str:
    """The one who is counted: an address, of IPv6 the network that a home has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 6:
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((int(found), 64), strict=False).network_address)
    return address


class Doors:
    """Counts the connections of each address; used by the server's thread alone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self.total = 0

    def enter(self, source: str) -> bool:
        """Let one more connection in; False where there are too many."""
        limits = self._limits
        if self.total >= limits.connections or self._open[source] >= limits.connections_per_address:
            return False
        self._open[source] += 1
        self.total += 1
        return True

    def leave(self, source: str) -> None:
        """Note that a connection has ended."""
        self.total -= 1
        self._open[source] -= 1
        if self._open[source] <= 0:
            del self._open[source]


class Bucket:
    """An allowance that fills up with time."""

    __slots__ = ("_at_s", "_left", "_most", "_per_s")

    def __init__(self, most: float, per_s: float, now_s: float) -> None:
        self._most, self._per_s = most, per_s
        self._left, self._at_s = most, now_s

    def spend(self, amount: float, now_s: float) -> float:
        """Take an amount at once; the seconds to wait until it would have been there."""
        self._left = min(self._most, self._left + (now_s - self._at_s) * self._per_s) - amount
        self._at_s = now_s
        return max(0.0, -self._left / self._per_s)

    def has(self, amount: float, now_s: float) -> bool:
        """Take an amount where it is there."""
        self._left = min(self._most, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        if self._left < amount:
            return False
        self._left -= amount
        return True


class Requests:
    """Counts the requests of each address; used by the server's thread alone."""

    def __init__(self, limits: Limits, clock_s: Callable[[], float] = monotonic) -> None:
        self._limits, self._clock_s = limits, clock_s
        self._buckets: dict[str, Bucket] = {}

    def may(self, source: str) -> bool:
        """Whether an address may ask once more."""
        now_s = self._clock_s()
        bucket = self._buckets.pop(source, None)
        if bucket is None:
            bucket = Bucket(self._limits.requests, self._limits.requests_per_s, now_s)
            if len(self._buckets) >= MAX_REMEMBERED:
                del self._buckets[next(iter(self._buckets))]
        # Last in the dictionary is the one that asked last; the first is forgotten first.
        self._buckets[source] = bucket
        return bucket.has(1, now_s)


class Guards:
    """Counts new tables and wrong passwords; used by all threads that answer."""

    def __init__(self, limits: Limits) -> None:
        hour_s, minutes_s = 3600.0, 300.0
        self._tables = Attempts(limits.tables_per_hour, 2_000, hour_s)
        self._wrong = Attempts(limits.wrong_passwords, 2_000, minutes_s)

    def wait_for_table_s(self, source: str) -> int:
        """Take a new table: 0 when it may be had now, else the seconds to wait."""
        return self._tables.take(source)

    def wait_for_password_s(self, source: str) -> int:
        """Take a try at a password, given back by `was_right`."""
        return self._wrong.take(source)

    def was_right(self, source: str) -> None:
        """A password was right: the try does not count."""
        self._wrong.forgive(source)
