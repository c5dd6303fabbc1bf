"""Four phones and a host before the real app, table and store on one folder; only the sockets are missing."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

from werkzeug.test import TestResponse

from tests.support.page import machine_code
from tests.support.requests import some_request
from tests.support.sources import HandSource
from tests.support.tables import BOARD
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_companion.core.bodies import PlayCard
from tock_companion.core.requests import Request, Role, request_data
from tock_companion.core.state import CoreState
from tock_companion.events.codec import event_to_line, read_log
from tock_companion.events.game import fold
from tock_companion.events.hands import fold_hands
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.names import Names
from tock_rules import BoardShape, Card, Seat
from tock_web import create_app
from tock_web.rights.cookies import SEAT_COOKIE
from tock_web.services import PageServices

SEATS = tuple(Seat)[:4]
PINS = (None, "4711", "080808")
PATIENCE_S = 8.0
MAX_GAME_EVENTS = 80
"""Events after which another game begins, so that folding a log stays quick."""
PICTURE_BYTES = 3000
Aspects = Mapping[str, Any]
"""The table as phones see it, by the kinds of request that may change each part."""
PEOPLE = frozenset({"people", "cookies", "hands"})
TOUCHES: Mapping[str, frozenset[str]] = {
    "join": PEOPLE,
    "leave": PEOPLE,
    "answer_seat": PEOPLE,
    "hear": PEOPLE,
    "free_seat": PEOPLE,
    "set_computer": PEOPLE,
    "hints": frozenset({"hints"}),
    "pin": frozenset({"pin"}),
    "settings": frozenset({"setting"}),
    "not kept": frozenset({"hands"}),
}
"""The parts that kinds not about the game may change; all others change the game and the hands."""
OF_THE_GAME = frozenset({"game", "hands"})
NOT_KEPT = ("no longer being saved", "has been writing")
"""Sentences that phones show while the game goes on in memory alone."""


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    sentence: str
    """The reason shown to people after a refusal."""

    @property
    def well_answered(self) -> bool:
        """Whether it was granted, or refused with a sentence; a busy table may say so, and nothing else may fail."""
        return self.status == 200 or (bool(self.sentence) and (self.status < 500 or self.status == 503))


@dataclass(frozen=True)
class Deed:
    """Something that one of them is about to do."""

    kind: str
    ask: Callable[[], TestResponse]

    def do(self) -> Answer:
        """Do it."""
        answer = self.ask()
        body: Any = answer.json or {}
        return Answer(answer.status_code, str((body.get("message") or {}).get("en", "")))


class PicturedSource(HandSource):
    """A source that has a picture of every hole."""

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        return {name: t_ms.to_bytes(8, "big") * (PICTURE_BYTES // 8) for name in names}


class Household:
    """The companion and its people; the secrets of the phones outlive a power cut, as cookies do."""

    def __init__(self, folder: Path, cookies: Mapping[str, str], pin: str | None, rng: Random) -> None:
        """Start the companion; raises TockError when it does not start."""
        self.folder, self.rng, self.pin = folder, rng, pin
        self.store, self.source = Store(folder), PicturedSource()
        self.table = Table(BOARD, self.store, [self.source])
        path = folder / "tock.toml"
        config = config_of(path, "", {"TOCK_DATA": str(folder)})
        machine = MachineAdmin(path, config, ())
        self.app = create_app(self.table, PageServices(data=folder, machine=machine))
        self.phones = {seat: self.app.test_client() for seat in SEATS}
        self.host = self.app.test_client()
        for name, secret in cookies.items():
            self.phones[Seat[name]].set_cookie(SEAT_COOKIE, secret)
        self._secret = "0" * 32
        self.table.start()

    def cookies(self) -> dict[str, str]:
        """The secrets of the phones, for after the power cut."""
        found = {seat: phone.get_cookie(SEAT_COOKIE) for seat, phone in self.phones.items()}
        return {seat.name: cookie.value for seat, cookie in found.items() if cookie is not None}

    def aspects(self) -> dict[str, Any]:
        """Everything that can be seen now, as JSON has it."""
        view: Any = self.table.view(Role.TABLE)
        people = self.table.people
        hands = {seat.name: self.table.view(Role.SEAT, seat)["hand"]["cards"] for seat in SEATS}
        seen = {
            "game": {
                "number": self.table.number,
                **{key: view[key] for key in ("to_move", "card", "holes")},
                "history": [
                    [move["seq"], move["seat"], move["card"], move["text"]] for move in view["history"]
                ],
                "seq": view["game"]["seq"],
            },
            "hands": hands,
            "people": [
                {seat.name: row[seat] for seat in row} for row in (people.names(), people.computers())
            ],
            "cookies": {name: self._seat_of(secret) for name, secret in self.cookies().items()},
            "hints": self.host.get("/api/v1/hints").json,
            "pin": self.host.get("/api/v1/session").json["pin"],  # type: ignore[index]
            "setting": self._setting(),
        }
        seen["kept"] = not any(words in str(view["health"]) for words in NOT_KEPT)
        return dict(json.loads(json.dumps(seen)))

    def is_kept(self) -> bool:
        """Whether everything is on the disk soon, and the phones say so."""
        end_s = monotonic() + PATIENCE_S
        while monotonic() < end_s:
            number = self.table.number
            kept = "".join(f"{event_to_line(event)}\n" for event in self.store.game(number).events)
            health = str(self.table.view(Role.TABLE)["health"])
            if kept == self.table.archive.log(number) and not any(words in health for words in NOT_KEPT):
                return True
            sleep(0.05)
        return False

    def _seat_of(self, secret: str) -> str | None:
        seat = self.table.people.holder(secret)
        return seat.name if seat is not None else None

    def _setting(self) -> object:
        path = self.folder / "tock.toml"
        return path.read_text() if path.exists() else ""

    def kinds(self) -> Mapping[str, Callable[[], TestResponse]]:
        """The acts of people, by kind."""
        return {
            "join": self._join,
            "leave": lambda: self._post(self._some_phone(), "leave"),
            "ask": self._ask_for_seat,
            "answer_seat": self._answer_seat,
            "hear": lambda: self._post(self._some_phone(), "join/hear", secret=self._secret),
            "free_seat": lambda: self._ask_host("free_seat", seat=self._some_seat()),
            "set_computer": lambda: self._ask_host("set_computer", seat=self._some_seat(), strength="easy"),
            "hints": lambda: self._post(self.host, "hints", most="nudge", per_seat=self.rng.randrange(99)),
            "pin": self._new_pin,
            "settings": self._change_setting,
            "upload": self._upload,
            "new_game": lambda: self._ask_host("new_game", ruleset="gladius", players=4),
        }

    def plan(self) -> "Deed":
        """Choose who does what next: they mostly play."""
        self.become_host()
        if self.rng.random() < 0.6:
            return self._play()
        return self.deed(self.rng.choice(list(self.kinds())))

    def deed(self, kind: str) -> "Deed":
        """Something of that kind, to be done."""
        return Deed(kind, self.kinds()[kind])

    def sees(self) -> bool:
        """Whether a move made on the board is taken in, in a game begun for it."""
        self.become_host()
        if self._ask_host("new_game", ruleset="mjc", players=4).status_code != 200:
            return False
        position = self.state().position
        self.source.show(position.board.to_pawns(), 5)
        card = Card.parse("KH")
        laid = self.table.request(Request(PlayCard(card), Role.SEAT, position.to_move))
        self.source.show(position.legal_moves(card)[0].result.to_pawns(), 12)
        end_s = monotonic() + PATIENCE_S
        while laid.ok and monotonic() < end_s:
            if self.table.view(Role.TABLE)["history"]:
                return True
            sleep(0.02)
        return False

    def become_host(self) -> None:
        """Have the host's phone be the host; after a power cut it must ask again."""
        session: Any = self.host.get("/api/v1/session").json
        if not session["host"]:
            self._post(self.host, "host", pin=machine_code(self.app))

    def state(self) -> CoreState:
        """The table as the log has it."""
        events = read_log(self.table.archive.log(self.table.number).splitlines())
        names = Names(BoardShape(4), BOARD.colors, self.table.people.names())
        return CoreState.of(names, fold(events), fold_hands(events, {}))

    def _play(self) -> "Deed":
        state = self.state()
        if state.game.seq > MAX_GAME_EVENTS or state.game.ended is not None:
            return self.deed("new_game")
        self.source.show(state.position.board.to_pawns(), 1)
        asked = some_request(self.rng, state)
        phone = self.host if asked.role is Role.HOST or asked.seat is None else self.phones[asked.seat]
        if phone is not self.host and asked.seat not in self.table.people.names():
            return Deed("join", lambda: self._join(asked.seat))
        data = request_data(asked.body)
        return Deed(
            asked.kind,
            lambda: self._post(phone, "request", kind=asked.kind, data=data, role=asked.role.value),
        )

    def _join(self, seat: Seat | None = None) -> TestResponse:
        seat = seat or self.rng.choice(SEATS)
        return self._post(self.phones[seat], "join", name=f"Player {seat.name}", seat=seat.name, lang="fr")

    def _new_pin(self) -> TestResponse:
        pin = self.rng.choice(PINS)
        answer = self._post(self.host, "host/pin", pin=pin, proof=machine_code(self.app))
        if answer.status_code == 200:
            self.pin = pin
        return answer

    def _ask_for_seat(self) -> TestResponse:
        answer = self._post(self.host, "join/ask", name="Zoé", seat=self._some_seat(), lang="fr")
        self._secret = str((answer.json or {}).get("secret", self._secret))
        return answer

    def _answer_seat(self) -> TestResponse:
        numbers = [asked.number for asked in self.table.people.requests()] or [1]
        return self._ask_host("answer_seat", number=numbers[0], yes=self.rng.random() < 0.8)

    def _change_setting(self) -> TestResponse:
        return self._post(
            self.host,
            "machine/settings",
            name="retention.recordings_mb",
            value=self.rng.randrange(100, 900),
        )

    def _upload(self) -> TestResponse:
        log = self.table.archive.log(self.table.number)
        return self._post(self.host, "games", log=log)

    def _ask_host(self, kind: str, **data: object) -> TestResponse:
        return self._post(self.host, "request", kind=kind, data=data, role="host")

    def _post(self, client: Any, path: str, **data: object) -> TestResponse:
        answer: TestResponse = client.post(f"/api/v1/{path}", json=data, headers={"X-Tock": "1"})
        return answer

    def _some_phone(self) -> Any:
        return self.phones[self.rng.choice(SEATS)]

    def _some_seat(self) -> str:
        return self.rng.choice(SEATS).name


def differences(shown: Aspects, found: Aspects, doubtful: Collection[str]) -> list[str]:
    """Everything shown that is missing after a restart; requests of the `doubtful` kinds may have been done or not."""
    touched = frozenset[str]().union(*(TOUCHES.get(kind, OF_THE_GAME) for kind in doubtful))
    lost = [name for name in shown if name not in touched | {"game", "kept"} and shown[name] != found[name]]
    # The board is looked at all the time, so the game may have gone on; it never goes back.
    before, after = ((game["number"], game["seq"]) for game in (shown["game"], found["game"]))
    if after < before or (after == before and shown["game"] != found["game"]):
        lost.append("game")
    return lost
