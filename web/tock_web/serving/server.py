"""The page's web server: waitress in a thread of the companion's own process, gone within two seconds of `stop`."""

import logging
import socket
from time import monotonic
from types import TracebackType

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from tock_companion.background import Background
from tock_companion.errors import BadInputError
from tock_web.context import CLOSE_STREAMS, EXTENSION, STREAMS, context_of
from tock_web.limits.bodies import PAGE_BYTES
from tock_web.rights.cookies import secrets_in
from tock_web.serving.connections import GuardedChannel, GuardedServer, Limits, Recognize
from tock_web.serving.fair_queue import FairQueue

HEADER_LIMIT_BYTES = 32 * 1024
BUFFER_BYTES = 32 * 1024
"""Output is buffered in pieces of this size; a stream's buffer would otherwise grow to 16 MB, on the disk."""
SERVES = "waitress; its workers build views from the published snapshot"
MAX_IDLE_THREADS = 16
"""Threads of ended streams, kept for phones that reconnect all the time."""
STOP_S = 1.2
"""Grace for requests in progress when the server stops."""

log = logging.getLogger(__name__)
# Phones come and go all evening; logging that helps nobody.
logging.getLogger("waitress").setLevel(logging.WARNING)
# Streams opened in a burst wait a moment while threads are created for them.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class PageServer:
    """A running page server; also a context manager that stops it."""

    def __init__(self, app: Flask, host: str, port: int, variable: str = "TOCK_PORT") -> None:
        self._close_streams = app.extensions[CLOSE_STREAMS]
        self._free_threads = self._threads = int(app.config["THREADS"])
        limits = app.config.get("LIMITS", Limits())
        adjustments = Adjustments(
            sockets=[bound(host, port, variable=variable)],
            # Beyond our own limit, which makes room instead of letting everybody wait.
            connection_limit=2 * limits.connections,
            cleanup_interval=1,
            max_request_header_size=HEADER_LIMIT_BYTES,
            outbuf_high_watermark=BUFFER_BYTES,
            ident=None,
            # Lets a stream notice at once that its phone has gone.
            channel_request_lookahead=1,
            max_request_body_size=PAGE_BYTES,
            clear_untrusted_proxy_headers=True,
            asyncore_use_poll=True,
        )
        workers = ThreadedTaskDispatcher()
        turns: FairQueue[GuardedChannel] = FairQueue(workers.queue_cv)
        workers.queue = turns
        workers.set_thread_count(self._threads)
        self._server = GuardedServer(
            app, turns, limits, _recognition(app), dispatcher=workers, adj=adjustments
        )
        app.extensions[STREAMS].make_room = self._make_room
        self.port = int(self._server.effective_port)
        self._loop = Background("page-server", SERVES, self._server.run)
        self._loop.start()
        log.info("page: serving on %s port %d", host, self.port)

    def _make_room(self, streams: int) -> None:
        """Have a thread for each stream besides those that answer requests, and few more."""
        wanted = streams + self._free_threads
        if wanted > self._threads or wanted + MAX_IDLE_THREADS < self._threads:
            self._threads = max(wanted, min(self._threads, wanted + MAX_IDLE_THREADS))
            self._server.task_dispatcher.set_thread_count(self._threads)

    def stop(self) -> None:
        """End all streams, let requests in progress finish, and free the port; harmless when already stopped."""
        if not self._loop.is_alive:
            return
        started_s = monotonic()
        self._close_streams()
        # Workers first: they wake the main loop through a pipe that must still exist.
        self._server.task_dispatcher.shutdown(timeout=STOP_S)
        self._loop.end()
        self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._server._map, ignore_all=True))
        self._loop.join(STOP_S)
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
        return lambda _cookie: None
    host_rights = context_of(app).host_rights
    return lambda cookie: host_rights.device_of(secrets_in(cookie)) if cookie else None


def bound(host: str, port: int, what: str = "page", variable: str = "TOCK_PORT") -> socket.socket:
    """Bind a socket here, because servers leave threads and files behind when they cannot.

    Raises BadInputError when the port cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A restarted companion need not wait until the old connections expire.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInputError(
            f"{what}: port {port} on {host} cannot be used ({reason}); "
            f"end the program that has it or set {variable} to a free port"
        ) from error
    return listener


def serve(app: Flask, host: str, port: int, variable: str = "TOCK_PORT") -> PageServer:
    """Serve an app made by `create_app`; port 0 takes any free one, reported in `port` of the result.

    Raises BadInputError when the port cannot be used; `variable` is what sets another one.
    """
    return PageServer(app, host, port, variable)
