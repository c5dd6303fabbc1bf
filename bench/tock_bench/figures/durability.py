"""Cuts the power at random moments of a running game: every event that a phone has seen must be in the log.

Each cut is a SIGKILL to a real `tock run` with a real database, while four phones play by touch over HTTP.
"""

import json
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient
from tests.support.service import BLIND, PROGRAM, Companion
from tock_bench.results import Figures, Say, percentile
from tock_companion.errors import TockError
from tock_companion.events.codec import event_from_line
from tock_companion.events.facts import MoveAccepted
from tock_companion.events.game import fold
from tock_companion.storage.files import DATABASE_NAME

SEED = 7
SEATS = ("P0", "P1", "P2", "P3")
START_PATIENCE_S = 300.0
PLAYING_S = 0.8
"""Longest time from the page to the cut."""
CUT_WHILE_STARTING = 0.2
"""Share of the cuts that come while the companion is still starting."""
CONFIG = f'ruleset = "mjc"\nhost = "127.0.0.1"\n{BLIND}'


@dataclass(slots=True)
class Reported:
    """The part of the running game that phones have seen."""

    seq: int = 0
    moves: dict[int, str] = field(default_factory=dict)
    over: int = 0
    """Games that ended since the last cut."""

    def take(self, view: Any) -> None:
        """Take in a view; one of a new game starts over."""
        if view["game"]["seq"] < self.seq:
            self.forget()
        self.seq = view["game"]["seq"]
        self.moves.update({row["seq"]: row["text"] for row in view["history"]})

    def forget(self) -> None:
        """Start over with the next game."""
        self.seq = 0
        self.moves.clear()


@dataclass(slots=True)
class Losses:
    """The losses found after the cuts."""

    kills: int = 0
    games: int = 0
    """Games played to their end."""
    events_reported: int = 0
    events_lost: int = 0
    broken_logs: int = 0
    start_ms: list[int] = field(default_factory=list)


class Cut:
    """One companion from its start to the power cut."""

    def __init__(self, folder: Path, phones: Mapping[str, PageClient], port: int, rng: Random) -> None:
        self._phones = phones
        self._rng = rng
        self._over = threading.Event()
        self._companion = Companion(
            folder, port=port, program=PROGRAM, environment={**os.environ, "TOCK_LOG": "ERROR"}
        )

    def wait_until_up(self) -> int:
        """Milliseconds until the page answered; raises TockError when it never does."""
        return round(self._companion.wait_until_up(START_PATIENCE_S) * 1000)

    def play_until_killed(self, reported: Reported, after_s: float) -> None:
        """Let the phones play until SIGKILL comes from another thread."""
        killer = threading.Timer(after_s, self.kill)
        killer.start()
        # The power cut may come in the middle of an answer.
        with suppress(OSError, ValueError, HTTPException):
            self._play(reported)
        killer.join()

    def kill(self) -> None:
        """Cut the power."""
        self._over.set()
        self._companion.kill()

    def _play(self, reported: Reported) -> None:
        for seat, phone in self._phones.items():
            phone.post("/api/v1/join", name=f"Player {seat}", seat=seat)
        while not self._over.is_set():
            view = self._phones[SEATS[0]].view("table")
            reported.take(view)
            if view["game"]["ended"]:
                # Before the request: the cut may come between its record and its answer.
                reported.forget()
                reported.over += 1
                # The first who sat down is host.
                self._phones[SEATS[0]].post("/api/v1/request", kind="new_game", role="host", data={})
                continue
            self._turn(self._phones[str(view["to_move"])])

    def _turn(self, phone: PageClient) -> None:
        view = phone.view("seat")
        if view["legal_moves"]:
            phone.ask("move", text=self._rng.choice(view["legal_moves"])["text"])
        elif view["card"] is not None:
            phone.ask("discard")
        elif view["can_end_turn"]:
            phone.ask("end_turn")
        elif view["cards"]:
            phone.ask("play_card", card=self._rng.choice(view["cards"]))


def run(say: Say, samples: int = 40, keep: Path | None = None) -> Figures:
    """Cut the power `samples` times; losses are events that a phone has seen and the log does not have.

    `keep` is a file with the counts after each cut, from which an interrupted run continues.
    """
    kept = json.loads(keep.read_text(encoding="utf-8")) if keep is not None and keep.exists() else {}
    losses = Losses(**kept)
    rng = Random(SEED + losses.kills)
    with tempfile.TemporaryDirectory(prefix="tock-durability-") as name:
        folder = Path(name)
        (folder / "tock.toml").write_text(CONFIG, encoding="utf-8")
        port = free_port()
        phones = {seat: PageClient(f"http://127.0.0.1:{port}") for seat in SEATS}
        reported = Reported()
        while losses.kills < samples:
            _one_cut(Cut(folder, phones, port, rng), rng, reported, losses)
            compare(folder / DATABASE_NAME, reported, losses)
            losses.games += reported.over
            reported.over = 0
            if keep is not None:
                keep.write_text(json.dumps(asdict(losses)), encoding="utf-8")
            if losses.kills % 10 == 0:
                say(f"{losses.kills} of {samples} kills: {losses.events_lost} events lost")
    starts_ms = losses.start_ms
    return {
        **{name: count for name, count in asdict(losses).items() if name != "start_ms"},
        "starts": len(starts_ms),
        "start_ms_p95": percentile(starts_ms, 0.95) if starts_ms else None,
        "start_ms_max": max(starts_ms, default=None),
    }


def _one_cut(cut: Cut, rng: Random, reported: Reported, losses: Losses) -> None:
    try:
        if losses.start_ms and rng.random() < CUT_WHILE_STARTING:
            time.sleep(rng.uniform(0, max(losses.start_ms[-20:]) / 1000))
        else:
            losses.start_ms.append(cut.wait_until_up())
            before = reported.seq
            cut.play_until_killed(reported, rng.uniform(0, PLAYING_S))
            losses.events_reported += max(0, reported.seq - before)
    finally:
        cut.kill()
    losses.kills += 1


def compare(database: Path, reported: Reported, losses: Losses) -> None:
    """Count losses in a copy of the database: reading repairs it."""
    with tempfile.TemporaryDirectory(prefix="tock-copy-") as name:
        copy = Path(name) / database.name
        for suffix in ("", "-wal"):
            part = database.with_name(database.name + suffix)
            if part.exists():
                copy.with_name(part.name).write_bytes(part.read_bytes())
        rows = _newest_log(copy)
    try:
        events = [event_from_line(line) for line in rows]
        fold(events)
    except TockError:
        losses.broken_logs += 1
        return
    promised = {seq: text for seq, text in reported.moves.items() if seq <= reported.seq}
    kept = {event.seq: event.fact.move for event in events if isinstance(event.fact, MoveAccepted)}
    losses.events_lost += max(0, reported.seq - len(events))
    losses.events_lost += sum(kept.get(seq) != text for seq, text in promised.items() if seq <= len(events))


def _newest_log(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            return ["damaged"]
        query = "SELECT line FROM events WHERE game = (SELECT max(game) FROM events) ORDER BY seq"
        return [line for (line,) in connection.execute(query)]
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()
