"""A whole companion killed while it answers: everything shown is there again, and the test notices a loss."""

import json
import shutil
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest

from tests.support.mosquitto import free_port
from tests.support.page import no_cards
from tests.support.page_client import PageClient
from tests.support.people import (
    ANOTHER_GAME,
    BOARD,
    ENDING,
    KINDS,
    ROUTES,
    Answer,
    Deed,
    People,
    Seen,
    Shown,
    lost,
)
from tests.support.service import Companion
from tests.support.waiting import until
from tock_app.service.control import ask
from tock_companion.core.bodies import BODIES
from tock_companion.errors import TockError
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.services import PageServices

MAX_TURNS_BEFORE = 4
"""Requests that are answered before the one that is cut off."""
START_PATIENCE_S = 300.0
ANSWER_PATIENCE_S = 180.0
TYPICAL_S = 0.004
LATEST = 0.8
"""The kill comes after up to this share of the time that an answer of that kind takes."""
CONFIG = 'ruleset = "mjc"\nhost = "127.0.0.1"\n[sources.simulated]\n'
LINE_DEAD = (OSError, HTTPException, ValueError)


@dataclass
class Findings:
    """Counts and faults of all kills so far."""

    faults: list[str] = field(default_factory=list)
    events_shown: int = 0
    in_flight: Counter[str] = field(default_factory=Counter)
    """Kills by the kind of the request that had no answer yet."""


class Ear(Thread):
    """A spectator's stream, read until the line goes dead."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self.shown = Shown()

    def run(self) -> None:
        with suppress(*LINE_DEAD), urlopen(f"{self._url}/api/v1/events?role=watch&tab=kill-study") as stream:
            for line in stream:
                if line.startswith(b"data: ") and b'"history"' in line:
                    self.shown.take(json.loads(line.removeprefix(b"data: ")))


class Cutting(Thread):
    """One request, whose answer may never come."""

    def __init__(self, deed: Deed) -> None:
        super().__init__(daemon=True)
        self._deed = deed
        self.answer: Answer | None = None

    def run(self) -> None:
        with suppress(*LINE_DEAD):
            self.answer = self._deed.do()


class KilledCompanion:
    """One data folder whose companion is killed again and again."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.found = Findings()
        self._rng = Random(seed)
        self._port = free_port()
        self._folder = folder / "data"
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        (self._folder / "tock.toml").write_text(CONFIG, encoding="utf-8")
        self._log = folder / "companion.log"
        url = f"http://127.0.0.1:{self._port}"
        self._people = People(
            lambda: PageClient(url, ANSWER_PATIENCE_S),
            self._rng,
            lambda: ask(self._folder, "host-code")["code"],
        )
        self._seen, self._shown, self._during = Seen(), Shown(), ""
        self._typical_s: dict[str, float] = {}

    def kill_during_a_request(self) -> None:
        """Start, compare, play a little, kill."""
        with self._log.open("ab") as log:
            companion = Companion(self._folder, port=self._port, errors=log)
            try:
                companion.wait_until_up(START_PATIENCE_S)
                self._compare()
                self._play()
                self._cut(companion)
            except TockError as error:
                self.found.faults.append(str(error))
            finally:
                companion.kill()

    def _compare(self) -> None:
        self._people.become_host()
        found = self._people.look()
        if self._seen.aspects:
            log = self._people.log(self._seen.number)
            self.found.events_shown += len(self._seen.log)
            missing = lost(self._seen, found, log, {self._during})
            # Phones see nothing after the cut, and the stream's last message counts as seen.
            if found.number == self._seen.number and self._during not in ANOTHER_GAME | {"games"}:
                missing += self._shown.missing(log)
            self.found.faults += [f"{what} lost during {self._during}" for what in missing]

    def _play(self) -> None:
        self._people.sit_down()
        for _ in range(self._rng.randrange(MAX_TURNS_BEFORE)):
            self._people.become_host()
            deed = self._people.deed(self._rng.choice([kind for kind in KINDS if kind not in ENDING]))
            began_s = time.monotonic()
            answer = deed.do()
            self._typical_s[deed.kind] = time.monotonic() - began_s
            self._people.after(deed, answer)
            if not answer.is_proper:
                self.found.faults.append(f"{deed.kind} {deed.path}: {answer.status} '{answer.sentence}'")
        # A phone's place or another board has the table built again: its page is away for a moment.
        until(self._answers, "the page is there")
        self._people.become_host()

    def _answers(self) -> bool:
        try:
            self._people.look()
        except LINE_DEAD:
            return False
        return True

    def _cut(self, companion: Companion) -> None:
        flown = self.found.in_flight
        fewest = min(flown[kind] for kind in KINDS)
        deed = self._people.deed(self._rng.choice([kind for kind in KINDS if flown[kind] == fewest]))
        ear = Ear(companion.url)
        ear.start()
        self._seen, self._during = self._people.look(), deed.kind
        asking = Cutting(deed)
        asking.start()
        asking.join(self._rng.uniform(0, LATEST * self._typical_s.get(deed.kind, TYPICAL_S)))
        companion.kill()
        asking.join()
        ear.join()
        self._shown = ear.shown
        if asking.answer is None:
            flown[deed.kind] += 1
        else:
            self._people.after(deed, asking.answer)


