"""The connections of a home table and of a guest to the broker behind a relay."""

import secrets
import ssl
from collections.abc import Callable
from urllib.parse import urlsplit

from paho.mqtt.client import MQTTMessageInfo

from tock_companion.far.invitations import Account
from tock_companion.far.link import FarLink, RoomKeys
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


class BrokerLine:
    """Carries the frames of one room, for a guest."""

    def __init__(
        self,
        link: FarLink,
        keys: RoomKeys,
        trust: ssl.SSLContext | None,
        received: Callable[[bytes], None],
        changed: Callable[[bool], None],
    ) -> None:
        """Prepare to connect; `changed` gets whether home can be reached now."""
        self._received, self._changed = received, changed
        self._topic = f"far/{link.table}/{keys.room}"
        self._home = f"far/{link.table}/home"
        self._gone = (f"{self._topic}/gone", "")
        self._connection = BrokerConnection(
            relay_broker(link.relay, keys.room, keys.broker_password),
            f"board-{secrets.token_hex(8)}",
            self._reached,
            self._message,
            self._gone,
            on_down=lambda: changed(False),
            keeps_will=False,
            tls=trust,
        )
        self.start = self._connection.start

    def stop(self) -> None:
        """Tell home, and disconnect."""
        self._connection.stop(self._gone, retain=False)

    def send(self, frame: bytes) -> bool:
        """Send a frame up; False while the broker is away."""
        return self._connection.send(f"{self._topic}/up", frame) is not None

    def _reached(self) -> None:
        self._connection.subscribe(f"{self._topic}/down", self._home)
        self._changed(True)

    def _message(self, topic: str, payload: bytes) -> None:
        if topic.endswith("/down"):
            self._received(payload)
        elif payload == HERE.encode():
            # A home that comes back knows no session of before.
            self._changed(True)
