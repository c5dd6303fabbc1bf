"""A guest's connection to the broker behind a relay."""

import secrets
import ssl
from collections.abc import Callable

from tock_companion.far.line import HERE, relay_broker
from tock_companion.far.link import FarLink, RoomKeys
from tock_companion.mqtt.connection import BrokerConnection


class BrokerLine:
    """Carries the frames of one room."""

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
