"""One whole request given to our Flask app, on a thread of a small pool."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Executor
from io import BytesIO
from typing import Any

from flask import Flask
from werkzeug.test import run_wsgi_app

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class TooLongError(ValueError):
    """A body over the limit."""


async def whole_body(receive: Receive, max_bytes: int) -> bytes:
    """The body of a request; raises TooLongError, or ConnectionError when its client has gone."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError("the client has gone")
        body += bytes(message.get("body", b""))
        if len(body) > max_bytes:
            raise TooLongError(f"over {max_bytes} bytes")
        if not message.get("more_body", False):
            return body


async def answer(app: Flask, scope: Message, body: bytes, source: str, send: Send, pool: Executor) -> None:
    """Have the app answer, and send what it says."""
    loop = asyncio.get_running_loop()
    environ = environ_of(scope, body, source)
    pieces, status, headers = await loop.run_in_executor(pool, run_wsgi_app, app, environ, True)
    content = b"" if scope["method"] == "HEAD" else b"".join(pieces)
    await send_whole(send, int(status.split()[0]), [(name, value) for name, value in headers], content)


async def send_whole(send: Send, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
    """Send an answer in one piece."""
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})


def environ_of(scope: Message, body: bytes, source: str) -> dict[str, Any]:
    """The request as WSGI has it (PEP 3333)."""
    host, port = scope["server"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": source,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        if name in ("CONTENT_LENGTH", "TRANSFER_ENCODING") or "_" in raw_name.decode("latin-1"):
            continue
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ
