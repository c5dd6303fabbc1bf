"""Has a Flask app answer requests on a bounded pool of threads, and follows its streams as tasks."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.utils import formatdate
from io import BytesIO

from flask import Flask

from tock_companion.errors import escaped
from tock_web.limits.bodies import JSON_BYTES
from tock_web.serving.guard import SEND_BUFFER_BYTES, Guard
from tock_web.serving.http_connection import HTTP, GuardedHttp
from tock_web.serving.security import SEALS
from tock_web.serving.turns import AT_ONCE, Turns
from tock_web.serving.wsgi import Answer, Message, Receive, Send, answer, environ_of
from tock_web.streams import SLICE_S, Feed

log = logging.getLogger(__name__)
FAILED = Answer(500, [("Content-Type", "text/plain"), ("Content-Length", "0"), *SEALS], b"")
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
        """Answer one request."""
        http: GuardedHttp = scope["state"][HTTP]
        try:
            await self._answer(scope, receive, send, http)
        except (OSError, asyncio.CancelledError):
            # The client has gone, or the server stops.
            http.transport.abort()

    async def _answer(self, scope: Message, receive: Receive, send: Send, http: GuardedHttp) -> None:
        line = http.line
        heads = {name: value.decode("latin-1") for name, value in scope["headers"]}
        line.device = self._recognize(heads.get(b"cookie", ""), heads.get(b"host", ""))
        if not self._may_ask(line.address):
            http.refuse(429)
            return
        body = await self._body(scope, receive, http)
        if body is None:
            return
        turn = self._turns.ask(line.address, line.device)
        line.on_gone = turn.give_up
        async with self._turns.held(turn) as granted:
            if not granted:
                return
            given = await self._loop.run_in_executor(self._pool, self._given, scope, body, line.address)
        line.has_large_body = False
        await self._send(given, send, http)

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
                await self._follow(content, send, http)
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

    async def _follow(self, feed: Feed, send: Send, http: GuardedHttp) -> None:
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
                await self._write(text, send, http, more=True)
                has_news = has_sent = True
                continue
            if has_sent and feed.pause_s:
                await asyncio.sleep(feed.pause_s)
            has_sent = False
            has_news = await self._came(news)
        line.is_stream = False
        await self._write(b"", send, http, more=False)

    async def _came(self, news: asyncio.Event) -> bool:
        """Wait for news, at most for `SLICE_S`; whether there are any."""
        timer = self._loop.call_later(SLICE_S, news.set)
        await news.wait()
        timer.cancel()
        return self._loop.time() < timer.when()
