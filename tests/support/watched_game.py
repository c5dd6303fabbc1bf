"""Crawls every route, stream, refusal and log as every kind of caller while seats change hands.

What leaves the table without a phone is read too: a broker's topics, figures, what commands print and pack, a recording
with photos of hands. A card that nobody has laid may reach its owner alone, a picture kept as evidence the host alone,
and a photo of a hand nobody by any route.
"""

import json
import logging
import random
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.support.boards import pawns
from tests.support.leaks import (
    EVIDENCE,
    NAMED,
    PHOTO,
    PICTURES,
    QUESTIONS,
    REQUESTS,
    WRONG,
    WRONG_PATHS,
    PicturedSource,
    Subscriber,
    changes,
    is_photo,
    moves_of,
    paths,
    printed_by_commands,
    read,
    recorded,
)
from tests.support.mosquitto import Broker
from tests.support.page import OWN
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_app.service.metrics import metrics_text
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_rules import Seat, pack
from tock_web import create_app
from tock_web.services import PageServices

ROUNDS = 1
HAND = 5
COMPUTER = Seat.P2
IN_RECORDINGS = "photos in recordings"
PACK = [str(card) for card in pack(1, True)]
WHOLE_PACK = re.compile("|".join(f'"{text}"' for text in (r'",\s*"'.join(PACK), r'",\s*"'.join(PACK[:52]))))


class Records(logging.Handler):
    """Keeps the lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@dataclass
class Viewer:
    """A browser, and the cards that it may see."""

    client: FlaskClient
    own: set[str] = field(default_factory=set)

    def post(self, path: str, **data: object) -> Any:
        return self.client.post(f"/api/v1/{path}", json=data, headers=OWN)

    def ask(self, kind: str, role: str = "seat", **data: object) -> Any:
        return self.post("request", kind=kind, role=role, data=data)


@dataclass
class Found:
    """The answers that a crawl read, and the cards it should not have read."""

    answers: Counter[str] = field(default_factory=Counter)
    read_bytes: int = 0
    leaks: list[str] = field(default_factory=list)
    changes: Counter[str] = field(default_factory=Counter)
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Texts and files that left the table without a phone."""
    pictures: Counter[str] = field(default_factory=Counter)
    """Pictures by who got them."""

    def add(self, other: "Found") -> None:
        self.answers += other.answers
        self.changes += other.changes
        self.elsewhere += other.elsewhere
        self.pictures += other.pictures
        self.read_bytes += other.read_bytes
        self.leaks += other.leaks


