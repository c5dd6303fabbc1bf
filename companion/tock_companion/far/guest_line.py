"""A guest's connection to the broker behind a meeting place."""

import secrets
import ssl
from collections.abc import Callable

from tock_companion.far.link import FarLink, RoomKeys
from tock_companion.far.relay_line import HERE, BrokerUser, LastWord, RelayLine


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
        self._relay = RelayLine(
            BrokerUser(link.relay, keys.room, keys.broker_password, f"board-{secrets.token_hex(8)}"),
            trust,
            LastWord(f"{self._topic}/gone", b""),
            (f"{self._topic}/down", f"far/{link.table}/home"),
            self._message,
            changed,
        )
        self.start, self.stop = self._relay.start, self._relay.stop

    def send(self, frame: bytes) -> bool:
        """Send a frame up; False while the broker is away."""
        return self._relay.publish(f"{self._topic}/up", frame) is not None

    def _message(self, topic: str, payload: bytes) -> None:
        if topic.endswith("/down"):
            self._received(payload)
        elif payload == HERE:
            # A home that comes back knows no session of before.
            self._changed(True)
