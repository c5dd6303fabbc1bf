"""An evening at a real home with some of its people far away: whole games, while lines are cut and programs killed."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

from tock_bench.clients import PageClient
from tock_bench.companion import BLIND, Companion
from tock_bench.far.guest import FarGuest
from tock_bench.far.ledger import Differences, Ledger, deed_of, newest_game, public_of_view
from tock_bench.far.meeting import Meeting
from tock_bench.far.player import Wish, wish_of
from tock_bench.far.slow_line import SlowLine
from tock_bench.meeting_place import context_of

NAMES = ("Zéphyrine Quatrelune", "Balthazar Ouessant", "Hippolyte Marguerin", "Théodosia Vaubancourt")
SETTINGS = 'ruleset = "mjc"\nhost = "127.0.0.1"\n[far]\nrelay = "https://127.0.0.1:{port}"\nca = "{ca}"\n'
FAR_SEATS = (1, 2, 1, 3, 1, 1)
"""Of one home after the other; where only one is far away, two play."""
OK = 200
PATIENCE_S, START_S = 180.0, 300.0
LOOK_S = 1.0
ROUND_TRIP_S, LOSS = 0.02, 0.01
UNDER_WAY_S = 0.06
"""A line is cut up to so long after a request has been sent."""
DEAD = (OSError, HTTPException, ValueError)


@dataclass(frozen=True, slots=True)
class Rates:
    """The share of turns in which something ends."""

    cut: float = 0.04
    relay: float = 0.0015
    broker: float = 0.0025
    home: float = 0.002


@dataclass
class Found:
    """Findings of some games."""

    games: int = 0
    turns: int = 0
    cuts: int = 0
    home_kills: int = 0
    sessions: int = 0
    stuck: int = 0
    differing_answers: int = 0
    refused: int = 0
    seconds: float = 0.0
    differences: Differences = field(default_factory=Differences)


class StuckError(Exception):
    """Nothing goes on."""


class Evening:
    """One home, its people there and far away; all methods run in one loop."""

    def __init__(self, number: int, seed: int, folder: Path, meeting: Meeting, rates: Rates) -> None:
        self._rng = random.Random(f"{seed} {number}")
        self.number, self.folder, self._meeting, self._rates = number, folder, meeting, rates
        far = FAR_SEATS[number % len(FAR_SEATS)]
        self._players = 2 if far == 1 else 4
        seats = ["P0", "P2"] if far == 1 else ["P0", "P1", "P2", "P3"]
        self._rng.shuffle(seats)
        self.far, self.near = seats[:far], seats[far:]
        self._lines: dict[str, SlowLine] = {}
        self._guests: dict[str, FarGuest] = {}
        self._phones: dict[str, PageClient] = {}
        self._ledger = Ledger()
        self._news = asyncio.Event()
        self._counts_from = False
        self._later: set[asyncio.Task[None]] = set()
        self.found = Found()

    # Its beginning and its end.

    async def open(self) -> None:
        """Start the home, sit down, invite, and have the others come."""
        self.folder.mkdir(parents=True)
        for number, name in enumerate(("home", *self.far)):
            line = SlowLine(self._meeting.port, self._rng, f"127.3.{self.number % 250}.{number + 1}")
            line.round_trip_s, line.loss = (0.0, 0.0) if name == "home" else (ROUND_TRIP_S, LOSS)
            if self._meeting.recording is not None:
                line.record = self._meeting.recording.of("network")
            await line.open()
            self._lines[name] = line
        settings = SETTINGS.format(port=self._lines["home"].port, ca=self._meeting.ca)
        (self.folder / "tock.toml").write_text(settings + BLIND, encoding="utf-8")
        self._log = (self.folder / "home.log").open("wb")
        self._companion = Companion(self.folder, errors=self._log)
        await asyncio.to_thread(self._companion.wait_until_up, START_S)
        links = await asyncio.to_thread(self._invited)
        for seat, link in links.items():
            guest = FarGuest(link, self._lines[seat].port, context_of(self._meeting.ca))
            guest.on_view = self._taker(seat)
            self._guests[seat] = guest
            guest.start()
            name = NAMES[int(seat[1])]
            answer = await asyncio.wait_for(guest.call("join", {"name": name, "lang": "fr"}), PATIENCE_S)
            assert answer.status == OK, answer
            guest.follow()

    def _invited(self) -> dict[str, str]:
        for seat in self.near:
            phone = PageClient(self._companion.url)
            phone.post("/api/v1/join", name=NAMES[int(seat[1])], seat=seat)
            self._phones[seat] = phone
        host = self._phones[self.near[0]]
        links = {}
        for seat in self.far:
            cards = "real" if self._rng.random() < 0.2 else "drawn"
            answer: dict[str, Any] = {}
            while "seats" not in answer:
                # Another home may just have ended the broker.
                answer = host.post("/api/v1/far/invite", seat=seat, name="", cards=cards)
            links.update({one["seat"]: one["link"] for one in answer["seats"] if one["seat"] == seat})
        return links

    async def close(self) -> None:
        """End all."""
        for task in self._later:
            task.cancel()
        for guest in self._guests.values():
            await guest.stop()
        with suppress(TimeoutExpired):
            await asyncio.to_thread(self._companion.stop)
        for line in self._lines.values():
            await line.close()
        self._log.close()

    def _taker(self, seat: str) -> Callable[[dict[str, Any]], None]:
        def take(view: dict[str, Any]) -> None:
            if self._counts_from:
                self._ledger.take(seat, view)
            self._news.set()

        return take

    # One game.

    async def game(self) -> Differences:
        """Play one game to its end, and compare."""
        began_s, sessions = time.monotonic(), sum(guest.sessions for guest in self._guests.values())
        await self._begin()
        try:
            while not self._newest()["game"]["ended"]:
                await self._turn()
                self.found.turns += 1
        except StuckError:
            self.found.stuck += 1
        differences = await self._compared()
        self.found.games += 1
        self.found.sessions += sum(guest.sessions for guest in self._guests.values()) - sessions
        self.found.differing_answers = sum(guest.differing_answers for guest in self._guests.values())
        self.found.seconds += time.monotonic() - began_s
        return differences

    async def _begin(self) -> None:
        self._counts_from = False
        self._ledger = Ledger()
        kind, data = ("new_game", {"players": self._players}) if not self.found.games else ("rematch", {})
        host = self._phones[self.near[0]]
        answer = await self._at_home(lambda: host.post("/api/v1/request", kind=kind, data=data, role="host"))
        assert answer["ok"], answer
        # Views do not say of which game they are; this one or a later one is of the new game.
        shown = await self._at_home(host.view)
        await self._until(
            lambda: all(
                guest.view and guest.view["revision"] >= shown["revision"] for guest in self._guests.values()
            )
        )
        self._counts_from = True
        for seat, guest in self._guests.items():
            self._ledger.take(seat, guest.view)

    async def _turn(self) -> None:
        """Have whoever is to move do one thing."""
        newest = self._newest()
        seat, seq = newest["to_move"], newest["game"]["seq"]
        if seat in self._guests:
            await self._until(lambda: self._may_ask(seat, seq))
            view = self._guests[seat].view
        else:
            view = await self._at_home(self._phones[seat].view)
            if view is None or not view["your_turn"] or view["game"]["ended"]:
                await self._pause()
                return
        if view["game"]["ended"] or not view["your_turn"]:
            return
        wish = wish_of(view, self._rng)
        self._disturb(seat)
        if await self._asked(seat, wish, view["revision"]):
            await self._until(lambda: _is_shown(self._newest(), wish, view))
        else:
            await self._pause()

    def _may_ask(self, seat: str, seq: int) -> bool:
        guest = self._guests[seat]
        return guest.is_live and guest.view["game"]["seq"] >= seq

    async def _asked(self, seat: str, wish: Wish, revision: int) -> bool:
        """Ask; False where it was refused, or nobody knows."""
        counted = wish.kind in ("play_card", "move")
        deed = deed_of(seat, wish.kind, wish.data)
        self._ledger.asked[deed] += counted
        if seat in self._guests:
            body = {"kind": wish.kind, "role": "seat", "data": dict(wish.data), "revision": revision}
            try:
                answer = await asyncio.wait_for(self._guests[seat].call("request", body), PATIENCE_S)
            except TimeoutError:
                raise StuckError(f"{seat} has no answer") from None
            granted = answer.status == OK
        else:
            phone = self._phones[seat]
            found = await self._at_home(
                lambda: phone.post(
                    "/api/v1/request", kind=wish.kind, data=dict(wish.data), revision=revision
                ),
                again=False,
            )
            granted = found is not None and found["ok"]
        self._ledger.granted[deed] += counted and granted
        self.found.refused += not granted
        return granted

    async def _compared(self) -> Differences:
        """Wait until every phone shows the end, and hold all against the log."""
        events = await asyncio.to_thread(newest_game, self.folder)
        with suppress(StuckError):
            await self._until(
                lambda: all(guest.view["game"]["seq"] == events[-1].seq for guest in self._guests.values())
            )
        # What else was on its way.
        await asyncio.sleep(0.2)
        events = await asyncio.to_thread(newest_game, self.folder)
        last = {seat: guest.view for seat, guest in self._guests.items()}
        found = self._ledger.compare(events, last)
        page = await self._at_home(lambda: self._phones[self.near[0]].view("table"))
        if page is None or any(public_of_view(page) != public_of_view(view) for view in last.values()):
            found.unnoticed += 1
            found.notes.append("the home's own page shows something else")
        return found

    # What ends on the way.

    def _disturb(self, seat: str) -> None:
        if self._rng.random() < self._rates.cut:
            # Most often that of whoever has just asked.
            near = [seat] if seat in self._lines and self._rng.random() < 0.6 else ["home", *self.far]
            line = self._lines[self._rng.choice(near)]
            asyncio.get_running_loop().call_later(UNDER_WAY_S * self._rng.random(), line.cut)
            self.found.cuts += 1
        for rate, deed in (
            (self._rates.relay, self._meeting.kill_relay),
            (self._rates.broker, self._meeting.kill_broker),
            (self._rates.home, self._kill_home),
        ):
            if self._rng.random() < rate:
                task = asyncio.create_task(self._soon(deed))
                self._later.add(task)
                task.add_done_callback(self._later.discard)

    async def _soon(self, deed: Callable[[], Any]) -> None:
        await asyncio.sleep(UNDER_WAY_S * self._rng.random())
        await deed()

    async def _kill_home(self) -> None:
        self.found.home_kills += 1
        await asyncio.to_thread(self._companion.kill)
        self._companion = Companion(self.folder, port=self._companion.port, errors=self._log)
        await asyncio.to_thread(self._companion.wait_until_up, START_S)

    # Waiting.

    def _newest(self) -> dict[str, Any]:
        return max((guest.view for guest in self._guests.values()), key=lambda view: view["game"]["seq"])

    async def _pause(self) -> None:
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), 0.1)

    async def _until(self, holds: Callable[[], bool]) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end_s:
                raise StuckError("nothing goes on")
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK_S)

    async def _at_home(self, ask: Callable[[], Any], *, again: bool = True) -> Any:
        """Ask the home's page, again while the home is away; None where it gave no answer."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await asyncio.to_thread(ask)
            except DEAD:
                if not again:
                    return None
                if time.monotonic() > end_s:
                    raise StuckError("the home does not answer") from None
                await asyncio.sleep(0.2)


def _is_shown(newest: dict[str, Any], wish: Wish, before: dict[str, Any]) -> bool:
    """Whether a view shows what was granted: other events, such as a neighbour's new cards, may come before it."""
    if newest["game"]["seq"] <= before["game"]["seq"]:
        return False
    if newest["to_move"] != before["to_move"] or newest["game"]["ended"]:
        return True
    wanted = wish.data.get("card") if wish.kind == "play_card" else None
    return bool(newest["card"] == wanted)
