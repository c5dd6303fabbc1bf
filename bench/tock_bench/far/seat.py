"""A home with a far seat, a real one on each side of a real relay: requests there and back, and lines that are cut.

The home, the relay and its broker are processes of their own. Between the phone and the relay lies a line with the
whole round trip and all losses; the home's own line is as quick as this machine, and is only cut.
"""

import asyncio
import random
import sqlite3
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from tests.support.page_client import PageClient
from tests.support.relay_process import context_of
from tests.support.service import BLIND, PROGRAM, Companion
from tock_bench.far.guest import FarGuest
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.far.slow_line import SlowLine
from tock_bench.results import Say, percentile, spread
from tock_companion.events.codec import event_from_line
from tock_companion.events.facts import CardPlayed, Correction
from tock_companion.storage.files import DATABASE_NAME

ROUND_TRIPS_MS = (0, 80, 150)
LOSS = 0.02
SEED = 40
FAR, HOST = "P0", "P1"
CARDS = ("AH", "KH", "QH", "10H", "9H", "8H", "6H", "5H", "4H", "3H", "2H")
OK = 200
MIN_PAUSE_S, PHASE_S = 0.08, 0.03
"""From one request to the next, as a home takes twenty frames a second from one phone; and a random time more."""
PATIENCE_S = 60.0
CUT_ROUND_TRIP_MS = 80
CUT_AFTER_S = 0.5
HOME_CUT_SHARE = 0.25
SETTINGS = 'ruleset = "mjc"\nhost = "127.0.0.1"\n[far]\nrelay = "https://127.0.0.1:{port}"\nca = "{ca}"\n'
WITHDRAWN = "withdrawn"


@dataclass
class TwoEnds:
    """The far phone, the lines, and the granted requests."""

    guest: FarGuest
    guests_line: SlowLine
    homes_line: SlowLine
    rng: random.Random
    granted: list[str] = field(default_factory=list)
    refused: int = 0

    async def request(self) -> list[float]:
        """Lay a card, or take it back; milliseconds until a view with that event is here, none if it is refused."""
        laid = self.guest.view["card"] is not None
        asked = WITHDRAWN if laid else CARDS[len(self.granted) % len(CARDS)]
        kind, data = ("withdraw_card", {}) if laid else ("play_card", {"card": asked})
        revision = self.guest.view["revision"]
        seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()

        def look(view: dict[str, Any]) -> None:
            shown = WITHDRAWN if view["card"] is None else view["card"]
            if view["revision"] > revision and shown == asked and not seen.done():
                seen.set_result(time.monotonic())

        self.guest.on_view = look
        began_s = time.monotonic()
        body: dict[str, object] = {"kind": kind, "role": "seat", "data": data, "revision": revision}
        answer = await asyncio.wait_for(self.guest.call("request", body), PATIENCE_S)
        if answer.status != OK:
            self.refused += 1
            return []
        self.granted.append(asked)
        return [1000 * (await asyncio.wait_for(seen, PATIENCE_S) - began_s)]


def far_seat(folder: Path, say: Say, requests: int, cuts: int) -> dict[str, object]:
    """The figures of one far seat: `requests` for each round trip, and `cuts` of the lines."""
    broker = BrokerProcess(folder / "relay")
    relay = RelayProcess(folder / "relay", broker.port)
    try:
        relay.wait()
        return asyncio.run(_measured(folder / "home", relay, say, requests, cuts))
    finally:
        relay.stop()
        broker.stop()


