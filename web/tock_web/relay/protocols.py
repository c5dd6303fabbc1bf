"""uvicorn's protocols with deadlines, and a place at the door that each connection gives back."""

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tock_web.relay.limits import Limits

LEAVE = "leave"
CLOSE_S = 1.0
"""Time that the other end has to say that it closes, too."""
for name in ("uvicorn.error", "uvicorn.access"):
    # Strangers decide what they would log.
    logging.getLogger(name).setLevel(logging.ERROR)


class GuardedHttp(H11Protocol):
    """A connection that has a deadline whenever it is asked for something."""

    _deadline: asyncio.TimerHandle | None = None
    _has_head = False

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._cut_after(self._limits.head_s)

    def data_received(self, data: bytes) -> None:
        """Take in the client's bytes."""
        if self._deadline is None:
            self._cut_after(self._limits.head_s)
        super().data_received(data)
        if not self._has_head and self.cycle is not None and not self.cycle.response_complete:
            self._has_head = True
            self._cut_after(self._limits.request_s)

    def on_response_complete(self) -> None:
        """End the deadline; the next request has its own."""
        self._end_deadline()
        self._has_head = False
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over."""
        self._end_deadline()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._end_deadline()
        super().connection_lost(exc)
        self.app_state[LEAVE](self.transport)

    @property
    def _limits(self) -> Limits:
        limits: Limits = self.app_state["limits"]
        return limits

    def _cut_after(self, wait_s: float) -> None:
        self._end_deadline()
        self._deadline = self.loop.call_later(wait_s, self.transport.abort)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class GuardedSocket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = CLOSE_S

    def handle_text(self, event: Any) -> None:
        """Take text as bytes: the broker judges them, and other bytes than UTF-8 are nothing to log."""
        self.handle_bytes(event)

    async def send(self, message: Any) -> None:
        """Send a message; raises ConnectionError once the line is closed, also by a frame that was none."""
        if self.close_sent:
            raise ConnectionError("the WebSocket is closed")
        await super().send(message)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self.app_state[LEAVE](self.transport)


def noting(protocol: GuardedHttp, sources: dict[asyncio.BaseTransport, str], source: str) -> GuardedHttp:
    """Have a protocol's transport noted with its source as soon as there is one."""
    made = protocol.connection_made

    def connection_made(transport: Any) -> None:
        sources[transport] = source
        made(transport)

    protocol.connection_made = connection_made  # type: ignore[method-assign]
    return protocol
