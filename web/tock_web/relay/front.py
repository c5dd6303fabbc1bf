"""The relay's one port: HTTPS by uvicorn's protocols, with our own door before them.

Each connection is counted before its handshake, has to say what it wants in seconds, and is cut otherwise. A thousand
lines of phones and homes are a thousand sockets on one thread; requests are few, and are answered by a small pool.
"""

import asyncio
import logging
import socket
import ssl
from asyncio import sslproto
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask
from uvicorn import Config
from uvicorn.server import ServerState

from tock_companion.allowance import Places, TokenBuckets
from tock_companion.background import Background
from tock_companion.errors import BadInputError
from tock_companion.mqtt.connection import MAX_PACKET_BYTES, BrokerAddress
from tock_web.https.certificate_files import Files
from tock_web.relay.limits import MAX_REMEMBERED, Limits, source_of
from tock_web.relay.protocols import LEAVE, GuardedHttp, GuardedSocket, noting
from tock_web.relay.splice import Line, Message, Receive, Send, splice
from tock_web.relay.wsgi import TooLongError, answer, send_whole, whole_body
from tock_web.serving.connections import RESET_ON_CLOSE
from tock_web.serving.security import SEALS
from tock_web.serving.server import bound

LOG = logging.getLogger(__name__)
MQTT_PATH = "/mqtt"
BACKLOG = 512
TLS_BUFFER_BYTES = 32 * 1024
POOL_THREADS = 4
MAX_WAITING = 64
"""Requests that wait for the pool, of all addresses."""
HEAD_BYTES = 16 * 1024
KEEP_ALIVE_S = 15
SHUTDOWN_S = 2.0
END_S = 0.5
LOOK_S = 20.0
"""Interval at which the certificate's file is looked at."""
FULL_S = 1.0
"""Pause where the system has no more files for sockets."""


# A buffer of 256 kB for each line is for servers of large files: ours would be most of the memory of a thousand lines.
sslproto.SSLProtocol.max_size = TLS_BUFFER_BYTES


