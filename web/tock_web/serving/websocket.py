"""uvicorn's WebSocket under the guard."""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tock_web.serving.http_connection import HTTP, GuardedHttp

CLOSE_S = 1.0
"""Time that the other end has to say that it closes, too."""


class GuardedSocket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = CLOSE_S
        self._http: GuardedHttp = self.app_state[HTTP]

    def handle_text(self, event: Any) -> None:
        """Take text as bytes: whoever reads them judges them, and other bytes than UTF-8 are nothing to log."""
        self.handle_bytes(event)

    async def send(self, message: Any) -> None:
        """Send a message; raises ConnectionError once the line is closed, also by a frame that was none."""
        if self.close_sent:
            raise ConnectionError("the WebSocket is closed")
        await super().send(message)
        self._http.line.written_bytes += len(message.get("bytes") or message.get("text") or b"")

    def shutdown(self) -> None:
        """Close at once: phones and homes come back."""
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self._http.guard.leave(self._http.line)
