"""Limits on what one address may ask of a relay: connections at once, requests, bytes, tables and wrong passwords."""

from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from tock_companion.allowance import Window
from tock_web.limits.bodies import RELAY_BYTES
from tock_web.serving.guard import Limits as LineLimits

MAX_REMEMBERED = 20_000
"""Addresses whose requests are counted; the ones quiet for longest are forgotten first."""
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
    tables_per_hour: int = 10
    wrong_passwords: int = 20
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
