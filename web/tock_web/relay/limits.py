"""Limits on what one address may ask of a relay: connections at once, requests, bytes, tables and wrong passwords."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network

from tock_companion.allowance import TokenBuckets, Window
from tock_web.limits.bodies import RELAY_BYTES
from tock_web.serving.guard import Limits as LineLimits

MAX_REMEMBERED = 20_000
"""Addresses whose requests are counted; the ones quiet for longest are forgotten first."""
HOME_BITS = (64, 56, 48)
"""Providers give homes networks of one of these sizes."""
LINES = LineLimits(
    # Each is a file of the process, and one more to the broker.
    connections=6_000,
    # Phones of a hall or of a mobile network may share an address.
    connections_per_address=100,
    first_s=10.0,
    # A phone at the edge of its network reads 3 kB/s.
    grace_s=60.0,
    idle_s=15.0,
    # Two hundred far phones that load their page over a slow network.
    unsent_bytes=64_000_000,
    body_bytes=RELAY_BYTES,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a relay."""

    lines: LineLimits = LINES
    """Held by the server's guard."""
    requests: int = 120
    """At once, of one address."""
    requests_per_s: float = 4.0
    """Of new connections half as many: a page and a home keep theirs."""
    tables_per_hour: int = 10
    rooms_per_hour: int = 200
    """New ones: a relay that comes back gets all rooms of a hall again."""
    wrong_passwords: int = 20
    broker_s: float = 10.0
    """Until the first packet of MQTT, which has a name and a password."""
    bytes_at_once: int = 1_000_000
    """From a home and all its guests to the broker."""
    bytes_per_s: float = 100_000.0
    source_share: float = 3.0
    """An address may send this many times as much as a table."""


@lru_cache(MAX_REMEMBERED)
def sources_of(address: str) -> tuple[str, ...]:
    """The sources to count, each with twice the limit before: an address; for IPv6, the networks that homes have."""
    try:
        found = ip_address(address)
    except ValueError:
        return (address,)
    if found.version == 6:
        if found.ipv4_mapped is not None:
            return (str(found.ipv4_mapped),)
        return tuple(str(ip_network((int(found), bits), strict=False)) for bits in HOME_BITS)
    return (address,)


def source_of(address: str) -> str:
    """The narrowest of them."""
    return sources_of(address)[0].partition("/")[0]


class Paces:
    """Requests or connections, of each source."""

    def __init__(self, at_once: int, per_s: float) -> None:
        self._buckets = [
            TokenBuckets(at_once << level, per_s * (1 << level), MAX_REMEMBERED)
            for level in range(len(HOME_BITS))
        ]

    def take(self, address: str) -> bool:
        """Count one; False for one too many."""
        taken = [
            buckets.take(source) for buckets, source in zip(self._buckets, sources_of(address), strict=False)
        ]
        return not any(taken)


class Windows:
    """Attempts within a time, of each source."""

    def __init__(self, each: int, window_s: float) -> None:
        self._windows = [Window(each << level, MAX_REMEMBERED, window_s) for level in range(len(HOME_BITS))]

    def take(self, address: str) -> int:
        """Count an attempt: 0 when it may be made now, else the seconds to wait."""
        taken: list[tuple[Window, str]] = []
        for window, source in zip(self._windows, sources_of(address), strict=False):
            wait_s = window.take(source)
            if wait_s:
                for before, name in taken:
                    before.forgive(name)
                return wait_s
            taken.append((window, source))
        return 0

    def forgive(self, address: str) -> None:
        """Forget the newest attempt."""
        for window, source in zip(self._windows, sources_of(address), strict=False):
            window.forgive(source)


class Guards:
    """Counts new tables, new rooms and wrong passwords; used by all threads that answer."""

    def __init__(self, limits: Limits) -> None:
        hour_s, minutes_s = 3600.0, 300.0
        self.tables = Windows(limits.tables_per_hour, hour_s)
        self.rooms = Windows(limits.rooms_per_hour, hour_s)
        self.passwords = Windows(limits.wrong_passwords, minutes_s)
        """A right one is forgiven."""
