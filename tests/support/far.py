"""Somebody far away without a network: a relay and a line in memory, and a phone that holds a link."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from time import monotonic, time
from typing import Any, cast

from flask import Flask
from paho.mqtt.client import MQTTMessageInfo

from tock_app.service.far import let_in
from tock_companion.background import Background
from tock_companion.far.changes import changed
from tock_companion.far.greeting import new_hello, welcomed
from tock_companion.far.invitations import Account
from tock_companion.far.line import Line
from tock_companion.far.link import RoomKeys, read_link, room_keys
from tock_companion.far.messages import (
    Answer,
    Call,
    Changes,
    Down,
    Look,
    Ping,
    Refused,
    Up,
    View,
    message_bytes,
    read_down,
)
from tock_companion.far.relay_service import RelayError, RelayService
from tock_companion.far.session import (
    FrameType,
    Session,
    shape_of_frame,
)
from tock_companion.far.tunnel import Tunnel
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import VIEW_FORM

RELAY = "https://tock.example"
PATIENCE_S = 20.0


class PlaceInMemory:
    """A relay that notes its rooms; `is_away` refuses everything."""

    relay = RELAY

    def __init__(self) -> None:
        self.rooms: dict[str, int] = {}
        self.is_away = False

    def context(self) -> None: ...

    def new_account(self) -> Account:
        self._ask_anything()
        return Account(self.relay, "t" * 22, "password")

    def open_room(self, _account: Account, keys: RoomKeys, until_s: int) -> None:
        self._ask_anything()
        self.rooms[keys.room] = until_s

    def close_room(self, _account: Account, room: str) -> None:
        self._ask_anything()
        self.rooms.pop(room, None)

    def _ask_anything(self) -> None:
        if self.is_away:
            raise RelayError("the relay is away")


class LineInMemory:
    """Carries frames between the home and the phones that listen; `is_up` cuts it."""

    def __init__(self) -> None:
        self.is_up = True
        self.is_refused = False
        self.received: Callable[[str, bytes], None] = lambda _topic, _frame: None
        self.changed: Callable[[bool], None] = lambda _is_up: None
        self.boards_changed: list[Callable[[bool], None]] = []
        self._down: dict[str, list[Queue[bytes]]] = {}

    def make(self, _account: Account, _trust: object, received: Any, changed: Any) -> Line:
        self.received, self.changed = received, changed
        return cast(Line, self)

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def cut(self) -> None:
        self._turn(is_up=False)

    def mend(self) -> None:
        self._turn(is_up=True)

    def _turn(self, *, is_up: bool) -> None:
        self.is_up = is_up
        for tell in (self.changed, *self.boards_changed):
            tell(is_up)

    def send(self, room: str, frame: bytes) -> MQTTMessageInfo | None:
        if not self.is_up:
            return None
        for queue in self._down.get(room, ()):
            queue.put(frame)
        return cast(MQTTMessageInfo, _PassedOn())

    def listen(self, room: str) -> Queue[bytes]:
        """The frames that the home sends from now on: everybody who listens gets all, as from a broker."""
        queue: Queue[bytes] = Queue()
        self._down.setdefault(room, []).append(queue)
        return queue

    def up(self, room: str, frame: bytes, kind: str = "up") -> None:
        if self.is_up:
            self.received(f"far/table/{room}/{kind}", frame)


class GuestLineInMemory:
    """The connection of a second board: passes frames on as they come, on a thread of its own."""

    def __init__(
        self,
        line: LineInMemory,
        room: str,
        received: Callable[[bytes], None],
        changed: Callable[[bool], None],
    ) -> None:
        self._line, self._room, self._received, self._changed = line, room, received, changed
        self._frames = line.listen(room)
        self._loop = Background("guest-line", "passes frames on in a test", self._step)

    def start(self) -> None:
        self._loop.start()
        self._line.boards_changed.append(self._changed)
        self._changed(True)

    def stop(self) -> None:
        self._line.boards_changed.remove(self._changed)
        self._loop.stop()
        # As the broker says it of a connection that has ended.
        self._line.up(self._room, b"", "gone")

    def send(self, frame: bytes) -> bool:
        self._line.up(self._room, frame)
        return self._line.is_up

    def _step(self) -> float:
        with suppress(Empty):
            self._received(self._frames.get(timeout=0.05))
        return 0.0


class _PassedOn:
    def wait_for_publish(self, timeout: float) -> None:
        """It is there already."""


class FarGuest:
    """A phone far away with a link: what its page says and hears."""

    def __init__(self, line: LineInMemory, link: str, device: bytes = b"d" * 32) -> None:
        found = read_link(link)
        self.line, self.device, self.keys = line, device, room_keys(found.table, found.secret)
        self.session: Session | None = None
        self.frames = line.listen(self.keys.room)
        self.boot = ""
        self.view: dict[str, Any] = {}
        """The newest that came."""
        self.came: list[type[Down]] = []
        """The kinds of messages that came."""
        self._number = 0

    def hello(self, views: int = VIEW_FORM) -> Refused | None:
        """Say hello; the answer is a refusal, or None."""
        greeting = new_hello(self.keys, self.device, "0.4.0", views)
        self.line.up(self.keys.room, greeting.frame)
        found: Session | Refused | None = None
        while found is None:
            frame = self.frames.get(timeout=PATIENCE_S)
            if shape_of_frame(frame).type is FrameType.WELCOME:
                found = welcomed(self.keys, [greeting], frame)
        if isinstance(found, Refused):
            return found
        self.session = found
        self.say(Ping(1))
        return None

    def say(self, message: Up) -> bytes:
        assert self.session is not None
        frame = self.session.seal(message_bytes(message))
        self.line.up(self.keys.room, frame)
        return frame

    def call(self, method: str, path: str, call_id: str = "", **more: Any) -> tuple[int, Any]:
        self._number += 1
        self.say(Call(call_id or f"c{self._number}", cast(Any, method), path, boot=self.boot, **more))
        answer = self.hear(lambda found: isinstance(found, Answer))
        assert isinstance(answer, Answer)
        return answer.status, answer.data

    def ask(self, kind: str, **data: object) -> tuple[int, Any]:
        return self.call("POST", "request", body={"kind": kind, "data": data})

    def hear(self, wanted: Callable[[Down], bool]) -> Down:
        """The first message that is as wanted."""
        assert self.session is not None
        until_s = monotonic() + PATIENCE_S
        while monotonic() < until_s:
            try:
                text = self.session.open(self.frames.get(timeout=0.5))
            except Empty:
                continue
            if text is None:
                continue
            found = read_down(text)
            self.came.append(type(found))
            if isinstance(found, Changes):
                found = View(changed(self.view, found.changes), found.boot)
            if isinstance(found, View):
                self.view = found.view
            if wanted(found):
                return found
        raise AssertionError("never came")

    def look(self) -> None:
        self.say(Look("tab-of-hers"))


@contextmanager
def far_home(
    table: Table,
    app: Flask,
    folder: Path,
    place: PlaceInMemory | None = None,
    wall_s: Callable[[], float] = time,
) -> Iterator[tuple[Tunnel, LineInMemory]]:
    """A tunnel at work over a line in memory, for the phones of an app."""
    line = LineInMemory()
    known = cast(RelayService, place or PlaceInMemory())
    tunnel = Tunnel(table, folder, known, line.make, wall_s=wall_s)
    let_in(tunnel, app)
    tunnel.start()
    try:
        yield tunnel, line
    finally:
        tunnel.stop()


def kept(folder: Path) -> Any:
    """The content of the file of invitations."""
    return json.loads((folder / "far.json").read_text(encoding="utf-8"))
