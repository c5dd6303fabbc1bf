"""The page's web server, in a thread of the companion's own process, gone within two seconds of `stop`."""

import asyncio
import logging
from time import monotonic
from types import TracebackType
from typing import Any

from flask import Flask

from tock_web.context import CLOSE_STREAMS, EXTENSION, context_of
from tock_web.rights.cookies import secrets_in
from tock_web.serving.answering import Answering, Recognize
from tock_web.serving.guard import Guard, Limits
from tock_web.serving.server import Server, bound

SERVES = "serves the page with asyncio: connections, turns and streams"
MAX_SENT_BYTES = 4096
"""In one message of a WebSocket; clients have nothing to send."""
log = logging.getLogger(__name__)


class PageServer:
    """A running page server; also a context manager that stops it."""

    def __init__(self, app: Flask, host: str, port: int, variable: str = "TOCK_PORT") -> None:
        self._close_streams = app.extensions[CLOSE_STREAMS]
        guard = Guard(app.config.get("LIMITS", Limits()))
        listener = bound(host, port, variable=variable)
        answering = Answering(lambda: app, guard, _recognition(app))
        self._server = Server(
            "page-server",
            SERVES,
            listener,
            answering,
            guard,
            ws=_socket,
            ws_max_size=MAX_SENT_BYTES,
            ws_per_message_deflate=False,
        )
        self.port = self._server.port
        self._is_stopped = False
        self._server.start()
        log.info("page: serving on %s port %d", host, self.port)

    def stop(self) -> None:
        """End all streams, let requests in progress finish, and free the port; harmless when already stopped."""
        if self._is_stopped:
            return
        self._is_stopped = True
        started_s = monotonic()
        self._close_streams()
        self._server.stop()
        log.info("page: stopped after %.2f s", monotonic() - started_s)

    def __enter__(self) -> "PageServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _recognition(app: Flask) -> Recognize:
    """Tells the devices of players and the host from strangers; a club has only strangers."""
    if EXTENSION not in app.extensions:
        return lambda _cookie, _host: None
    host_rights = context_of(app).host_rights
    return lambda cookie, host: host_rights.device_of(secrets_in(cookie, host)) if cookie else None


def _socket(*arguments: Any, **options: Any) -> asyncio.Protocol:
    """Begin a WebSocket; its library is loaded for the first one."""
    from tock_web.serving.websocket import GuardedSocket  # noqa: PLC0415

    return GuardedSocket(*arguments, **options)


def serve(app: Flask, host: str, port: int, variable: str = "TOCK_PORT") -> PageServer:
    """Serve an app made by `create_app`; port 0 takes any free one, reported in `port` of the result.

    Raises BadInputError when the port cannot be used; `variable` is what sets another one.
    """
    return PageServer(app, host, port, variable)
