"""HTTPS by cheroot, in threads of the companion's own process; imported when the first phone calls."""

import logging
import socket
import ssl
import sys
from collections.abc import Mapping
from threading import Lock
from typing import Any
from weakref import WeakSet

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection
from cheroot.ssl import Adapter
from cheroot.wsgi import Server
from flask import Flask

from tock_companion.errors import escaped
from tock_web.https.tls_requests import StrictRequest
from tock_web.limits.bodies import CAMERA_BYTES

THREADS = 16
EACH_ADDRESS = 4
"""Connections of one address: each address holds at most a quarter of the threads."""
BACKLOG = 128
"""Connections that the kernel queues until we accept them."""
HANDSHAKE_S = 5.0
PATIENCE_S = 10
"""For each piece of a request."""
STOP_S = 1
MAX_HEADER_BYTES = 16 * 1024
SERVES = "cheroot: HTTPS for phones that are cameras"
RENEW_S = 60.0
"""Interval between comparisons of the certificate with the machine's names and addresses."""
log = logging.getLogger(__name__)


class _Locks(Adapter):
    """Wraps connections without a handshake: a client that does not answer must not hold up the others."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context
        self._open: WeakSet[ssl.SSLSocket] = WeakSet()
        self._lock = Lock()

    def bind(self, sock: socket.socket) -> socket.socket:
        """Do nothing."""
        return sock

    def wrap(self, sock: socket.socket) -> tuple[socket.socket, Mapping[str, str]]:
        """Accept a connection, unless its address has its share already."""
        address = sock.getpeername()[0]
        with self._lock:
            same = [other for other in self._open if other.fileno() >= 0 and _peer(other) == address]
            if len(same) >= EACH_ADDRESS:
                sock.close()
                # Cheroot takes this for a client that has gone.
                raise ConnectionResetError(104, f"{address} has {len(same)} connections")
            wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
            self._open.add(wrapped)
        return wrapped, self.get_environ()

    def get_environ(self) -> Mapping[str, str]:
        """The environment for the app."""
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: socket.socket, mode: str = "r", bufsize: int = -1) -> Any:
        """Read or write a connection."""
        return MakeFile(sock, mode, bufsize)


def _peer(sock: ssl.SSLSocket) -> str | None:
    try:
        return str(sock.getpeername()[0])
    except OSError:
        return None


class _Connection(HTTPConnection):
    """Shakes hands in the thread that serves the connection."""

    RequestHandlerClass = StrictRequest
    is_agreed = False

    def communicate(self) -> bool:
        """Serve one request; False to close the connection."""
        if not self.is_agreed:
            try:
                self.socket.settimeout(HANDSHAKE_S)
                self.socket.do_handshake()
                self.socket.settimeout(PATIENCE_S)
            except (OSError, ValueError) as error:
                # Phones break off until somebody has trusted the certificate.
                log.debug("tls: no agreement with %s: %s", self.remote_addr, error)
                return False
            self.is_agreed = True
        return bool(super().communicate())  # type: ignore[no-untyped-call]


class _Server(Server):
    listener: socket.socket
    """Already bound."""
    ConnectionClass = _Connection
    max_request_header_size = MAX_HEADER_BYTES
    max_request_body_size = CAMERA_BYTES
    expiration_interval = 0.25

    def bind(self, *_family: int) -> socket.socket:
        self.socket, self.bind_addr = self.listener, self.listener.getsockname()[:2]
        return self.listener

    def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
        # Lines break when people leave; internal errors are of other types, and the app reports its own.
        if level < logging.ERROR or isinstance(sys.exc_info()[1], OSError):
            log.debug("tls: %s", escaped(msg))
        else:
            log.log(level, "tls: %s", escaped(msg), exc_info=traceback)


def serving(app: Flask, listener: socket.socket, context: ssl.SSLContext, backlog: int) -> Server:
    """A server of an app on a socket that listens already; `serve` runs it, `stop` ends it from another thread."""
    server = _Server(
        listener.getsockname()[:2],
        app,
        numthreads=THREADS,
        timeout=PATIENCE_S,
        shutdown_timeout=STOP_S,
        request_queue_size=backlog,
    )
    server.ssl_adapter = _Locks(context)
    server.listener = listener
    server.prepare()
    return server
