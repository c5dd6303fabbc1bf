"""Has a Flask app answer requests on a bounded pool of threads, and follows its streams as tasks.

A stream that says so may be read over a WebSocket, too: each event is a message, and its client sends nothing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.utils import formatdate
from io import BytesIO

from flask import Flask

from tock_companion.errors import escaped
from tock_web.limits.bodies import JSON_BYTES
from tock_web.serving.guard import SEND_BUFFER_BYTES, Connection, Guard
from tock_web.serving.http_connection import HTTP, GuardedHttp
from tock_web.serving.security import SEALS
from tock_web.serving.turns import AT_ONCE, Turns
from tock_web.serving.wsgi import Answer, Message, Receive, Send, answer, environ_of
from tock_web.streams import SLICE_S, Feed

log = logging.getLogger(__name__)
FAILED = Answer(500, [("Content-Type", "text/plain"), ("Content-Length", "0"), *SEALS], b"")
NO_SOCKET = Answer(404, FAILED.headers, b"")
DATA = b"data: "
Recognize = Callable[[str, str], str | None]
"""Names the device behind a Cookie and a Host header, None for a stranger."""


class Answering:
    """The ASGI side of one Flask app."""

    def __init__(
        self,
        app: Callable[[], Flask],
        guard: Guard,
        recognize: Recognize = lambda _cookie, _host: None,
        may_ask: Callable[[str], bool] = lambda _address: True,
        at_once: int = AT_ONCE,
    ) -> None:
        """`app` is called on a thread of the pool; `may_ask` counts the requests of an address."""
        self._app, self._guard, self._recognize, self._may_ask = app, guard, recognize, may_ask
        self._at_once = at_once
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="web-answer")
        # Makes the views of all streams; each is made once for all its readers.
        self._feeders = ThreadPoolExecutor(1, thread_name_prefix="web-stream")

    def begin(self) -> None:
        """Begin on the loop that is running now."""
        self._loop, self._turns = asyncio.get_running_loop(), Turns(self._at_once)

    def close(self) -> None:
        """Begin nothing more."""
        for pool in (self._pool, self._feeders):
            pool.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or serve one WebSocket."""
        http: GuardedHttp = scope["state"][HTTP]
        serve = self._serve_socket if scope["type"] == "websocket" else self._answer
        try:
            await serve(scope, receive, send, http)
        except (OSError, asyncio.CancelledError):
            # The client has gone, or the server stops.
            http.transport.abort()

    async def _answer(self, scope: Message, receive: Receive, send: Send, http: GuardedHttp) -> None:
        line = http.line
        if not self._may_ask(line.address):
            http.refuse(429)
            return
        line.device = self._device(scope)
        body = await self._body(scope, receive, http)
        given = None if body is None else await self._in_turn(scope, body, line)
        if given is not None:
            line.has_large_body = False
            await self._send(given, send, http)

    async def _serve_socket(self, scope: Message, receive: Receive, send: Send, http: GuardedHttp) -> None:
        line = http.line
        line.device = self._device(scope)
        # Flask shall not route it as a WebSocket: it answers as if a stream were asked for.
        headers = [(name, value) for name, value in scope["headers"] if name != b"upgrade"]
        asked = {**scope, "method": "GET", "scheme": "http", "headers": headers}
        given = await self._in_turn(asked, b"", line)
        if given is None:
            return
        feed = given.content
        if not isinstance(feed, Feed) or not feed.is_for_sockets:
            await _refuse_socket(given, send)
            return

        async def write(text: bytes) -> None:
            for each in text.splitlines():
                if each.startswith(DATA):
                    await send({"type": "websocket.send", "text": each.removeprefix(DATA).decode()})

        await send({"type": "websocket.accept"})
        reading = self._loop.create_task(_read_nothing(receive))
        try:
            await self._follow(feed, write, http)
            await send({"type": "websocket.close"})
        finally:
            reading.cancel()
            feed.close()

    def _device(self, scope: Message) -> str | None:
        heads = {name: value.decode("latin-1") for name, value in scope["headers"]}
        return self._recognize(heads.get(b"cookie", ""), heads.get(b"host", ""))

    async def _in_turn(self, scope: Message, body: bytes, line: Connection) -> Answer | None:
        """The app's answer once it is this client's turn; None where the client has gone."""
        turn = self._turns.ask(line.address, line.device)
        line.on_gone = turn.give_up
        async with self._turns.held(turn) as granted:
            if not granted:
                return None
            return await self._loop.run_in_executor(self._pool, self._given, scope, body, line.address)

    async def _body(self, scope: Message, receive: Receive, http: GuardedHttp) -> bytes | None:
        """The whole body; None where it was refused or its sender has gone."""
        line, limits, body = http.line, self._guard.limits, bytearray()
        announced = next((int(value) for name, value in scope["headers"] if name == b"content-length"), None)
        has_more = True
        while True:
            size = max(announced or 0, len(body))
            left = None if announced is None else announced - len(body) - len(http.cycle.body)
            if size > limits.body_bytes:
                http.refuse(413, left)
                return None
            if size > JSON_BYTES and not line.has_large_body:
                if not self._guard.may_be_large(line):
                    http.refuse(503, left)
                    return None
                line.has_large_body = True
            if not has_more:
                return bytes(body)
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message["body"]
            has_more = message["more_body"]

    def _given(self, scope: Message, body: bytes, address: str) -> Answer:
        """The app's answer; on a thread of the pool."""
        try:
            return answer(self._app(), environ_of(scope, BytesIO(body), len(body), address))
        except Exception:
            log.exception("%s %s failed", scope["method"], escaped(scope["path"]))
            return FAILED

    async def _send(self, given: Answer, send: Send, http: GuardedHttp) -> None:
        headers = [*given.headers, ("Date", formatdate(usegmt=True))]
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        content = given.content
        if isinstance(content, Feed):
            try:
                await send({"type": "http.response.start", "status": given.status, "headers": raw})
                await self._follow(content, lambda text: self._write(text, send, http, more=True), http)
                await self._write(b"", send, http, more=False)
            finally:
                content.close()
            return
        await send({"type": "http.response.start", "status": given.status, "headers": raw})
        await self._write(content, send, http, more=False)
        if http.line.unread_bytes > SEND_BUFFER_BYTES:
            self._guard.keep_unread_bounded()

    async def _write(self, content: bytes, send: Send, http: GuardedHttp, *, more: bool) -> None:
        await http.flow.drain()
        # Counted with the write itself: what waits for the reader has not moved.
        http.line.written_bytes += len(content)
        await send({"type": "http.response.body", "body": content, "more_body": more})

    async def _follow(self, feed: Feed, write: Callable[[bytes], Awaitable[None]], http: GuardedHttp) -> None:
        """Send a stream's texts as they come, until it ends or its client has gone."""
        line, news = http.line, asyncio.Event()

        def on_news() -> None:
            with suppress(RuntimeError):
                # The loop may have ended.
                self._loop.call_soon_threadsafe(news.set)

        line.is_stream, line.on_gone = True, news.set
        feed.listen(on_news)
        has_news, has_sent = True, False
        while not line.is_gone:
            news.clear()
            # Without news there is no view to make: looking whether the reader may still look takes no thread.
            text = await self._loop.run_in_executor(self._feeders, feed.take) if has_news else feed.take()
            if text is None:
                break
            if text:
                await write(text)
                has_news = has_sent = True
                continue
            if has_sent and feed.pause_s:
                await asyncio.sleep(feed.pause_s)
            has_sent = False
            has_news = await self._came(news)
        line.is_stream = False

    async def _came(self, news: asyncio.Event) -> bool:
        """Wait for news, at most for `SLICE_S`; whether there are any."""
        timer = self._loop.call_later(SLICE_S, news.set)
        await news.wait()
        timer.cancel()
        return self._loop.time() < timer.when()


async def _refuse_socket(given: Answer, send: Send) -> None:
    """Pass on why a path opens no WebSocket; a good answer to a request without one is not passed on."""
    refused = given if given.status >= 400 and isinstance(given.content, bytes) else NO_SOCKET
    if isinstance(given.content, Feed):
        given.content.close()
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in refused.headers]
    await send({"type": "websocket.http.response.start", "status": refused.status, "headers": raw})
    await send({"type": "websocket.http.response.body", "body": refused.content})


async def _read_nothing(receive: Receive) -> None:
    """Drop the messages of the client: unread, they would hide that the client has gone."""
    while (await receive())["type"] != "websocket.disconnect":
        pass
