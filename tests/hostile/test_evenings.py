"""Random evenings of a family: a person who sat keeps a seat, no name is there twice, no ghost stays, a host exists."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.page import OWN
from tock_companion.boardfile import BoardFile, generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Role
from tock_companion.core.state import Lobby
from tock_companion.errors import BadInputError
from tock_companion.names import skeleton
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.seat_requests import SILENT_S
from tock_rules import Seat
from tock_web import Hosts, MachineCode, PageServices, create_app
from tock_web.context import context_of
from tock_web.rights.cookies import DEVICE_COOKIE, HOST_COOKIE, SEAT_COOKIE, Secrets
from tock_web.rights.host_rights import Caller, HostRights
from tock_web.rights.host_secrets import HOST_AWAY_S

NAMES = ("Léa", "Tom", "Mamie", "Guy", "Zoé", "Max", "LEA", "Rosalie")
"""Two of them look alike."""
BOARDS = {zones: generate(zones, 440 + 60 * (zones - 4)) for zones in (4, 6, 8)}
RULES = ("mjc", "gladius", "diagonale", "parteu", "jackaroo")
DEEDS = {
    "sit": 8, "leave": 1, "lose": 3, "come back": 4, "walk out": 1, "take over": 2, "board": 2, "rules": 3,
    "begin": 3, "play": 3, "end": 2, "rematch": 2, "resume": 3, "second host": 1, "release": 1, "restart": 1, "wait": 2,
}  # fmt: skip
DEEDS_AN_EVENING = 14
POLL_S = 15.0
"""Time between two questions of a page for the answer to its request."""


@dataclass
class Guest:
    """One of the family: the phone in their hand, and the name under which they sit, empty while they do not."""

    name: str
    phone: FlaskClient
    sits_as: str = ""
    has_lost_cookie: bool = False
    is_gone: bool = False
    """They went home without leaving their seat."""

    @property
    def is_ghost(self) -> bool:
        return bool(self.sits_as) and (self.has_lost_cookie or self.is_gone)


@dataclass
class Evening:
    """A table and its guests; `faults` are the broken promises."""

    rng: Random
    folder: Path
    clock_s: float = 0.0
    board: BoardFile = BOARDS[4]
    faults: list[str] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Open the table."""
        self._hosts = Hosts(lambda: self.clock_s)
        self.table, self.app = self._opened((GameSetup(), Lobby()))
        self.guests = [Guest(name, self.app.test_client()) for name in NAMES]

    def _opened(self, opening: tuple[GameSetup, Lobby]) -> tuple[Table, Flask]:
        setup, lobby = opening
        table = Table(self.board, Store(self.folder), setup=setup, lobby=lobby, clock_s=lambda: self.clock_s)
        table.start()
        code = MachineCode(lambda: self.clock_s)
        return table, create_app(table, PageServices(hosts=self._hosts, machine_code=code))

    def _open_again(self, opening: tuple[GameSetup, Lobby]) -> None:
        self.table.stop()
        self.table, self.app = self._opened(opening)
        for guest in self.guests:
            guest.phone.application = self.app

    def run(self) -> None:
        """Have some sit down, and somebody do something, again and again."""
        for _ in range(self.rng.randrange(1, 7)):
            self._sit()
        for _ in range(DEEDS_AN_EVENING):
            self._wait(self.rng.choice((1.0, 5.0, 20.0)))
            deed = self.rng.choices([*DEEDS], [*DEEDS.values()])[0]
            if getattr(self, f"_{deed.replace(' ', '_')}")() is not False:
                self.done[deed] = self.done.get(deed, 0) + 1
                self._check(deed)
        self.table.stop()

    def _check(self, deed: str) -> None:
        names = self.table.people.names()
        expected = sorted(guest.sits_as for guest in self.guests if guest.sits_as)
        if sorted(names.values()) != expected:
            self.faults.append(f"{deed}: {sorted(names.values())} sit instead of {expected}")
        shown = [row["name"] for row in self._seats() if row["name"]]
        if len({skeleton(name) for name in shown}) < len(shown):
            self.faults.append(f"{deed}: a name twice in {shown}")
        if not set(names) <= set(self.table.game.position.seats):
            self.faults.append(f"{deed}: {names} are not all in the game")
        for guest in self._here():
            seat = self._caller(guest).seat
            if guest.sits_as and (seat is None or names.get(seat) != guest.sits_as):
                self.faults.append(f"{deed}: {guest.sits_as} has {seat}")
            elif seat is not None:
                self.table.view(Role.SEAT, seat)
        self._check_host(deed)

    def _check_host(self, deed: str) -> None:
        """Somebody here is host, or was within two minutes, or one tap makes anybody host."""
        if self._host() is None and self._rights.is_host_here:
            self._wait(HOST_AWAY_S)
            if self._rights.is_host_here:
                self.faults.append(f"{deed}: nobody is host, and nobody can be")

    # Deeds; those that cannot be done now return False.

    def _sit(self) -> bool:
        guest = self._some(lambda one: not one.sits_as)
        free = [row["seat"] for row in self._seats() if not row["taken"]]
        if guest is None or not free:
            return False
        guest.is_gone = guest.has_lost_cookie = False
        answer = self._post(guest, "join", name=guest.name, seat=self.rng.choice(free))
        if not answer["ok"]:
            self.faults.append(f"{guest.name} may not sit on a free seat: {answer}")
        guest.sits_as = answer.get("name", "")
        return True

    def _leave(self) -> bool:
        guest = self._some(lambda one: bool(one.sits_as) and not one.is_ghost)
        if guest is None:
            return False
        guest.sits_as = ""
        return bool(self._post(guest, "leave")["ok"])

    def _lose(self) -> bool:
        guest = self._some(lambda one: bool(one.sits_as) and not one.is_ghost)
        if guest is None:
            return False
        guest.has_lost_cookie, guest.phone = True, self.app.test_client()
        return True

    def _walk_out(self) -> bool:
        guest = self._some(lambda one: bool(one.sits_as) and not one.is_ghost)
        if guest is None:
            return False
        guest.is_gone = True
        return True

    def _come_back(self) -> bool:
        """The same person on a new phone: one tap on their name."""
        guest = self._some(lambda one: one.has_lost_cookie and not one.is_gone)
        if guest is None:
            return False
        if self._asks(guest, guest.sits_as, guest.sits_as):
            guest.has_lost_cookie = False
        else:
            self.faults.append(f"{guest.sits_as} does not get the own seat back in a minute")
        return True

    def _take_over(self) -> bool:
        """A newcomer asks for the seat of somebody who has gone home."""
        ghost = self._some(lambda one: one.is_gone and bool(one.sits_as))
        guest = self._some(lambda one: not one.sits_as)
        if ghost is None or guest is None:
            return False
        guest.is_gone = guest.has_lost_cookie = False
        if self._asks(guest, guest.name, ghost.sits_as):
            seat = self._caller(guest).seat
            ghost.sits_as, guest.sits_as = "", self.table.people.names()[seat] if seat is not None else ""
        else:
            self.faults.append(f"the ghost of {ghost.sits_as} keeps its seat from {guest.name}")
        return True

    def _asks(self, guest: Guest, name: str, holder: str) -> bool:
        seat = next(row["seat"] for row in self._seats() if row["name"] == holder)
        secret = self._post(guest, "join/ask", name=name, seat=seat)["secret"]
        asked_s = self.clock_s
        while self.clock_s - asked_s <= SILENT_S + POLL_S:
            if self._post(guest, "join/hear", secret=secret).get("state") == "seated":
                return True
            self._wait(POLL_S)
        return False

    def _board(self) -> bool:
        zones = self.rng.choice([*BOARDS])
        setup, lobby = self.table.opening
        try:
            seats = game_started(setup, BOARDS[zones]).seats
        except BadInputError:
            # As the companion does for rules that are not played on the new board.
            setup, lobby = GameSetup(), Lobby()
            seats = game_started(setup, BOARDS[zones]).seats
        if None in self.table.people.places_on([Seat[seat] for seat in seats]).values():
            return False
        self.table.end_game("another board")
        self.board = BOARDS[zones]
        self._open_again((setup, lobby))
        return True

    def _rules(self) -> bool:
        asked = {"ruleset": self.rng.choice(RULES), "players": self.rng.choice((None, 2, 4, 6))}
        return self._as_host("prepare", computers=self.rng.choice((None, "easy")), **asked)

    def _begin(self) -> bool:
        return self._as_host("begin")

    def _play(self) -> bool:
        mover = self.table.people.names().get(self.table.position.to_move)
        guest = next((one for one in self._here() if one.sits_as and one.sits_as == mover), None)
        return guest is not None and self._ask(guest, "play_card", "seat", card="KH", begins=True)

    def _end(self) -> bool:
        return self.table.end_game("given up").ok

    def _rematch(self) -> bool:
        return self._as_host("rematch", rotate=self.rng.random() < 0.5)

    def _resume(self) -> bool:
        kept = [row for row in self.table.archive.games() if row["ended"] and not row["won"]]
        host = self._host()
        if not kept or host is None:
            return False
        number = self.rng.choice(kept)["number"]
        found = self._post(host, "games/look", number=number)
        if "chairs" not in found:
            return False
        sitting = {row["seat"]: row["name"] for row in self._seats() if row["taken"]}
        if not self._post(host, "games", number=number)["ok"]:
            return False
        now = {chair["seat"]: sitting[chair["now"]] for chair in found["chairs"] if chair["now"]}
        for chair in found["chairs"]:
            alike = [name for name in sitting.values() if skeleton(name) == skeleton(chair["name"])]
            if chair["name"] and alike and now.get(chair["seat"]) not in alike:
                self.faults.append(f"{alike} does not play on as {chair['seat']}")
        seated = {row["seat"]: row["name"] for row in self._seats() if row["taken"]}
        if seated != now or len(now) < min(len(sitting), len(found["chairs"])):
            self.faults.append(f"{seated} play on instead of {now}")
        for guest in self.guests:
            # For more than can play, the page has said who looks on.
            guest.sits_as = guest.sits_as if guest.sits_as in now.values() else ""
        return True

    def _second_host(self) -> bool:
        guest = self.rng.choice(self._here())
        return bool(self._post(guest, "host")["ok"])

    def _release(self) -> bool:
        host = self._host()
        return host is not None and bool(self._post(host, "host/release")["ok"])

    def _restart(self) -> bool:
        self._hosts = Hosts(lambda: self.clock_s)
        self._open_again(self.table.opening)
        return True

    def _wait(self, seconds: float = 30.0) -> None:
        """Time passes, and the open pages show that they are there."""
        self.clock_s += seconds
        for guest in self._here():
            self._caller(guest)

    # Asking.

    def _here(self) -> list[Guest]:
        return [guest for guest in self.guests if not guest.is_gone and not guest.has_lost_cookie]

    def _some(self, fits: Any) -> Guest | None:
        found = [guest for guest in self.guests if fits(guest)]
        return self.rng.choice(found) if found else None

    def _host(self) -> Guest | None:
        return next((guest for guest in self._here() if self._caller(guest).is_host), None)

    @property
    def _rights(self) -> HostRights:
        return context_of(self.app).host_rights

    def _caller(self, guest: Guest) -> Caller:
        """The rights of a phone, as every route asks for them."""
        kept = (guest.phone.get_cookie(name) for name in (SEAT_COOKIE, HOST_COOKIE, DEVICE_COOKIE))
        seat, host, device = (cookie.value if cookie is not None else None for cookie in kept)
        return self._rights.of(Secrets(seat, host, device or ""))

    def _as_host(self, kind: str, **data: object) -> bool:
        host = self._host()
        return host is not None and self._ask(host, kind, "host", **data)

    def _ask(self, guest: Guest, kind: str, role: str, **data: object) -> bool:
        return bool(self._post(guest, "request", kind=kind, role=role, data=data)["ok"])

    def _seats(self) -> list[Any]:
        return [*self.table.view(Role.TABLE)["seats"]]

    def _post(self, guest: Guest, path: str, **data: object) -> Any:
        return guest.phone.post(f"/api/v1/{path}", json=data, headers=OWN).get_json()


def broken(seeds: range) -> Iterator[str]:
    """The broken promises of some evenings."""
    for seed in seeds:
        with TemporaryDirectory() as folder:
            evening = Evening(Random(seed), Path(folder))
            evening.run()
            yield from (f"evening {seed}: {fault}" for fault in evening.faults)


@pytest.mark.parametrize("seed", range(4))
def test_everybody_keeps_their_chair_all_evening(seed: int) -> None:
    assert [*broken(range(10 * seed, 10 * seed + 10))] == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_everybody_keeps_their_chair_in_ten_thousand_evenings(part: int) -> None:
    assert [*broken(range(500 * part, 500 * part + 500))] == []
