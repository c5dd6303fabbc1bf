"""A far seat's phone without a page: says hello, follows the views, and sends its calls again after every cut.

It connects, greets and tries again as the page does, with the same pauses.
"""

import asyncio
import secrets
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from websockets.exceptions import WebSocketException

from tests.support.light_line import LightLine, RefusedError
from tock_companion.far.changes import changed
from tock_companion.far.greeting import Greeting, new_hello, welcomed
from tock_companion.far.line import HERE
from tock_companion.far.link import read_link, room_keys
from tock_companion.far.messages import (
    Answer,
    Call,
    Changes,
    Look,
    Ping,
    Pong,
    Refused,
    Up,
    View,
    message_bytes,
    read_down,
)
from tock_companion.far.session import (
    ForeignFrameError,
    FrameType,
    GapError,
    Session,
    shape_of_frame,
)

RETRY_S = (0.3, 0.7, 1.5, 2.5, 4.0)
PING_S = 5.0
SILENT_S = 10.0
DEVICE_BYTES = 32


@dataclass
class Pending:
    """A call on its way, and its answer."""

    call: Call
    answered: "asyncio.Future[Answer]"


class FarGuest:
    """A phone that holds a link; runs in one loop."""

    def __init__(self, link: str, port: int, trust: ssl.SSLContext) -> None:
        found = read_link(link)
        self._keys, self._topic = room_keys(found.table, found.secret), f"far/{found.table}"
        self._port, self._trust, self._device = port, trust, secrets.token_bytes(DEVICE_BYTES)
        self._name = f"phone-{secrets.token_hex(8)}"
        self._session: Session | None = None
        self._greetings: list[Greeting] = []
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._pending: dict[str, Pending] = {}
        self._answers: dict[str, Answer] = {}
        self._follows = False
        self._received_s = 0.0
        self._calls = 0
        self._keeper: asyncio.Task[None] | None = None
        self._boot = ""
        self.view: dict[str, Any] = {}
        self._last_view: dict[str, Any] = {}
        """The last view that came, which the next one names its changes of."""
        self.on_view: Callable[[dict[str, Any]], None] = lambda _view: None
        self.sessions = 0
        self.differing_answers = 0
        """Calls that were answered twice, and not alike."""

    def start(self) -> None:
        """Connect, and again after every cut."""
        self._keeper = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Hang up."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    def follow(self) -> None:
        """Follow the views, in this session and those after it."""
        self._follows = True
        self._say(Look("bench"))

    async def call(
        self,
        path: str,
        body: Any,
        method: Literal["GET", "POST"] = "POST",
        query: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask for something, and wait for its answer through all cuts."""
        self._calls += 1
        call = Call(f"bench.{self._calls}", method, path, dict(query or {}), body, self._boot)
        pending = Pending(call, asyncio.get_running_loop().create_future())
        self._pending[call.id] = pending
        self._say(call)
        return await pending.answered

    async def _keep(self) -> None:
        attempts = 0
        while True:
            with suppress(OSError, ssl.SSLError, WebSocketException, RefusedError, TimeoutError, EOFError):
                before = self.sessions
                await self._one_line()
                attempts = 0 if self.sessions > before else attempts
            self._session = None
            await asyncio.sleep(RETRY_S[min(attempts, len(RETRY_S) - 1)])
            attempts += 1

    async def _one_line(self) -> None:
        own, room = (self._keys.room, self._keys.broker_password), f"{self._topic}/{self._keys.room}"
        line = await LightLine.open(
            self._port, self._trust, own, self._take, name=self._name, will=f"{room}/gone", qos=0
        )
        sender = asyncio.create_task(self._send_all(line, f"{room}/up"))
        try:
            await line.subscribe(f"{room}/down", f"{self._topic}/home")
            self._greet()
            self._received_s = time.monotonic()
            while not await line.has_ended(PING_S):
                if self._session is None:
                    self._greet()
                elif time.monotonic() - self._received_s > SILENT_S:
                    return
                else:
                    self._say(Ping(0))
        finally:
            sender.cancel()
            self._session, self._out = None, asyncio.Queue()
            await line.close()

    async def _send_all(self, line: LightLine, topic: str) -> None:
        out = self._out
        with suppress(OSError, WebSocketException):
            while True:
                await line.publish(topic, await out.get())

    def _greet(self) -> None:
        self._greetings.append(new_hello(self._keys, self._device))
        self._out.put_nowait(self._greetings[-1].frame)

    def _say(self, message: Up) -> None:
        if self._session is not None:
            self._out.put_nowait(self._session.seal(message_bytes(message)))

    def _take(self, topic: str, payload: bytes) -> None:
        self._received_s = time.monotonic()
        if topic.endswith("/home"):
            if payload != HERE.encode():
                self._session = None
            elif self._session is None:
                self._greet()
            return
        try:
            if shape_of_frame(payload).type is FrameType.WELCOME:
                self._welcome(payload)
            elif self._session is not None:
                self._read(self._session.open(payload))
        except GapError:
            self._session = None
            self._greet()
        except ForeignFrameError:
            pass

    def _welcome(self, frame: bytes) -> None:
        found = welcomed(self._keys, self._greetings, frame)
        if self._session is not None or found is None:
            return
        assert not isinstance(found, Refused), found
        self._session = found
        self._greetings.clear()
        self.sessions += 1
        # The home keeps an older session until it has a frame of this one.
        self._say(Ping(0))
        for pending in self._pending.values():
            self._say(pending.call)
        if self._follows:
            self._say(Look("bench"))

    def _read(self, text: bytes | None) -> None:
        message = None if text is None else read_down(text)
        match message:
            case Answer():
                self._answered(message)
            case View(view, boot):
                self._show(view, boot)
            case Changes(by, boot):
                self._show(changed(self._last_view, by), boot)
            case Pong() | None:
                pass

    def _show(self, view: dict[str, Any], boot: str) -> None:
        self._last_view = view
        # As on the page: a view of before that was still on its way is passed over.
        if boot != self._boot or view["revision"] >= self.view["revision"]:
            self.view, self._boot = view, boot
            self.on_view(view)

    def _answered(self, answer: Answer) -> None:
        known = self._answers.setdefault(answer.id, answer)
        self.differing_answers += known != answer
        pending = self._pending.pop(answer.id, None)
        if pending is not None:
            pending.answered.set_result(answer)
