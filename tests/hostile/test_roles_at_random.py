"""Four people make random requests: a present host stays host, and no update is installed without the PIN."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.page import OWN, machine_code
from tests.support.tables import BOARD
from tock_companion.allowance import Window
from tock_companion.machine.client import Helper
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import Hosts, MachineCode, PageServices, create_app
from tock_web.context import context_of
from tock_web.limits.pin_attempts import PROVED_ADDRESS, PROVED_DEVICE
from tock_web.rights.cookies import DEVICE_COOKIE, HOST_COOKIE, SEAT_COOKIE
from tock_web.rights.host_secrets import HOST_AWAY_S
from tock_web.rights.pin import forget_pin

PEOPLE = ("owner", "player", "guest", "camera")
SEATS = ("P0", "P1", "P2", "P3")
REQUESTS = 30
GIVES_UP = {"leave", "host/release", "hand_host", "free_seat", "answer_seat"}
"""Acts of a host that end their own rights."""
INHERITED = {"leave", "free_seat", "answer_seat"}
"""Acts that pass the rights of a seat on to another one, where hosts need no PIN."""
WEIGHTS = {
    "join": 6, "join/ask": 3, "join/hear": 3, "leave": 1, "host": 6, "host/release": 1, "host/pin": 3, "hints": 1,
    "machine/update/install": 3, "hand_host": 3, "free_seat": 3, "answer_seat": 3, "set_computer": 1, "new_game": 1,
}  # fmt: skip


class RecordingHelper(Helper):
    """The superuser's helper, which notes its requests and does nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    @property
    def is_here(self) -> bool:
        return True

    def ask(self, verb: str, **_values: str) -> dict[str, Any]:
        self.asked.append(verb)
        return {"candidate": None, "progress": None}


@dataclass
class Person:
    """One of the four: their phone, when it last asked for anything, and the PIN that they know."""

    name: str
    client: FlaskClient
    last_seen_s: float = float("-inf")
    pin: str = ""
    secret: str = "0" * 32
    """Of the seat they asked for."""

    def cookie(self, name: str) -> str:
        kept = self.client.get_cookie(name)
        return "" if kept is None else kept.value