class WatchedGame:
    """One game: two people, a computer, the host and a guest; and everything that each of them received."""

    def __init__(self, folder: Path, seed: int, broker_port: int) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        self.source = PicturedSource()
        self.table = Table(
            generate(4, 440),
            Store(folder),
            [self.source],
            setup=GameSetup(position=pawns("P0 T4 T20, P1 T26")),
        )
        self.table.start()
        self.display = Subscriber(self.table, broker_port, f"table{seed}")
        self.recording = folder / "recording"
        self.table.record_to(Recorder(self.recording, self.table.board_file, keeps_photos=True))
        self.app = self._app(folder)
        self.phones = {name: Viewer(self.app.test_client()) for name in ("Anna", "Bob", "host", "guest")}
        self.secret: set[str] = set()
        self.laid: set[str] = set()
        self.photographed: list[str] = []
        self.found = Found()

    def _app(self, folder: Path) -> Flask:
        path = folder / "tock.toml"
        return create_app(
            self.table,
            PageServices(
                metrics=lambda streams: metrics_text(self.table.figures, streams),
                machine=MachineAdmin(path, config_of(path, "", {"TOCK_DATA": str(folder)})),
                read_cards=lambda _data: [
                    {"likely": [card], "confidence": 0.99} for card in self.photographed
                ],
            ),
        )

    def play(self) -> Found:
        """Play a few rounds with a crawl after each change of a seat."""
        logged = Records()
        logging.getLogger().addHandler(logged)
        logging.getLogger().setLevel(logging.DEBUG)
        try:
            assert self.phones["host"].post("host").status_code == 200
            self.phones["host"].ask("set_computer", "host", seat=COMPUTER.name, strength="easy")
            for _ in range(ROUNDS):
                self._round()
            self._elsewhere(logged)
        finally:
            logging.getLogger().removeHandler(logged)
            self.table.stop()
        return self.found

    def _elsewhere(self, logged: Records) -> None:
        """Read what left the table without a phone."""
        self.search("the log", "\n".join(logged.lines), set())
        self.found.elsewhere["lines of the log"] += len(logged.lines)
        for message in self.display.everything():
            self.search("MQTT", message, set())
            self.found.elsewhere["messages on the broker"] += 1
        for event in self.table.public_feed.after((0, 0, 0)):
            self.search("public events", json.dumps(event), set())
            self.found.elsewhere["public events"] += 1
        self.table.stop_recording()
        for where, data in recorded(self.recording):
            self.search_bytes(where, data, set(), may_hold_photos=is_photo(where))
            self.found.elsewhere["files of a recording"] += 1
        own = {"TOCK_DATA": str(self.folder)}
        for where, printed in printed_by_commands(self.folder, self.recording, own):
            self.search_bytes(where, printed, set(), may_hold_photos=is_photo(where))
            self.found.elsewhere["texts and files of commands"] += 1

    def _round(self) -> None:
        self.phones["host"].ask("withdraw_card", "host")
        assert self.phones["host"].ask("deal", "host", count=HAND).status_code == 200
        cards = self.rng.sample([card for card in PACK[:52] if card not in self.laid], 2 * HAND)
        self.secret = set(cards)
        hands = {"Anna": cards[:HAND], "Bob": cards[HAND:]}
        for name, seat in (("Anna", "P0"), ("Bob", "P1")):
            phone = self.phones[name]
            if phone.client.get("/api/v1/view?role=seat").status_code != 200:
                assert phone.post("join", name=name, seat=seat).status_code == 200, name
            assert phone.ask("hand_set", cards=hands[name]).status_code == 200
            phone.own = set(hands[name])
        drawn = self.table.request(parse_request("hand_draw", {}, Role.SEAT, COMPUTER))
        assert drawn.ok, drawn.code
        computer = {entry["card"] for entry in self.table.view(Role.SEAT, COMPUTER)["hand"]["cards"]}
        # The words of every page name the jokers, and the crawl itself names a card.
        self.secret = (self.secret | computer).intersection(PACK[:52]) - self.laid - {NAMED}
        self._turn()
        self._crawl()
        taker, seat = self._changed_seat()
        view = taker.client.get("/api/v1/view?role=seat").get_json()
        if view["hand"]["cards"]:
            self.found.leaks.append(f"{seat} shows {view['hand']['cards']}")
        self._crawl()
        assert taker.post("leave").status_code == 200
        del self.phones["taker"]

    def _turn(self) -> None:
        """Lay a card where somebody may, so that there are moves, and play one."""
        for name in ("Anna", "Bob"):
            phone = self.phones[name]
            view = phone.client.get("/api/v1/view?role=seat").get_json()
            playable = [entry["card"] for entry in view["hand"]["cards"] if entry["moves"]]
            if not view["your_turn"] or not playable:
                continue
            card = self.rng.choice(playable)
            assert phone.ask("play_card", card=card).status_code == 200
            self.laid.add(card)
            self.secret.discard(card)
            moves = phone.client.get("/api/v1/view?role=seat").get_json()["legal_moves"]
            if self.rng.random() < 0.8:
                phone.ask("move", text=self.rng.choice(moves)["text"], force=True)

    def _changed_seat(self) -> tuple[Viewer, str]:
        """Have somebody else sit on a seat, in one of the ways there are."""
        taker = self.phones["taker"] = Viewer(self.app.test_client())
        name, seat = self.rng.choice([("Anna", "P0"), ("Bob", "P1"), ("", COMPUTER.name)])
        way = (
            "from a computer"
            if not name
            else self.rng.choice(["left", "freed", "granted", "given", "through a computer"])
        )
        self.found.changes[way] += 1
        host = self.phones["host"]
        if way == "left":
            self.phones[name].post("leave")
        elif way in ("freed", "through a computer"):
            host.ask("free_seat", "host", seat=seat)
        elif way in ("granted", "given"):
            self._granted(taker, name, seat, by_host=way == "granted")
            return taker, seat
        if way == "through a computer":
            host.ask("set_computer", "host", seat=seat, strength="easy")
        assert taker.post("join", name="Zoé", seat=seat).status_code == 200
        return taker, seat

    def _granted(self, taker: Viewer, name: str, seat: str, *, by_host: bool) -> None:
        secret = taker.post("join/ask", name="Zoé", seat=seat).get_json()["secret"]
        view = self.phones["host"].client.get("/api/v1/view?role=host").get_json()
        number = view["wishes"][0]["number"]
        who, role = ("host", "host") if by_host else (name, "seat")
        assert self.phones[who].ask("answer_seat", role, number=number, yes=True).status_code == 200
        assert taker.post("join/hear", secret=secret).get_json()["state"] == "seated"

    def _crawl(self) -> None:
        for name, phone in self.phones.items():
            for path in (*paths(self.app), *self._pictured(), *WRONG_PATHS):
                answer = read(phone.client, path)
                self.found.pictures[name if name == "host" else "others"] += EVIDENCE in answer
                self.search_bytes(f"{name} {path}", answer, phone.own, may_hold_evidence=name == "host")
                self.found.answers[name if name in ("host", "guest", "taker") else "player"] += 1
            for path in changes(self.app):
                self._question(name, phone, path, {})
            for path, asked in WRONG:
                if name != "host" or asked.get("role") != "host":
                    self._question(name, phone, path, asked)
            for path, data in QUESTIONS:
                if path != "join/show" or not phone.own:
                    self._question(name, phone, path, data)
            for kind, data in REQUESTS:
                self._question(name, phone, "request", {"kind": kind, "data": data})
            self._photo(name, phone)

    def _pictured(self) -> list[str]:
        """The addresses of all pictures that may be kept."""
        moves = moves_of(self.table.archive.log(1))
        return [
            f"/api/v1/evidence{tail}"
            for seq in moves
            for tail in (f"?seq={seq}", *(f"/picture?seq={seq}&name={name}" for name in PICTURES))
        ]

    def _question(self, name: str, phone: Viewer, path: str, data: dict[str, object]) -> None:
        self.search(f"{name} POST {path} {json.dumps(data)}", phone.post(path, **data).text, phone.own)
        self.found.answers["questions"] += 1

    def _photo(self, name: str, phone: Viewer) -> None:
        """Send a photo in which the reader finds the caller's own cards."""
        self.photographed = sorted(phone.own)
        headers = {**OWN, "Content-Type": "image/jpeg"}
        picture = PHOTO + f"{name}: {' '.join(self.photographed)}".encode()
        answer = phone.client.post("/api/v1/hand/photo", data=picture, headers=headers)
        self.search(f"{name} POST hand/photo", answer.text, phone.own)
        self.found.answers["photos"] += 1

    def search_bytes(
        self,
        where: str,
        data: bytes,
        allowed: set[str],
        *,
        may_hold_evidence: bool = False,
        may_hold_photos: bool = False,
    ) -> None:
        """The same for bytes, and for pictures."""
        if EVIDENCE in data and not may_hold_evidence:
            self.found.leaks.append(f"{where}: a picture kept as evidence")
        if may_hold_photos:
            self.found.pictures[IN_RECORDINGS] += PHOTO in data
            return
        if PHOTO in data:
            self.found.leaks.append(f"{where}: a photo of a hand")
        self.search(where, data.decode(errors="replace"), allowed)

    def search(self, where: str, text: str, allowed: set[str]) -> None:
        """Note every secret card in a text that may hold none but those that are allowed."""
        self.found.read_bytes += len(text)
        sought = self.secret - allowed
        if sought:
            found = set(
                re.findall(rf"(?<![A-Za-z0-9#])({'|'.join(sought)})(?![A-Za-z0-9])", WHOLE_PACK.sub("", text))
            )
            self.found.leaks += [f"{where}: {card}" for card in sorted(found)]


def crawl(games: int, first_seed: int = 0) -> Found:
    """Crawl some games."""
    found = Found()
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(Path(folder))
        broker.start()
        try:
            for seed in range(first_seed, first_seed + games):
                found.add(WatchedGame(Path(folder) / str(seed), seed, broker.port).play())
        finally:
            broker.stop()
    return found
