"""Attacks a relay's doors and a home's far ways in while three honest tables play: hangs, internal errors and growth.

Requests of every wrong kind, half handshakes and heads, WebSockets with other frames than MQTT's, MQTT packets cut and
changed, guests who publish where they may not, floods; and at a real home frames, sealed calls and words of a board by
those who hold its links. The attackers are a process of their own that gives way to the others.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tock_bench.clients import PageClient
from tock_bench.companion import BLIND, Companion
from tock_bench.far.load import CALL, CALL_BYTES, FarTable, open_all, prepared
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.far.seat import SETTINGS
from tock_bench.meeting_place import ask
from tock_bench.results import percentile
from tock_bench.watching import Held
from tock_companion.far.link import link_text

Say = Callable[[str], None]
HONEST = 3
CALL_S = 1.0
LOOK_S = 30.0
END_S = 150.0
"""For the attackers to end after their time: one may wait for an answer."""
LAST_S = 5.0
NICER = ["nice", "-n", "5"]
FAR_SEATS = ("P0", "P2")
NOT_LOGGED = "Traceback"


@dataclass
class Attacked:
    """The programs that are attacked, what they held and how long they took."""

    relay: RelayProcess
    broker: BrokerProcess
    home: Companion
    honest: list[FarTable]
    memory_mb: dict[str, list[float]] = field(default_factory=dict)
    page_ms: list[float] = field(default_factory=list)

    def look(self) -> None:
        """Note what each holds."""
        pids = {"relay": self.relay.process.pid, "broker": self.broker.pid, "home": self.home.process.pid}
        for name, pid in pids.items():
            self.memory_mb.setdefault(name, []).append(Held.by(pid).memory_mb)


def attacked(folder: Path, say: Say, minutes: float, seed: int = 1) -> dict[str, object]:
    """Attack, and say what was found."""
    broker = BrokerProcess(folder)
    relay = RelayProcess(folder, broker.port)
    relay.wait()
    at_home = folder / "home"
    at_home.mkdir()
    (at_home / "tock.toml").write_text(
        SETTINGS.format(port=relay.port, ca=relay.ca) + BLIND, encoding="utf-8"
    )
    with (at_home / "home.log").open("wb") as log:
        home = Companion(at_home, errors=log)
        try:
            home.wait_until_up()
            honest = [prepared(relay, number) for number in range(HONEST)]
            plan = {
                "port": relay.port,
                "ca": relay.ca,
                "seed": seed,
                "seconds": 60 * minutes,
                "tables": [link_text(table.link) for table in honest],
                "home": _links(home),
            }
            (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
            found = Attacked(relay, broker, home, honest)
            found.look()
            attackers = subprocess.Popen(
                [
                    *NICER,
                    sys.executable,
                    "-m",
                    "tock_bench.far.attackers",
                    folder / "plan.json",
                    folder / "out.json",
                ]
            )
            try:
                asyncio.run(_played(found, 60 * minutes, say))
                with suppress(subprocess.TimeoutExpired):
                    attackers.wait(END_S)
            finally:
                attackers.kill()
                attackers.wait()
            return _figures(
                found, minutes, json.loads((folder / "out.json").read_text()), at_home / "home.log"
            )
        finally:
            home.kill()
            relay.stop()
            broker.stop()


def _links(home: Companion) -> list[str]:
    """Two seats and a board at a home whose host sits."""
    host = PageClient(home.url)
    host.post("/api/v1/join", name="Home", seat="P1")
    links = []
    for seat in (*FAR_SEATS, None):
        answer = host.post("/api/v1/far/invite", **({} if seat is None else {"seat": seat, "name": "Far"}))
        rows = answer["seats"] if seat is not None else answer["boards"]
        links += [row["link"] for row in rows if seat is None or row["seat"] == seat]
    return links


async def _played(found: Attacked, seconds: float, say: Say) -> None:
    await open_all(found.honest, lambda _table: (found.relay.port, found.relay.port), found.relay.ca)
    until_s = time.monotonic() + seconds
    players = [asyncio.create_task(_play(table, until_s)) for table in found.honest]
    players.append(asyncio.create_task(_look_at_page(found, until_s)))
    while time.monotonic() < until_s:
        await asyncio.sleep(min(LOOK_S, max(0.1, until_s - time.monotonic())))
        found.look()
        calls = [ms for table in found.honest for ms in table.calls_ms]
        say(f"{len(calls)} honest calls, memory {[each[-1] for each in found.memory_mb.values()]} MB")
    await asyncio.gather(*players)
    await asyncio.sleep(LAST_S)
    await asyncio.gather(*(table.close() for table in found.honest), return_exceptions=True)


async def _play(table: FarTable, until_s: float) -> None:
    while time.monotonic() < until_s:
        await table.ask(CALL, CALL_BYTES)
        await asyncio.sleep(CALL_S)


async def _look_at_page(found: Attacked, until_s: float) -> None:
    """Ask the attacked home's own page once a second."""
    page = PageClient(found.home.url)
    while time.monotonic() < until_s:
        began_s = time.monotonic()
        await asyncio.to_thread(page.view, "table")
        found.page_ms.append(1000 * (time.monotonic() - began_s))
        await asyncio.sleep(CALL_S)


def _figures(found: Attacked, minutes: float, came: dict[str, Any], home_log: Path) -> dict[str, object]:
    calls = sorted(ms for table in found.honest for ms in table.calls_ms)
    answers, _ = ask(found.relay.url, found.relay.ca, "GET", "/relay/v1/about")
    log = found.relay.process.log
    at_home = home_log.read_text(encoding="utf-8", errors="replace")
    return {
        "minutes": minutes,
        "tried": dict(sorted(came["tried"].items())),
        "statuses": dict(sorted(came["statuses"].items())),
        "answers_5xx_but_503": came["internal_errors"],
        "tracebacks": log.count(NOT_LOGGED) + at_home.count(NOT_LOGGED),
        "calls_without_answer": came["unanswered"],
        "answers_afterwards": answers == 200,
        "honest_calls": sum(table.sent for table in found.honest),
        "honest_lost": sum(table.sent - table.answered for table in found.honest),
        "honest_ms": _times(calls),
        "page_of_home_ms": _times(sorted(found.page_ms)),
        "memory_mb": {name: [each[0], max(each), each[-1]] for name, each in found.memory_mb.items()},
        "relay_files_afterwards": Held.by(found.relay.process.pid).files,
        "log_kb": {"relay": round(len(log) / 1000, 1), "home": round(len(at_home) / 1000, 1)},
    }


def _times(times_ms: list[float]) -> dict[str, float]:
    """Median, p95 and the slowest."""
    return {
        "n": len(times_ms),
        "median": round(percentile(times_ms, 0.5), 1),
        "p95": round(percentile(times_ms, 0.95), 1),
        "max": round(times_ms[-1], 1),
    }
