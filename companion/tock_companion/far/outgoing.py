"""All that a home sends into one room: sealed in the order of sending, and views as their changes."""

import logging
import threading
from collections.abc import Callable

from paho.mqtt.client import MQTTMessageInfo

from tock_companion.far.changes import changes
from tock_companion.far.messages import Changes, Down, View, message_bytes
from tock_companion.far.session import Session

LOG = logging.getLogger(__name__)


class Outgoing:
    """The session of a room, for messages from any thread."""

    def __init__(self, send: Callable[[bytes], MQTTMessageInfo | None]) -> None:
        """Begin without a session; `send` gives a frame to the line, None where the line is away."""
        self._send = send
        self._sending = threading.Lock()
        """A frame is sent in the order in which it was sealed."""
        self._session: Session | None = None
        self._last_view: tuple[bytes, View] | None = None
        """The session that carried the last view, and the view."""

    @property
    def session(self) -> Session | None:
        return self._session

    def turn_to(self, session: Session | None) -> None:
        """Go on in another session, or in none."""
        with self._sending:
            self._session = session

    def tell(self, message: Down) -> MQTTMessageInfo | None:
        """Send a message, where there is a session; otherwise the phone asks again in its next one."""
        with self._sending:
            if self._session is None:
                return None
            try:
                frame = self._session.seal(message_bytes(self._shortened(message, self._session)))
            except ValueError:
                LOG.warning("far: an answer is too long for the line")
                self._last_view = None
                return None
            sent = self._send(frame)
            if sent is None:
                # The frame is lost, so the session cannot go on.
                self._session = None
            return sent

    def _shortened(self, message: Down, session: Session) -> Down:
        """A view as its changes since the last one that this session has carried."""
        if not isinstance(message, View):
            return message
        before, self._last_view = self._last_view, (session.id, message)
        if before is None or before[0] != session.id or before[1].boot != message.boot:
            return message
        return Changes(changes(before[1].view, message.view), message.boot)