class Front:
    """A running relay's port."""

    def __init__(
        self,
        app: Flask,
        broker: BrokerAddress,
        host: str,
        port: int,
        files: Callable[[], Files],
        limits: Limits | None = None,
    ) -> None:
        """Bind the port and read the certificate; raises BadInputError where either cannot be used.

        `files` is asked now and then for the certificate, which may have been renewed.
        """
        self._app, self._broker, self._limits, self._files = app, broker, limits or Limits(), files
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.set_alpn_protocols(["http/1.1"])
        self._load()
        self._broker_context = _broker_context(broker)
        self._listener = bound(host, port, "relay", "--listen")
        self._listener.listen(BACKLOG)
        self._listener.setblocking(False)
        self.port = int(self._listener.getsockname()[1])
        self.doors = Places(self._limits.connections, self._limits.connections_per_address)
        self._requests = TokenBuckets(self._limits.requests, self._limits.requests_per_s, MAX_REMEMBERED)
        self._waiting = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool = ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="relay-answer")
        self._background = Background(
            "relay-front", "serves the relay's port with asyncio", self._run, wake=self._end
        )

    def start(self) -> None:
        """Begin; returns at once."""
        self._background.start()

    def stop(self) -> None:
        """End all connections and free the port."""
        self._background.stop(SHUTDOWN_S)
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._listener.close()

    def _end(self) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._main.cancel)

    # Everything below runs on the server's thread.

    def _run(self) -> float:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())
        return 0.0

    async def _serve(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._main, self._loop = task, asyncio.get_running_loop()
        self._sources: dict[asyncio.BaseTransport, str] = {}
        self._openings: set[asyncio.Task[None]] = set()
        served = ServerState()
        keeper = self._loop.create_task(self._keep_certificate())
        try:
            await self._take_in(_config(self._answer), served)
        finally:
            keeper.cancel()
            for opened in list(self._sources):
                opened.abort()  # type: ignore[attr-defined]
            for opening in list(self._openings):
                opening.cancel()
            # They notice that their lines are gone; cancelled, each would leave a traceback in the log.
            if served.tasks:
                await asyncio.wait(served.tasks, timeout=END_S)

    async def _take_in(self, config: Config, served: ServerState) -> None:
        """Take in connections, as far as the door lets them, until it is cancelled."""
        loop, app_state = asyncio.get_running_loop(), {"limits": self._limits, LEAVE: self._leave}
        while True:
            try:
                line, peer = await loop.sock_accept(self._listener)
            except OSError as error:
                LOG.warning("no connection can be taken in (%s); it is tried again", error.strerror)
                await asyncio.sleep(FULL_S)
                continue
            source = source_of(str(peer[0]))
            if not self.doors.enter(source):
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
                line.close()
                continue
            opening = loop.create_task(self._open(line, source, config, served, app_state))
            self._openings.add(opening)
            opening.add_done_callback(self._openings.discard)

    async def _open(
        self, line: socket.socket, source: str, config: Config, served: ServerState, app_state: dict[str, Any]
    ) -> None:
        loop = asyncio.get_running_loop()
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            await loop.connect_accepted_socket(
                lambda: noting(GuardedHttp(config, served, app_state), self._sources, source),
                line,
                ssl=self._context,
                ssl_handshake_timeout=self._limits.head_s,
                ssl_shutdown_timeout=SHUTDOWN_S,
            )
        except (OSError, ssl.SSLError):
            # Its handshake failed, or took too long.
            line.close()
            self.doors.leave(source)
        except asyncio.CancelledError:
            line.close()
            raise

    def _leave(self, transport: asyncio.BaseTransport) -> None:
        source = self._sources.pop(transport, None)
        if source is not None:
            self.doors.leave(source)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        source = source_of((scope["client"] or ("", 0))[0])
        if scope["type"] == "websocket":
            if scope["path"] != MQTT_PATH or self._requests.take(source) > 0:
                await receive()
                await send({"type": "websocket.close"})
                return
            await splice(scope, receive, send, self._connect, self._limits)
            return
        with suppress(OSError):
            await self._answer_request(scope, receive, send, source)

    async def _answer_request(self, scope: Message, receive: Receive, send: Send, source: str) -> None:
        if self._requests.take(source) > 0:
            await _refuse(send, 429)
            return
        try:
            body = await whole_body(receive, self._limits.body_bytes)
        except TooLongError:
            await _refuse(send, 413)
            return
        if self._waiting >= MAX_WAITING:
            await _refuse(send, 503)
            return
        self._waiting += 1
        try:
            await answer(self._app, scope, body, source, send, self._pool)
        finally:
            self._waiting -= 1

    async def _connect(self) -> Line:
        return await asyncio.open_connection(
            self._broker.host,
            self._broker.port,
            ssl=self._broker_context,
            server_hostname=self._broker.host if self._broker_context is not None else None,
        )

    def _load(self) -> None:
        """Use the certificate for the connections from now on."""
        files = self._files()
        stamp = _stamp(files.certificate)
        try:
            self._context.load_cert_chain(files.certificate, files.key)
        except (OSError, ssl.SSLError) as error:
            raise BadInputError(f"certificate {files.certificate} cannot be used: {error}") from None
        self._loaded = stamp

    async def _keep_certificate(self) -> None:
        failed = None
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                stamp = _stamp(self._files().certificate)
                if stamp not in (self._loaded, failed):
                    self._load()
                    LOG.info("the certificate has been renewed")
            except (BadInputError, OSError) as error:
                # Once for each change: a tool may write the certificate before the key.
                if stamp != failed:
                    LOG.warning("%s; the one before is used on", error)
                failed = stamp


def _config(app: Callable[[Message, Receive, Send], Awaitable[None]]) -> Config:
    config = Config(
        app,
        http=GuardedHttp,
        ws=GuardedSocket,
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        h11_max_incomplete_event_size=HEAD_BYTES,
        ws_max_size=MAX_PACKET_BYTES + HEAD_BYTES,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
    )
    config.load()
    return config


async def _refuse(send: Send, status: int) -> None:
    headers = [*SEALS, ("Content-Length", "0"), ("Connection", "close"), ("Retry-After", "5")]
    await send_whole(send, status, headers, b"")


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns


def _broker_context(broker: BrokerAddress) -> ssl.SSLContext | None:
    if not broker.ca:
        return None
    try:
        return ssl.create_default_context(cafile=broker.ca)
    except (OSError, ssl.SSLError) as error:
        raise BadInputError(f"{broker.ca} holds no certificate ({error})") from None