MOVE = json.dumps({"seq": 2, "event": "move_accepted", "move": "P0:T20>T29"})
LOG = [json.dumps({"seq": 1, "event": "game_started"}), MOVE]
SEEN = {"hands": {"P0": ["9H"]}, "pin": True, "hints": {"most": "off"}}


def seen(log: list[str] = LOG, number: int = 1, **aspects: Any) -> Seen:
    return Seen(number, list(log), {**SEEN, **aspects})


@pytest.mark.whole
def test_a_companion_killed_during_requests_comes_back_with_all_that_it_showed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only under a supervisor does a companion end itself to be started again.
    monkeypatch.setenv("INVOCATION_ID", "test")
    killed = KilledCompanion(tmp_path)
    while killed.found.in_flight.total() < 3 and not killed.found.faults:
        killed.kill_during_a_request()
    assert killed.found.faults == []
    assert killed.found.events_shown


def test_every_kind_and_every_route_that_can_be_asked_is_among_those_killed(tmp_path: Path) -> None:
    table = Table(BOARD, Store(tmp_path))
    asked = {
        rule.rule.removeprefix("/api/v1/")
        for rule in create_app(table, PageServices(read_cards=no_cards)).url_map.iter_rules()
        if "POST" in (rule.methods or ())
    }
    assert asked - {"request"} == set(ROUTES)
    assert set(KINDS) == {*BODIES, *ROUTES, "GET"}
    table.stop()


def test_a_log_and_a_stream_s_moves_that_are_there_again_are_no_loss() -> None:
    assert lost(seen(), seen(), LOG, {"deal"}) == []
    assert Shown(2, {2: "P0:T20>T29"}).missing(LOG) == []


def test_a_missing_or_another_line_of_the_log_is_a_loss() -> None:
    other = [LOG[0], MOVE.replace("T29", "T30")]
    assert lost(seen(), seen(LOG[:1]), LOG[:1], {"deal"}) == ["the log"]
    assert lost(seen(), seen(other), other, {"deal"}) == ["the log"]
    assert Shown(2, {2: "P0:T20>T29"}).missing(other) == ["move 2"]
    assert Shown(3).missing(LOG) == ["events up to 3"]


def test_a_hand_may_change_only_by_what_was_cut_off_or_with_the_game() -> None:
    found = seen(hands={"P0": []})
    assert lost(seen(), found, LOG, {"hints"}) == ["hands"]
    assert lost(seen(), found, LOG, {"hand_set"}) == []
    assert lost(seen(), found, [*LOG, MOVE], {"hints"}) == []


def test_a_pin_is_changed_by_nothing_but_a_new_pin() -> None:
    assert lost(seen(), seen(pin=False), LOG, {"deal"}) == ["pin"]
    assert lost(seen(), seen(pin=False), LOG, {"host/pin"}) == []
