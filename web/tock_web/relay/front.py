"""The relay's one port: HTTPS for homes and far phones, and WebSockets that lead to the broker.

A thousand lines of phones and homes are a thousand sockets on one thread; requests are few, and are answered by a
small pool.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from flask import Flask

from tock_companion.mqtt.connection import MAX_PACKET_BYTES
from tock_web.https.certificate_files import Files
from tock_web.https.live_certificate import LiveCertificate
from tock_web.relay.door import Door
from tock_web.relay.limits import Paces, source_of, sources_of
from tock_web.relay.splice import splice
from tock_web.serving.answering import Answering
from tock_web.serving.guard import Guard
from tock_web.serving.http_connection import HTTP
from tock_web.serving.server import HEAD_BYTES, Server, bound
from tock_web.serving.websocket import GuardedSocket
from tock_web.serving.wsgi import Message, Receive, Send

MQTT_PATH = "/mqtt"
ANSWERED_AT_ONCE = 4


class Front:
    """A running relay's port."""

    def __init__(
        self,
        app: Flask,
        door: Door,
        host: str,
        port: int,
        files: Callable[[], Files],
    ) -> None:
        """Bind the port and read the certificate; raises BadInputError where either cannot be used.

        `files` is asked now and then for the certificate, which may have been renewed.
        """
        self._certificate = LiveCertificate(files)
        limits = door.limits
        opened = Paces(limits.requests, limits.requests_per_s / 2)
        self.guard = Guard(limits.lines, sources_of, opened.take)
        self._server = Server(
            "relay-front",
            "serves the relay's port with asyncio, in a process of its own with `web-answer`, four of them",
            bound(host, port, "relay", "--listen"),
            _RelayApp(app, door, self.guard),
            self.guard,
            lambda: self._certificate.context,
            source_of,
            ws=GuardedSocket,
            ws_max_size=MAX_PACKET_BYTES + HEAD_BYTES,
            ws_ping_interval=None,
            ws_per_message_deflate=False,
        )
        self.port = self._server.port

    def start(self) -> None:
        """Begin; returns at once."""
        self._certificate.start()
        self._server.start()

    def stop(self) -> None:
        """End all connections and free the port."""
        self._certificate.stop()
        self._server.stop()


class _RelayApp(Answering):
    """Requests to the Flask app, and WebSockets to the broker; each source has an allowance for both."""

    def __init__(self, app: Flask, door: Door, guard: Guard) -> None:
        limits = door.limits
        self._requests = Paces(limits.requests, limits.requests_per_s)
        super().__init__(lambda: app, guard, may_ask=self._requests.take, at_once=ANSWERED_AT_ONCE)
        self._door = door

    def begin(self) -> None:
        super().begin()
        self._door.begin()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or serve one WebSocket."""
        if scope["type"] != "websocket":
            await super().__call__(scope, receive, send)
        elif scope["path"] == MQTT_PATH and self._requests.take(scope["state"][HTTP].line.address):
            # Cancelled where the relay stops before the line has ended.
            with suppress(asyncio.CancelledError):
                await splice(scope, receive, send, self._door)
        else:
            await receive()
            await send({"type": "websocket.close"})
