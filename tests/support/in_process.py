"""The real app, table and store on one folder, with people whose phones reach it without sockets."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask

from tests.support.page import OWN, machine_code
from tests.support.people import Deed, People, Seen
from tests.support.requests import some_bodies
from tests.support.sources import HandSource
from tests.support.tables import BOARD
from tests.support.waiting import until
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_companion.core.bodies import PlayCard
from tock_companion.core.requests import Request, Role
from tock_companion.events.codec import event_to_line
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Card, Seat
from tock_web import create_app
from tock_web.rights.cookies import DEVICE_COOKIE, HOST_COOKIE, SEAT_COOKIE
from tock_web.services import PageServices

PATIENCE_S = 8.0
MAX_GAME_EVENTS = 80
"""Events after which another game begins, so that folding a log stays quick."""
PICTURE_BYTES = 3000
PLAYING_SHARE = 0.6
BESIDE_PLAY = (
    "join", "leave", "join/ask", "answer_seat", "join/hear", "free_seat", "set_computer", "hints", "host/pin",
    "machine/settings", "games", "new_game",
)  # fmt: skip
"""The kinds of requests between those of the game."""


class PicturedSource(HandSource):
    """A source that has a picture of every hole."""

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        return {name: t_ms.to_bytes(8, "big") * (PICTURE_BYTES // 8) for name in names}


class DirectPhone:
    """A phone as Flask's test client."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, path: str) -> Any:
        """The JSON found there."""
        return self.client.get(path).json

    def post(self, path: str, **data: object) -> Any:
        """The JSON answer, also of a refusal."""
        return self.client.post(path, json=data, headers=OWN).json

    def send(
        self, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> tuple[int, bytes]:
        """Status and body of any answer; without a body it is a GET."""
        if body is None:
            answer = self.client.get(path)
        else:
            answer = self.client.post(path, data=body, content_type=content_type, headers=OWN)
        return answer.status_code, bytes(answer.data)

    def view(self, role: str = "seat") -> Any:
        """The view of a role."""
        return self.get(f"/api/v1/view?role={role}")

    def cookies(self) -> dict[str, str]:
        """The cookies that say who it is."""
        found = (self.client.get_cookie(name) for name in (DEVICE_COOKIE, SEAT_COOKIE, HOST_COOKIE))
        return {cookie.key: cookie.value for cookie in found if cookie is not None}

    def take(self, cookies: Mapping[str, str]) -> None:
        """Keep cookies that it was given before."""
        for name, value in cookies.items():
            self.client.set_cookie(name, value)


class Home:
    """The companion and its people; the cookies of the phones outlive a power cut."""

    def __init__(
        self, folder: Path, cookies: Mapping[str, Mapping[str, str]], pin: str | None, rng: Random
    ) -> None:
        """Start the companion; raises TockError when it does not start."""
        self.folder, self.rng = folder, rng
        self.store, self.source = Store(folder), PicturedSource()
        self.table = Table(BOARD, self.store, [self.source])
        path = folder / "tock.toml"
        machine = MachineAdmin(path, config_of(path, "", {"TOCK_DATA": str(folder)}), ())
        app = create_app(self.table, PageServices(data=folder, machine=machine))
        self.people = People(lambda: DirectPhone(app), rng, lambda: machine_code(app))
        self.people.pin = pin
        for name, kept in cookies.items():
            self.people.phones[Seat[name]].take(kept)
        self.table.start()

    def cookies(self) -> dict[str, dict[str, str]]:
        """The cookies of the phones, for after the power cut."""
        return {seat.name: phone.cookies() for seat, phone in self.people.phones.items()}

    def look(self) -> Seen:
        """Everything that the phones show."""
        self.people.become_host()
        return self.people.look()

    def is_kept(self) -> bool:
        """Whether everything is on the disk soon, and the phones say so."""

        def kept() -> bool:
            seen = self.look()
            stored = self.store.game(seen.number).events
            return seen.kept and [event_to_line(event) for event in stored] == seen.log

        return is_soon(kept)

    def plan(self) -> Deed:
        """Choose the next request; most are part of the game."""
        self.people.become_host()
        if self.rng.random() >= PLAYING_SHARE:
            return self.people.deed(self.rng.choice(BESIDE_PLAY))
        state = self.people.state()
        if state.game.seq > MAX_GAME_EVENTS or state.game.ended is not None:
            return self.people.deed("new_game")
        self.source.show(state.position.board.to_pawns(), 1)
        if state.position.to_move not in self.table.people.names():
            self.people.sit_down()
        return self.people.deed(self.rng.choice(some_bodies(self.rng, state)).KIND)

    def sees(self) -> bool:
        """Whether a move made on the board is taken in, in a game begun for it."""
        self.people.become_host()
        new_game = {"ruleset": "mjc", "players": 4}
        if not self.people.host.post("/api/v1/request", kind="new_game", data=new_game, role="host")["ok"]:
            return False
        position = self.people.state().position
        self.source.show(position.board.to_pawns(), 5)
        card = Card.parse("KH")
        laid = self.table.request(Request(PlayCard(card), Role.SEAT, position.to_move))
        self.source.show(position.legal_moves(card)[0].result.to_pawns(), 12)
        return laid.ok and is_soon(lambda: bool(self.table.view(Role.TABLE)["history"]))


def is_soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes true within some seconds."""
    try:
        return until(holds, within_s=PATIENCE_S)
    except AssertionError:
        return False