@dataclass
class Play:
    """A table, its four people, and the faults found."""

    folder: Path
    rng: Random
    clock_s: float = 0.0
    pin: str = ""
    faults: list[str] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    """Granted requests, by kind."""

    def __post_init__(self) -> None:
        """Start the table."""
        self.helper = RecordingHelper()
        self.table = Table(BOARD, Store(self.folder))
        self.table.start()
        self.app = self._app(Hosts(lambda: self.clock_s))
        self.people = {name: Person(name, self.app.test_client()) for name in PEOPLE}
        if self.rng.random() < 0.5:
            owner = self.people["owner"]
            self._ask(owner, "join", {"name": "Owner", "seat": "P0"})
            body = {"pin": "1357", "proof": machine_code(self.app)}
            self._note(owner, "host/pin", body, self._ask(owner, "host/pin", body))

    def _app(self, hosts: Hosts) -> Flask:
        code = MachineCode(lambda: self.clock_s)
        # Rights are tried here, not limits.
        attempts = Window(10**6, 10**6, 1.0, pools={PROVED_DEVICE: 10**6, PROVED_ADDRESS: 10**6})
        services = PageServices(
            hosts=hosts, machine_code=code, pin_attempts=attempts, data=self.folder, helper=self.helper
        )
        return create_app(self.table, services)

    def stop(self) -> None:
        """End the table."""
        self.table.stop()

    def run(self, requests: int = REQUESTS) -> None:
        """Have somebody ask for something, again and again."""
        for _ in range(requests):
            self._one()

    def _one(self) -> None:
        if self.rng.random() < 0.25:
            self.clock_s += self.rng.choice((5, 50, 115, 130))
        if self.rng.random() < 0.03:
            forget_pin(self.folder)
            self.pin = ""
        if self.rng.random() < 0.1 and self.pin:
            # The owner tells a child.
            self.people["player"].pin = self.pin
        person = self.people[self.rng.choice(PEOPLE)]
        before, here = self.hosts(), self.here()
        kind, path, body, proven = self._some_request(person)
        installs, pin_was = self.helper.asked.count("update-install"), self._pin_is_set()
        answer = self._ask(person, path, body)
        granted = answer.status_code == 200
        self.asked[kind] = self.asked.get(kind, 0) + granted
        self._note(person, kind, body, answer)
        what = f"{person.name}: {kind} {body} {answer.status_code}"
        self._lost(what, person, kind, proven, before, here)
        self._won(what, person, kind, proven, before, here, pin_was)
        if self.helper.asked.count("update-install") > installs and not (proven and person.name in before):
            self.faults.append(f"{person.name} installs with {body}")
        if self._pin_is_set() != pin_was and not proven:
            self.faults.append(f"{person.name} changes the PIN with {body}")

    def _ask(self, person: Person, path: str, body: Mapping[str, Any]) -> TestResponse:
        address = {"REMOTE_ADDR": f"10.0.0.{PEOPLE.index(person.name) + 1}"}
        person.last_seen_s = self.clock_s
        return person.client.post(f"/api/v1/{path}", json=body, headers=OWN, environ_base=address)

    def _lost(
        self, what: str, person: Person, kind: str, proven: bool, before: set[str], here: set[str]
    ) -> None:
        """A present host stays host, unless another host proves the PIN and changes it."""
        for lost in before - self.hosts():
            own = lost == person.name and kind in GIVES_UP
            ended = lost != person.name and kind == "host/pin" and proven and person.name in before
            if lost in here | {person.name} and not own and not ended:
                self.faults.append(f"{lost} is host no longer after {what}")

    def _won(
        self,
        what: str,
        person: Person,
        kind: str,
        proven: bool,
        before: set[str],
        here: set[str],
        had_pin: bool,
    ) -> None:
        """Nobody becomes host but by a proof, by a host, or where no host was here and no PIN is needed."""
        for won in self.hosts() - before:
            first = not (before & here - {person.name}) and not had_pin
            passed = person.name in before and (kind == "hand_host" or (kind in INHERITED and not had_pin))
            if not passed and not (won == person.name and (proven or first)):
                self.faults.append(f"{won} is host after {what}")

    def hosts(self) -> set[str]:
        """The holders of the host's rights; the question counts as no sign of life."""
        here = context_of(self.app)
        found = set()
        for name, person in self.people.items():
            device = person.cookie(DEVICE_COOKIE)
            seat = self.table.people.holder(person.cookie(SEAT_COOKIE), device)
            token = person.cookie(HOST_COOKIE)
            by_device = token and any(
                host.is_device(device) and host.has(token) for host in here.services.hosts.all()
            )
            if by_device or (seat is not None and seat is self.table.host_seat):
                found.add(name)
        return found

    def here(self) -> set[str]:
        """The people active just now."""
        return {
            name for name, person in self.people.items() if self.clock_s - person.last_seen_s < HOST_AWAY_S
        }

    def _pin_is_set(self) -> bool:
        return context_of(self.app).pin.is_set

    def _note(self, person: Person, kind: str, body: Mapping[str, Any], answer: TestResponse) -> None:
        if answer.status_code != 200:
            return
        if kind == "host/pin":
            self.pin = person.pin = str(body["pin"] or "")
        if kind == "join/ask":
            person.secret = answer.get_json()["secret"]

    # Their requests: the kind, the path, the body, and whether it proves the host's rights.

    def _some_request(self, person: Person) -> tuple[str, str, dict[str, Any], bool]:
        kinds: dict[str, Callable[[Person], tuple[dict[str, Any], bool]]] = {
            "join": lambda _who: (self._seat_asked(), False),
            "join/ask": lambda _who: (self._seat_asked(), False),
            "join/hear": lambda who: ({"secret": who.secret}, False),
            "leave": lambda _who: ({}, False),
            "host": self._become,
            "host/release": lambda _who: ({}, False),
            "host/pin": self._choose_pin,
            "hints": lambda _who: ({"most": "nudge"}, False),
            "machine/update/install": self._install,
        }
        kind = self.rng.choices([*WEIGHTS], [*WEIGHTS.values()])[0]
        if kind in kinds:
            body, proven = kinds[kind](person)
            return kind, kind, body, proven
        role = "seat" if kind == "answer_seat" and self.rng.random() < 0.5 else "host"
        return kind, "request", {"kind": kind, "role": role, "data": self._data(kind)}, False

    def _seat_asked(self) -> dict[str, Any]:
        return {"name": self.rng.choice(("Anna", "Bob")), "seat": self.rng.choice(SEATS), "lang": "fr"}

    def _data(self, kind: str) -> dict[str, Any]:
        seat = {"seat": self.rng.choice(SEATS)}
        match kind:
            case "answer_seat":
                numbers = [asked.number for asked in self.table.people.requests()] or [1]
                return {"number": self.rng.choice(numbers), "yes": self.rng.random() < 0.7}
            case "set_computer":
                return {**seat, "strength": "easy"}
            case "new_game":
                return {"ruleset": "gladius", "players": 4}
        return seat

    def _proof(self, person: Person) -> tuple[str, bool]:
        """Somebody's proof, and whether it is right: the owner alone sees the code on the machine."""
        if person.name == "owner" and self.rng.random() < 0.8:
            return machine_code(self.app), True
        given = person.pin or self.rng.choice(("", "0000", "4711", "00000000"))
        return given, given != "" and given == self.pin

    def _become(self, person: Person) -> tuple[dict[str, Any], bool]:
        given, right = self._proof(person)
        return ({"pin": given}, right) if self.rng.random() < 0.6 else ({}, False)

    def _choose_pin(self, person: Person) -> tuple[dict[str, Any], bool]:
        given, right = self._proof(person)
        return {"pin": self.rng.choice((None, "1357", "2468")), "proof": given}, right

    def _install(self, person: Person) -> tuple[dict[str, Any], bool]:
        given = person.pin or self.rng.choice(("0000", "4711"))
        return {"sha256": "0" * 64, "pin": given}, given == self.pin


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.parametrize("seed", range(3))
def test_a_present_host_stays_host_under_random_requests_of_four_people(tmp_path: Path, seed: int) -> None:
    granted = 0
    for number in range(10):
        play = Play(tmp_path / str(number), Random(f"{seed}-{number}"))
        try:
            play.run()
        finally:
            play.stop()
        assert play.faults == []
        granted += sum(play.asked.values())
    assert granted > 60
