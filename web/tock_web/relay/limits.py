"""Limits on what one address may ask of a relay: connections at once, requests, bytes, tables and wrong passwords."""

from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from tock_companion.allowance import Window
from tock_web.limits.bodies import RELAY_BYTES
from tock_web.serving import guard as serving

MAX_REMEMBERED = 20_000
"""Addresses whose requests are counted; the ones quiet for longest are forgotten first."""
IDLE_S = 15.0
UNSENT_BYTES = 64_000_000
"""Two hundred far phones that load their page over a slow network."""


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
    """For a body or an answer at any speed: a phone at the edge of its network reads 3 kB/s."""
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


def guarded(limits: Limits) -> serving.Limits:
    """The part that the server's guard holds."""
    return serving.Limits(
        connections=limits.connections,
        connections_per_address=limits.connections_per_address,
        first_s=limits.head_s,
        grace_s=limits.request_s,
        idle_s=IDLE_S,
        unsent_bytes=UNSENT_BYTES,
        body_bytes=limits.body_bytes,
    )


class Guards:
    """Counts new tables and wrong passwords; used by all threads that answer."""

    def __init__(self, limits: Limits) -> None:
        hour_s, minutes_s = 3600.0, 300.0
        self._tables = Window(limits.tables_per_hour, 2_000, hour_s)
        self._wrong = Window(limits.wrong_passwords, 2_000, minutes_s)

    def wait_for_table_s(self, source: str) -> int:
        """Take a new table: 0 when it may be had now, else the seconds to wait."""
        return self._tables.take(source)

    def wait_for_password_s(self, source: str) -> int:
        """Take a try at a password, given back by `was_right`."""
        return self._wrong.take(source)

    def was_right(self, source: str) -> None:
        """A password was right: the try does not count."""
        self._wrong.forgive(source)
