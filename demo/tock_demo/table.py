"""One table without threads or network: its page, its phones, its computers, and the hand that moves their pawns."""

import io
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from tock_companion.background.turns import take_turns
from tock_companion.boardfile import generate
from tock_companion.computer_seats import Computers
from tock_companion.core.bodies import DrawHand
from tock_companion.core.requests import Request, Role
from tock_companion.core.state import Lobby
from tock_companion.sources.scene import Scene
from tock_companion.sources.scene_eye import SceneEye
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.participants import NO_PACK_KEPT
from tock_rules import Card, Move, Seat, judge_move
from tock_web.app import create_app
from tock_web.rights.cookies import REQUEST_HEADER
from tock_web.services import PageServices
from tock_web.serving.wsgi import answer
from tock_web.streams import Feed

ZONES, SIZE_MM = 4, 440
BASE = "http://192.0.2.1"
"""An address that the page takes for its own; nothing is sent there."""
HAND_PAUSE_S = 1.2
"""Time between the card of a computer and the pawn: people want to see both."""
OPPONENTS = "medium"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer for the page; `stream` is the number of an endless one, else None."""

    status: int
    kind: str
    """The content type."""
    boot: str
    """The run of the companion that answered; empty where the answer does not name it."""
    body: bytes
    stream: int | None = None


class Demo:
    """A table with one person per phone and a computer on each other seat."""

    def __init__(self, folder: Path, seed: int | None = None, pause_s: float = HAND_PAUSE_S) -> None:
        board = generate(ZONES, SIZE_MM)
        self.scene = Scene(board)
        store = Store(folder)
        store.choices.keep(NO_PACK_KEPT, True)
        self.table = Table(board, store, [SceneEye(self.scene)], scene=self.scene, lobby=Lobby(ZONES))
        self._computers = Computers(self.table, seed=seed, pace_s=0.0)
        self.app: Flask = create_app(self.table, PageServices(), ())
        self._cookies: dict[int, dict[str, str]] = {}
        self._streams: dict[int, Feed] = {}
        self._newest_stream = 0
        self._pause_s, self._hand_s = pause_s, 0.0
        self._people: tuple[Seat, ...] = ()
        self.table.start()
        self._computers.start()

    def sit(self, names: list[str], lang: str) -> None:
        """Seat a person at each phone, and let computers play the other seats; the game begins."""
        seats = [Seat(2 * number % ZONES + 2 * number // ZONES) for number in range(len(names))]
        for phone, (seat, name) in enumerate(zip(seats, names, strict=True)):
            self._post(phone, "join", {"name": name, "seat": seat.name, "lang": lang})
        self._people = tuple(seats)
        for seat in Seat:
            if seat < ZONES and seat not in seats:
                data = {"seat": seat.name, "strength": OPPONENTS}
                self._post(0, "request", {"kind": "set_computer", "role": "host", "data": data})
        self._post(0, "request", {"kind": "begin", "role": "host", "data": {}})
        self._post(0, "request", {"kind": "deal", "role": "host", "data": {}})

    def _post(self, phone: int, path: str, body: Mapping[str, object]) -> None:
        headers = {REQUEST_HEADER: "1", "Content-Type": "application/json"}
        found = self.call(phone, "POST", f"/api/v1/{path}", headers, json.dumps(body).encode())
        if found.status >= 400:
            raise RuntimeError(f"{path}: {found.body.decode()}")

    def call(self, phone: int, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Answer a request of a phone; redirections are followed."""
        cookies = self._cookies.setdefault(phone, {})
        place = urlsplit(path)
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        environ = EnvironBuilder(
            place.path, BASE, place.query, method=method, headers=Headers([*headers.items(), ("Cookie", cookie)]),
            input_stream=io.BytesIO(body), content_length=len(body),
        ).get_environ()  # fmt: skip
        found = answer(self.app, environ)
        kept = Headers(found.headers)
        for line in kept.getlist("Set-Cookie"):
            cookies.update({name: one.value for name, one in SimpleCookie(line).items()})
        if "Location" in kept:
            return self.call(phone, "GET", kept["Location"], headers, b"")
        if isinstance(found.content, Feed):
            self._newest_stream += 1
            self._streams[self._newest_stream] = found.content
            return Answer(found.status, kept.get("Content-Type", ""), "", b"", self._newest_stream)
        boot = kept.get("X-Tock-Boot", "")
        return Answer(found.status, kept.get("Content-Type", ""), boot, found.content)

    def end_stream(self, number: int) -> None:
        """The page has closed a stream."""
        feed = self._streams.pop(number, None)
        if feed is not None:
            feed.close()

    def turn(self) -> list[tuple[int, str | None]]:
        """Let everything go on for a moment; returns the new texts of the streams, None at the end of one."""
        take_turns()
        self._deal()
        self._move_for_computers()
        return list(self._news())

    def _news(self) -> Iterator[tuple[int, str | None]]:
        for number, feed in tuple(self._streams.items()):
            while (text := feed.take()) != b"":
                if text is None:
                    self.end_stream(number)
                    yield number, None
                    break
                yield number, text.decode()

    def _deal(self) -> None:
        """Draw the cards that a person lacks: nobody here has a pack on the table."""
        view = self.table.view(Role.TABLE)
        if view["lobby"] is not None or view["practice"] or view["game"]["ended"]:
            return
        for seat in self._people:
            if seat in self.table.position.seats and self._lacks_cards(seat):
                self.table.request(Request(DrawHand(), Role.SEAT, seat))

    def _lacks_cards(self, seat: Seat) -> bool:
        missing = self.table.view(Role.SEAT, seat)["hand"]["missing"]
        return missing is None or missing > 0

    def _move_for_computers(self) -> None:
        """Move the pawns of a computer whose card is laid, once people have seen it."""
        view = self.table.view(Role.TABLE)
        planned, now_s = view["planned"], time.monotonic()
        if planned is None or view["expects"] != "move":
            self._hand_s = now_s + self._pause_s
        elif now_s >= self._hand_s:
            move = judge_move(self.table.position, Card.parse(planned["card"]), planned["text"])
            assert isinstance(move, Move)
            self.scene.put_back(move.result.to_pawns())
            self._hand_s = now_s + self._pause_s