async def _measured(
    folder: Path, relay: RelayProcess, say: Say, requests: int, cuts: int
) -> dict[str, object]:
    async with _two_ends(folder, relay) as ends:
        lossy = {trip: await _timed(ends, trip, LOSS, requests, say) for trip in ROUND_TRIPS_MS}
        clean = {trip: await _timed(ends, trip, 0.0, -(-requests // 3), say) for trip in ROUND_TRIPS_MS}
        found = await _cut(ends, cuts, say)
    lost, doubled = compared(ends.granted, logged(folder / DATABASE_NAME))
    return {
        **_times(lossy),
        "loss": LOSS,
        "without_loss": _times(clean),
        **found,
        "granted": len(ends.granted),
        "refused": ends.refused,
        "lost": lost,
        "doubled": doubled + ends.guest.differing_answers,
    }


def _times(times_ms: dict[int, list[float]]) -> dict[str, object]:
    """The figures of each round trip, by its milliseconds."""
    figures: dict[str, dict[str, float]] = defaultdict(dict)
    for trip, ms in times_ms.items():
        for name, value in {**spread("request_to_event_ms", ms), "request_to_event_n": len(ms)}.items():
            figures[name][str(trip)] = value
    return {**figures}


@asynccontextmanager
async def _two_ends(folder: Path, relay: RelayProcess) -> AsyncIterator[TwoEnds]:
    """A home and a far phone, each behind a line."""
    rng = random.Random(SEED)
    guests_line = SlowLine(relay.port, rng)
    homes_line = SlowLine(relay.port, rng)
    await guests_line.open()
    await homes_line.open()
    folder.mkdir()
    settings = SETTINGS.format(port=homes_line.port, ca=relay.ca)
    (folder / "tock.toml").write_text(settings + BLIND, encoding="utf-8")
    with (folder / "home.log").open("wb") as log:
        companion = Companion(folder, program=PROGRAM, errors=log)
        try:
            link = await asyncio.to_thread(_invited, companion)
            guest = FarGuest(link, guests_line.port, context_of(relay.ca))
            guest.start()
            try:
                await _sat_down(guest)
                yield TwoEnds(guest, guests_line, homes_line, rng)
            finally:
                await guest.stop()
        finally:
            await asyncio.to_thread(companion.stop)
            await guests_line.close()
            await homes_line.close()


def _invited(companion: Companion) -> str:
    """Sit down at home, and invite a guest; the guest's link."""
    companion.wait_until_up()
    host = PageClient(companion.url)
    host.post("/api/v1/join", name="Home", seat=HOST)
    answer = host.post("/api/v1/far/invite", seat=FAR, name="Far", cards="real")
    return str(answer["seats"][0]["link"])


async def _sat_down(guest: FarGuest) -> None:
    answer = await asyncio.wait_for(guest.call("join", {"name": "Far", "lang": "en"}), PATIENCE_S)
    assert answer.status == OK, answer
    guest.follow()
    end_s = time.monotonic() + PATIENCE_S
    while not guest.view:
        assert time.monotonic() < end_s, "no view comes"
        await asyncio.sleep(0.02)


async def _timed(ends: TwoEnds, trip_ms: int, loss: float, requests: int, say: Say) -> list[float]:
    ends.guests_line.round_trip_s, ends.guests_line.loss = trip_ms / 1000, loss
    times_ms: list[float] = []
    for _ in range(requests):
        times_ms += await ends.request()
        await asyncio.sleep(max(0.0, MIN_PAUSE_S - trip_ms / 1000) + PHASE_S * ends.rng.random())
    say(f"far seat: {trip_ms} ms, loss {loss:.0%}: {percentile(times_ms, 0.5):.0f} ms (n = {requests})")
    return times_ms


async def _cut(ends: TwoEnds, cuts: int, say: Say) -> dict[str, object]:
    """Cut one line or the other at random moments while requests go on."""
    ends.guests_line.round_trip_s, ends.guests_line.loss = CUT_ROUND_TRIP_MS / 1000, LOSS
    over, homes = asyncio.Event(), 0
    times_ms: list[float] = []

    async def go_on() -> None:
        while not over.is_set():
            times_ms.extend(await ends.request())
            await asyncio.sleep(PHASE_S * ends.rng.random())

    playing = asyncio.create_task(go_on())
    sessions = ends.guest.sessions
    for number in range(cuts):
        await asyncio.sleep(CUT_AFTER_S * ends.rng.random())
        of_home = ends.rng.random() < HOME_CUT_SHARE
        homes += of_home
        (ends.homes_line if of_home else ends.guests_line).cut()
        seen = len(ends.granted)
        # Neither a playing that has failed nor a silence ends the bench without a word.
        while len(ends.granted) < seen + 2 and not playing.done():
            await asyncio.sleep(0.005)
        if playing.done():
            break
        if number % 10 == 9:
            say(f"far seat: {number + 1} cuts, {len(ends.granted)} granted, {ends.refused} refused")
    over.set()
    await playing
    return {
        "cuts": cuts,
        "cuts_of_home": homes,
        "sessions": ends.guest.sessions - sessions,
        "requests_while_cut": len(times_ms),
        "request_to_event_while_cut_ms_max": round(max(times_ms), 1),
    }


def logged(database: Path) -> list[str]:
    """The cards that the far seat laid and took back, in the order of the log."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT line FROM events ORDER BY game, seq").fetchall()
    found: list[str] = []
    for (line,) in rows:
        match event_from_line(line).fact:
            case CardPlayed(card=card):
                found.append(card)
            case Correction():
                found.append(WITHDRAWN)
    return found


def compared(granted: list[str], in_log: list[str]) -> tuple[int, int]:
    """How many that were granted the log lacks, and how many it has that were not granted (once)."""
    same = sum(
        each.size for each in SequenceMatcher(None, granted, in_log, autojunk=False).get_matching_blocks()
    )
    return len(granted) - same, len(in_log) - same
