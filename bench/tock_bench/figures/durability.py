"""The power is cut at random moments of a running game: what had been reported must be in the log afterwards.

Each cut is a SIGKILL to a real `tock run` with a real database, while four phones play by touch over HTTP.
"""

import json
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random

from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient
from tests.support.service import BLIND, PROGRAM, Companion
from tock_bench.results import percentile_of_any
from tock_companion.errors import TockError
from tock_companion.events.codec import event_from_line
from tock_companion.events.facts import MoveAccepted
from tock_companion.events.game import fold
from tock_companion.storage.files import DATABASE_NAME

KILLS = 40
SEED = 7
SEATS = ("P0", "P1", "P2", "P3")
START_PATIENCE_S = 300.0
PLAYING_S = 0.8
"""The cut comes at a random moment up to so long after the page is up."""
CUT_WHILE_STARTING = 0.2
"""Share of the cuts that come while the companion is still starting."""
CONFIG = f'ruleset = "mjc"\nhost = "127.0.0.1"\n{BLIND}'


@dataclass(slots=True)
class Reported:
    """Everything that phones have seen of the running game."""

    seq: int = 0
    moves: dict[int, str] = field(default_factory=dict)
    over: int = 0
    """Games that ended since this was last looked at."""

    def take(self, view: Mapping[str, object]) -> None:
        """Note what a view tells; views of a game before are left behind."""
        game, history = view["game"], view["history"]
        assert isinstance(game, dict)
        assert isinstance(history, list)
        if game["seq"] < self.seq:
            self.forget()
        self.seq = game["seq"]
        self.moves.update({row["seq"]: row["text"] for row in history})

    def forget(self) -> None:
        """Start over: events of a game that is over do not concern the next one."""
        self.seq = 0
        self.moves.clear()


@dataclass(slots=True)
class Losses:
    """The losses found after the cuts."""

    kills: int = 0
    games: int = 0
    """That were played to their end."""
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
        """Let the phones play; SIGKILL comes from another thread in the middle of whatever they are doing."""
        killer = threading.Timer(after_s, self.kill)
        killer.start()
        # The line goes dead, perhaps in the middle of an answer: that is the power cut.
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
            view = next(iter(self._phones.values())).view("table")
            reported.take(view)
            game = view["game"]
            assert isinstance(game, dict)
            if game["ended"]:
                # Whoever sat down first is host.
                host = next(iter(self._phones.values()))
                # Before the request: the cut may come between its record and its answer.
                reported.forget()
                reported.over += 1
                host.post("/api/v1/request", kind="new_game", role="host", data={})
                continue
            self._turn(self._phones[str(view["to_move"])])

    def _turn(self, phone: PageClient) -> None:
        view = phone.view("seat")
        moves, cards = view["legal_moves"], view["cards"]
        assert isinstance(moves, list)
        assert isinstance(cards, list)
        if moves:
            phone.ask("move", text=self._rng.choice(moves)["text"])
        elif view["card"] is not None:
            phone.ask("discard")
        elif view["can_end_turn"]:
            phone.ask("end_turn")
        elif cards:
            phone.ask("play_card", card=self._rng.choice(cards))


def run(progress: Callable[[str], None], samples: int = KILLS, keep: Path | None = None) -> dict[str, object]:
    """Cut the power `samples` times; losses are events that a phone has seen and the log does not have.

    `keep` is a file in which the counts are kept after every cut, so that a run that was stopped goes on there.
    """
    losses = _kept(keep)
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
                progress(f"{losses.kills} of {samples} kills: {losses.events_lost} events lost")
    return {
        "kills": losses.kills,
        "games": losses.games,
        "events_reported": losses.events_reported,
        "events_lost": losses.events_lost,
        "broken_logs": losses.broken_logs,
        "starts": len(losses.start_ms),
        "start_ms_p95": percentile_of_any(losses.start_ms, 0.95),
        "start_ms_max": max(losses.start_ms, default=None),
    }


def _kept(keep: Path | None) -> Losses:
    if keep is None or not keep.exists():
        return Losses()
    return Losses(**json.loads(keep.read_text(encoding="utf-8")))


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
    """Look into the database as the cut left it, through a copy, so that the next start finds it untouched."""
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
