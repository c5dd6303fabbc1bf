"""The one HTTP server, for the page, the camera's page and the relay: uvicorn's protocols on a loop in a thread.

Connections are accepted here, so that the guard knows each of them before its handshake.
"""

import asyncio
import logging
import socket
import ssl
import sys
from asyncio import sslproto
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from uvicorn import Config
from uvicorn.server import ServerState

from tock_companion.background import Background
from tock_companion.errors import BadInputError
from tock_companion.operating_system import share_address
from tock_web.serving.guard import RESET_ON_CLOSE, Connection, Guard
from tock_web.serving.http_connection import GuardedHttp
from tock_web.serving.wsgi import Message, Receive, Send

BACKLOG = 512
HEAD_BYTES = 32 * 1024
TLS_BUFFER_BYTES = 32 * 1024
HANDSHAKE_S = 5.0
SWEEP_S = 1.0
ACCEPTED_AT_ONCE = 32
FULL_S = 1.0
"""Pause where the system has no more files for sockets."""
STOP_S = 1.2
"""Grace for requests in progress when the server stops."""
END_S = 0.3
"""Time for clients to read their last answers then."""
THREAD_TURN_S = 0.001
"""By default the loop would wait 5 ms for each busy thread before it serves a connection."""

log = logging.getLogger(__name__)
# A buffer of 256 kB for each line is for servers of large files: ours would be most of the memory of a thousand lines.
sslproto.SSLProtocol.max_size = TLS_BUFFER_BYTES


class Application(Protocol):
    """An ASGI app with a beginning and an end."""

    def begin(self) -> None:
        """Begin on the loop that is running now."""

    def close(self) -> None:
        """Begin nothing more."""

    def __call__(self, scope: Message, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer one request."""


class Server:
    """A running server of one app on one port."""

    def __init__(
        self,
        name: str,
        does: str,
        listener: socket.socket,
        app: Application,
        guard: Guard,
        context: Callable[[], ssl.SSLContext | None] = lambda: None,
        source: Callable[[str], str] = str,
        **options: object,
    ) -> None:
        """`context` is asked for each connection, `source` names the one who is counted behind an address.

        `options` are those of uvicorn.
        """
        self.guard, self._app, self._listener = guard, app, listener
        self._context, self._source, self._options = context, source, options
        listener.listen(BACKLOG)
        listener.setblocking(False)
        self.port = int(listener.getsockname()[1])
        self._loop: asyncio.AbstractEventLoop | None = None
        self._background = Background(name, does, self._run, wake=self._end, close=listener.close)

    def start(self) -> None:
        """Begin to serve; returns at once."""
        sys.setswitchinterval(THREAD_TURN_S)
        self._background.start()

    def stop(self) -> None:
        """Let requests in progress finish, end all connections and free the port; harmless when already stopped."""
        self._background.stop(STOP_S + 2 * END_S)
        self._listener.close()
        self._app.close()

    def _end(self) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._main.cancel)

    # Everything below runs on the server's thread.

    def _run(self) -> float:
        # The usual loop of Windows does not tell when a connection waits.
        running = asyncio.Runner(loop_factory=asyncio.SelectorEventLoop)
        with running as runner, suppress(asyncio.CancelledError):
            runner.run(self._serve())
        return 0.0

    async def _serve(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._main = task
        loop = self._loop = asyncio.get_running_loop()
        if self._background.is_stopping:
            return
        self._app.begin()
        self._config, self._served = _config(self._app, self.guard, self._options), ServerState()
        self._openings: set[asyncio.Task[None]] = set()
        loop.add_reader(self._listener, self._take_in)
        try:
            while True:
                await asyncio.sleep(SWEEP_S)
                self.guard.sweep()
        finally:
            loop.remove_reader(self._listener)
            if self._background.is_stopping:
                self._listener.close()
            for opening in self._openings:
                opening.cancel()
            await _let_go(self._served)
            self.guard.end()
            # They notice that their lines are gone; cancelled, each would leave a traceback in the log.
            if self._served.tasks:
                await asyncio.wait(self._served.tasks, timeout=END_S)

    def _take_in(self) -> None:
        """Take in the connections that wait, a few at a time: the others have their turn too."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                line, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                log.warning("no connection can be taken in (%s); it is tried again", error.strerror)
                loop = asyncio.get_running_loop()
                loop.remove_reader(self._listener)
                loop.call_later(FULL_S, self._listen_again)
                return
            self._admit(line, str(peer[0]))

    def _listen_again(self) -> None:
        if self._listener.fileno() >= 0:
            asyncio.get_running_loop().add_reader(self._listener, self._take_in)

    def _admit(self, line: socket.socket, address: str) -> None:
        connection = Connection(line, self._source(address))
        if not self.guard.admit(connection):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            line.close()
            return
        line.setblocking(False)
        opening = asyncio.get_running_loop().create_task(self._open(line, connection))
        self._openings.add(opening)
        opening.add_done_callback(self._openings.discard)
        # Also where it was cancelled before its first step.
        opening.add_done_callback(lambda task: line.close() if task.cancelled() else None)

    async def _open(self, line: socket.socket, connection: Connection) -> None:
        loop, context = asyncio.get_running_loop(), self._context()
        handshake_s = None if context is None else min(HANDSHAKE_S, self.guard.limits.first_s)
        try:
            await loop.connect_accepted_socket(
                lambda: GuardedHttp(self._config, self._served, self.guard, connection),
                line,
                ssl=context,
                ssl_handshake_timeout=handshake_s,
                ssl_shutdown_timeout=None if context is None else END_S,
            )
        except (OSError, ssl.SSLError):
            # Its handshake failed, or took too long.
            line.close()
            self.guard.leave(connection)


async def _let_go(served: ServerState) -> None:
    """Let requests in progress finish, and clients read their answers."""
    for each in list(served.connections):
        each.shutdown()
    if served.tasks:
        await asyncio.wait(served.tasks, timeout=STOP_S)
    end_s = asyncio.get_running_loop().time() + END_S
    while served.connections and asyncio.get_running_loop().time() < end_s:
        await asyncio.sleep(END_S / 10)


def _config(app: Application, guard: Guard, options: dict[str, object]) -> Config:
    config = Config(
        app,
        **{  # type: ignore[arg-type]
            "http": GuardedHttp,
            "ws": "none",
            "lifespan": "off",
            "interface": "asgi3",
            "log_config": None,
            "access_log": False,
            "proxy_headers": False,
            "timeout_keep_alive": guard.limits.idle_s,
            "h11_max_incomplete_event_size": HEAD_BYTES,
            **options,
        },
    )
    config.load()
    return config


def bound(host: str, port: int, what: str = "page", variable: str = "TOCK_PORT") -> socket.socket:
    """Bind a socket here, because servers leave threads and files behind when they cannot.

    Raises BadInputError when the port cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        share_address(listener)
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInputError(
            f"{what}: port {port} on {host} cannot be used ({reason}); "
            f"end the program that has it or set {variable} to a free port"
        ) from error
    return listener
