"""HTTPS for the page of cameras, apart from the page; what speaks it is loaded when the first phone calls.

The port is bound and the certificate read at the start, so that a fault is found then. Tables whose cameras are no
phones never load cheroot, nor start its threads.
"""

import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from threading import Lock
from typing import TYPE_CHECKING

from flask import Flask

from tock_companion.background import Background
from tock_companion.errors import BadInputError
from tock_web.https.certificate_files import Files
from tock_web.serving.server import bound

if TYPE_CHECKING:
    from cheroot.wsgi import Server

BACKLOG = 128
"""Connections that the kernel keeps for us until we take them in."""
SERVES = "waits for the first phone that is a camera, then serves HTTPS by cheroot"
RENEW_S = 60.0
"""Interval at which the certificate is compared with the names and addresses of the machine."""
log = logging.getLogger(__name__)


class TlsServer:
    """A running server of an app over HTTPS; also looks after its certificate."""

    def __init__(
        self, make_app: Callable[[], Flask], host: str, port: int, certificate: Callable[[], Files]
    ) -> None:
        """Serve from now on; `make_app` is called once, `certificate` is asked now and then whether there is another.

        Raises BadInputError when the port or the certificate cannot be used.
        """
        self._make_app, self._certificate, self._files = make_app, certificate, certificate()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._load()
        self._listener = bound(host, port, "camera page", "TOCK_TLS_PORT")
        self._listener.listen(BACKLOG)
        self.port = int(self._listener.getsockname()[1])
        self._lock = Lock()
        self._server: Server | None = None
        self._is_ended = False
        self._ended, self._end_sign = socket.socketpair()
        self._loops = (
            Background("camera-server", SERVES, self._serve, wake=self._end, close=self._close),
            Background("certificate", "keeps the certificate of the camera page right", self._renew),
        )
        for loop in self._loops:
            loop.start()
        log.info("camera page: serving on %s port %d", host, self.port)

    def stop(self) -> None:
        """End all connections and free the port."""
        for loop in self._loops:
            loop.stop()

    def _serve(self) -> None:
        server = self._server or self._first_call()
        if server is not None:
            server.serve()

    def _first_call(self) -> "Server | None":
        """Wait until somebody connects, and load what serves them; None when the end comes first."""
        with DefaultSelector() as waiting:
            waiting.register(self._listener, EVENT_READ)
            waiting.register(self._ended, EVENT_READ)
            if any(key.fileobj is self._ended for key, _ in waiting.select()):
                return None
        from tock_web.https.tls_serving import serving  # noqa: PLC0415

        with self._lock:
            if not self._is_ended:
                self._server = serving(self._make_app(), self._listener, self._context, BACKLOG)
            return self._server

    def _end(self) -> None:
        with self._lock:
            self._is_ended = True
            server = self._server
        with suppress(OSError):
            self._end_sign.send(b"!")
        if server is not None:
            server.stop()

    def _close(self) -> None:
        """Free the rest, on the thread that served."""
        for each in (self._listener, self._ended, self._end_sign):
            each.close()

    def _load(self) -> None:
        """Use the certificate for the connections from now on."""
        try:
            self._context.load_cert_chain(self._files.certificate, self._files.key)
        except (OSError, ssl.SSLError) as error:
            raise BadInputError(f"certificate {self._files.certificate} cannot be used: {error}") from None
        self._loaded_ns = self._files.certificate.stat().st_mtime_ns

    def _renew(self) -> float:
        self._files = self._certificate()
        if self._files.certificate.stat().st_mtime_ns != self._loaded_ns:
            self._load()
        return RENEW_S

    def __enter__(self) -> "TlsServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
