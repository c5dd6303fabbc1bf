"""The home table's connection to the broker behind a meeting place."""

import ssl
from collections.abc import Callable

from paho.mqtt.client import MQTTMessageInfo

from tock_companion.far.invitations import Account
from tock_companion.far.relay_line import AWAY, HERE, BrokerUser, LastWord, RelayLine


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
        self._home = f"{self.topic}/home"
        self._relay = RelayLine(
            BrokerUser(account.relay, account.table, account.password, account.table),
            trust,
            LastWord(self._home, AWAY, retain=True),
            (f"{self.topic}/+/up", f"{self.topic}/+/gone"),
            received,
            self._reached,
        )
        self.start, self.stop = self._relay.start, self._relay.stop

    @property
    def is_up(self) -> bool:
        """Whether the broker is reached now."""
        return self._relay.is_up

    @property
    def is_refused(self) -> bool:
        """Whether the broker does not let the table in."""
        return self._relay.is_refused

    def send(self, room: str, frame: bytes) -> MQTTMessageInfo | None:
        """Send a frame down into a room; None while the broker is away."""
        return self._relay.publish(f"{self.topic}/{room}/down", frame)

    def _reached(self, is_up: bool) -> None:
        if is_up:
            self._relay.publish(self._home, HERE, retain=True)
        self._changed(is_up)
