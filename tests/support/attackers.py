"""Clients that mean no good: real sockets from addresses of this machine, few and short-lived.

All of 127.0.0.0/8 is this machine, so that an attacker can have an address of its own.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection

from tests.support.waiting import PATIENCE

ATTACKER = "127.0.0.66"
PATIENCE_S, SOON_S = 10.0 * PATIENCE, 3.0 * PATIENCE
"""Generous: these tests share two processors with many others."""
LARGE_ANSWER = "/api/v1/openapi.json"


def connect(port: int, address: str = ATTACKER, *, small_window: bool = False) -> socket.socket:
    """Connect from an address; with a small window next to nothing arrives that is not read."""
    line = socket.socket()
    if small_window:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.settimeout(PATIENCE_S)
    line.bind((address, 0))
    # The server may cut it at once: that is its right, and the first to read or write will know.
    with suppress(BrokenPipeError, ConnectionResetError):
        line.connect(("127.0.0.1", port))
    return line


@contextmanager
def connections(
    port: int, count: int, sends: bytes = b"", addresses: int = 1, *, small_window: bool = False
) -> Iterator[list[socket.socket]]:
    """Open many connections, from several addresses, and send the same on each."""
    with ExitStack() as stack:
        lines = []
        for number in range(count):
            line = stack.enter_context(
                connect(port, f"127.0.1.{1 + number % addresses}", small_window=small_window)
            )
            with suppress(OSError):
                line.sendall(sends)
            lines.append(line)
        yield lines


def get(path: str, **headers: str) -> bytes:
    """A request as a browser sends it."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join((*lines, "", "")).encode()


def is_cut(line: socket.socket) -> bool:
    """Whether the server has ended a connection, as far as its client can tell without waiting."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def request_s(port: int, path: str = "/api/v1/health", address: str = "127.0.0.1") -> float:
    """Time of a request from connecting to the last byte of its answer, which must be 200."""
    started_s = time.monotonic()
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0))
    line.request("GET", path)
    answer = line.getresponse()
    answer.read()
    line.close()
    assert answer.status == 200, answer.status
    return time.monotonic() - started_s
