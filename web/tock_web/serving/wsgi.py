"""One whole request given to a Flask app, on a thread of a small pool."""

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import unquote_to_bytes

from flask import Flask

from tock_web.streams import Feed

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """The app's answer, whole or without end."""

    status: int
    headers: Headers
    content: bytes | Feed


def answer(app: Flask, environ: dict[str, Any]) -> Answer:
    """Have the app answer."""
    began: list[tuple[str, Headers]] = []

    def start(status: str, headers: Headers, _error: object = None) -> Callable[[bytes], object]:
        began.append((status, headers))
        return lambda _data: None

    body = app(environ, start)
    content: bytes | Feed
    if isinstance(body, Feed):
        content = body
    else:
        try:
            content = b"".join(body)
        finally:
            close = getattr(body, "close", None)
            if close is not None:
                close()
    status, headers = began[-1]
    return Answer(int(status.split()[0]), headers, content)


def environ_of(scope: Message, body: IO[bytes], size: int, address: str) -> dict[str, Any]:
    """The request as WSGI has it (PEP 3333)."""
    host, port = scope["server"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": address,
        "CONTENT_LENGTH": str(size),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        if name in ("CONTENT_LENGTH", "TRANSFER_ENCODING") or b"_" in raw_name:
            continue
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ
