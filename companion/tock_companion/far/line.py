"""The home table's connection to the broker behind a relay."""

import ssl
from collections.abc import Callable
from urllib.parse import urlsplit

from paho.mqtt.client import MQTTMessageInfo

from tock_companion.far.invitations import Account
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection

PATH = "/mqtt"
HTTPS_PORT, HTTP_PORT = 443, 80
HERE, AWAY = "here", "away"


def relay_broker(relay: str, user: str, password: str) -> BrokerAddress:
    """The address of the broker behind a relay, on the relay's own port."""
    address = urlsplit(relay)
    port = address.port or (HTTPS_PORT if address.scheme == "https" else HTTP_PORT)
    return BrokerAddress(address.hostname or "", port, user, password, path=PATH)


class Line:
    """Carries frames of all rooms of a table."""

    def __init__(
        self,
        account: Account,
        trust: ssl.SSLContext | None,
        received: Callable[[str, bytes], None],
        changed: Callable[[bool], None],
    ) -> None:
        """Prepare to connect; `received` gets topic and bytes, `changed` whether the broker is reached."""
        self._changed = changed
        self.topic = f"far/{account.table}"
        self._away = (f"{self.topic}/home", AWAY)
        self._connection = BrokerConnection(
            relay_broker(account.relay, account.table, account.password),
            account.table,
            self._reached,
            received,
            self._away,
            on_down=lambda: changed(False),
            tls=trust,
        )
        self.start = self._connection.start

    def stop(self) -> None:
        """Tell the guests, and disconnect."""
        self._connection.stop(self._away)

    @property
    def is_up(self) -> bool:
        return self._connection.up

    @property
    def is_refused(self) -> bool:
        return self._connection.is_refused

    def send(self, room: str, frame: bytes) -> MQTTMessageInfo | None:
        """Send a frame down into a room; None while the broker is away."""
        return self._connection.send(f"{self.topic}/{room}/down", frame)

    def _reached(self) -> None:
        self._connection.subscribe(f"{self.topic}/+/up", f"{self.topic}/+/gone")
        self._connection.publish(self._away[0], HERE)
        self._changed(True)
