"""Requests over HTTPS, read strictly: cheroot accepts ambiguous heads, and answers some faults by itself."""

import re
from time import monotonic
from typing import IO

from cheroot.server import HeaderReader, HTTPRequest

from tock_web.serving.security import SEALS

HEADER = re.compile(rb"([!#$%&'*+.^`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*?)[ \t]*\r\n")
"""One line: no space before the colon, no continuation, no underscore, which WSGI would take for a hyphen."""
LENGTH = re.compile(rb"[0-9]{1,10}")
LISTS = frozenset(
    (b"Accept", b"Accept-Encoding", b"Accept-Language", b"Cache-Control", b"Connection", b"If-None-Match")
)
"""Headers that may stand several times, and form one list."""
DRAIN_S, MAX_DRAIN_BYTES = 5.0, 20_000_000
"""Limits on reading a refused body: a connection closed earlier is reset, and the answer lost with it."""
Headers = dict[bytes, bytes]


class StrictHeaders(HeaderReader):
    """Reads the head of a request; raises ValueError if it could be read in two ways."""

    def __call__(self, rfile: IO[bytes], hdict: Headers | None = None) -> Headers:
        found: Headers = {} if hdict is None else hdict
        while (line := rfile.readline()) != b"\r\n":
            matched = HEADER.fullmatch(line)
            if matched is None:
                raise ValueError("Malformed header.")
            name, value = matched[1].title(), matched[2]
            if name not in found:
                found[name] = value
            elif name in LISTS:
                found[name] += b", " + value
            else:
                raise ValueError("Doubled header.")
        length = found.get(b"Content-Length")
        if length is not None and (not LENGTH.fullmatch(length) or b"Transfer-Encoding" in found):
            raise ValueError("Malformed Content-Length Header.")
        return found


class StrictRequest(HTTPRequest):
    """A request with an unambiguous end, whose faults are answered with our standard headers."""

    header_reader = StrictHeaders()

    def read_request_headers(self) -> bool:
        """Read the head; False where it was refused."""
        is_read = bool(super().read_request_headers())  # type: ignore[no-untyped-call]
        if is_read and self.chunked_read:
            # The app's leftovers of such a body would be taken for the next request.
            self.close_connection = True
        return is_read

    def simple_response(self, status: str, msg: str = "") -> None:
        """Answer a fault, and close."""
        self.close_connection = True
        body = msg.encode()
        headers = [
            ("Content-Type", "text/plain"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            *SEALS,
        ]
        head = "".join(f"{name}: {value}\r\n" for name, value in headers)
        try:
            self.conn.wfile.write(f"{self.server.protocol} {status}\r\n{head}\r\n".encode("latin-1") + body)
            if str(status).startswith("413"):
                self.conn.wfile.flush()
                self._drain()
        except (OSError, ValueError):
            # The client has gone.
            return

    def _drain(self) -> None:
        line, left, end_s = self.conn.socket, MAX_DRAIN_BYTES, monotonic() + DRAIN_S
        line.settimeout(1.0)
        while left > 0 and monotonic() < end_s and (piece := line.recv(1 << 16)):
            left -= len(piece)
