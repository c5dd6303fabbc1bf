"""Twenty-two clients attack while people play: the delays that the players see, and the cost to the companion.

Companion, attackers and players are separate processes with separate addresses. Two of the four players attack too:
they make their moves, and flood the companion with the rights of their seats.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.support.checkout import ROOT
from tests.support.service import PROGRAM, Companion
from tests.support.watching import Held, Watch
from tock_bench.figures.durability import CONFIG
from tock_bench.figures.hostile_clients import DESCRIPTION, PATHS
from tock_bench.results import Figures, Say, spread
from tock_companion.errors import TockError

UNIT = ROOT / "packaging/tock-companion.service"
PAUSE_S = 0.25
"""Between the requests of the honest players."""
TOO_MANY = 429
PATIENCE_S = 20.0
SEATS = ("P0", "P1", "P2", "P3")
HONEST = ("P0", "P2")
SUITS = dict(zip(SEATS, "HDCS", strict=True))
"""Each player lays cards of one suit, so that no card is laid twice."""
NEW_GAME = {"ruleset": "mjc", "options": {}, "players": 4, "first": "P0"}
RANKS = ("A", "K", "5", "8", "3")


def run(say: Say, seconds: float = 60.0, calm_seconds: float = 8.0) -> Figures:
    """Attack for `seconds`; play without attackers before and afterwards."""
    with _companion() as (port, pid):
        game = Game(port)
        for path in (*PATHS, DESCRIPTION):
            # Pages that are made at the first request and kept are no growth.
            game.phones[0].get(path)
        calm_ms = game.play(calm_seconds)
        before = Held.by(pid)
        command = [sys.executable, "-m", "tock_bench.figures.hostile_clients", str(port), str(seconds)]
        command += [phone.cookies for phone in game.phones if not phone.is_honest]
        say(f"hostile: {seconds:g} s of attack")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as attackers, Watch(pid) as watch:
            attacked_ms = game.play(seconds)
            assert attackers.stdout is not None
            done = json.loads(attackers.stdout.readline())
        after_ms = game.play(calm_seconds)
        figures = {
            "requests": {"asked": game.asked, "ok": game.requests, "throttled": game.throttled},
            "moves": game.moves,
            "request_to_event_ms": {
                "before": _delays(calm_ms), "attack": _delays(attacked_ms), "afterwards": _delays(after_ms)
            },
            "held": {"before": before.row(), "afterwards": Held.by(pid).row()},
            "most": {"memory_mb": watch.most_mb, "threads": watch.most_threads},
            "streams_lost": sum(phone.lost for phone in game.honest),
            "longest_silence_s": round(max(phone.longest_silence_s() for phone in game.honest), 1),
            "ended_early": game.failure,
            "attackers": done,
        }  # fmt: skip
        game.close()
    return figures


def _delays(waits_ms: Sequence[float]) -> dict[str, float]:
    """Times from a request to the other phone's view."""
    if not waits_ms:
        return {"n": 0}
    return {"n": len(waits_ms), **spread("ms", waits_ms), "ms_most": round(max(waits_ms), 1)}


@contextmanager
def _companion() -> Iterator[tuple[int, int]]:
    """The port and the process id of a companion with the service's settings."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tock.toml").write_text(CONFIG, encoding="utf-8")
        environment = {**os.environ, **_memory_settings(), "TOCK_LOG": "ERROR"}
        with Companion(Path(folder), program=PROGRAM, environment=environment) as companion:
            yield companion.port, companion.process.pid


def _memory_settings() -> dict[str, str]:
    """The settings of the C library in the service's unit."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    settings = (line.removeprefix("Environment=") for line in lines if line.startswith("Environment=GLIBC_"))
    return {name: value for name, _, value in (setting.partition("=") for setting in settings)}


class PlayerPhone:
    """A player's phone: one stream that is read all the time, and one connection for requests."""

    def __init__(self, port: int, seat: str, address: str) -> None:
        self._port, self._address = port, address
        self.is_honest = seat in HONEST
        self._line = self._connection()
        self._cookies: dict[str, str] = {}
        _, answer = self.post("join", name=f"Player {seat}", seat=seat)
        self.seat = seat
        self.view: Any = {}
        self.lost = 0
        """Number of times that the server ended the stream."""
        self._last_news_s = time.monotonic()
        self._silence_s = 0.0
        self._news = threading.Condition()
        self._is_closed = False
        if not answer.get("ok"):
            raise TockError(f"{seat} could not sit down: {answer}")
        # The streams of the others displace each other.
        if self.is_honest:
            threading.Thread(target=self._listen, daemon=True).start()

    @property
    def cookies(self) -> str:
        """The cookies that carry the rights."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def _connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S, source_address=(self._address, 0))

    def post(self, path: str, **data: object) -> tuple[int, Any]:
        """Send a request; reopen a connection that the server has closed, as browsers do."""
        headers = {"Content-Type": "application/json", "X-Tock": "1", "Cookie": self.cookies}
        try:
            self._line.request("POST", f"/api/v1/{path}", json.dumps(data), headers)
            answer = self._line.getresponse()
        except OSError:
            self._line.close()
            self._line.request("POST", f"/api/v1/{path}", json.dumps(data), headers)
            answer = self._line.getresponse()
        body = json.loads(answer.read())
        for given in answer.headers.get_all("Set-Cookie", ()):
            name, _, value = given.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.status, body

    def get(self, path: str) -> None:
        """Open a page."""
        self._line.request("GET", path, headers={"Cookie": self.cookies})
        self._line.getresponse().read()

    def _listen(self) -> None:
        tab = f"honest-tab-{self.seat}"
        while not self._is_closed:
            line = self._connection()
            with suppress(OSError):
                line.request("GET", f"/api/v1/events?role=seat&tab={tab}", headers={"Cookie": self.cookies})
                with line.getresponse() as answer:
                    while text := answer.readline():
                        self._hear(text)
            line.close()
            if not self._is_closed:
                self.lost += 1

    def _hear(self, text: bytes) -> None:
        with self._news:
            now_s = time.monotonic()
            self._silence_s = max(self._silence_s, now_s - self._last_news_s)
            self._last_news_s = now_s
            if text.startswith(b"data: ") and b'"legal_moves"' in text:
                self.view = json.loads(text[6:])
            self._news.notify_all()

    def longest_silence_s(self) -> float:
        """The longest silence of the stream."""
        return max(self._silence_s, time.monotonic() - self._last_news_s)

    def wait_for(self, holds: Callable[[Any], bool]) -> None:
        """Wait for a view on the stream; raises TockError when it does not come."""
        if not self.is_honest:
            self._ask_until(holds)
            return
        with self._news:
            if not self._news.wait_for(lambda: bool(self.view) and holds(self.view), PATIENCE_S):
                raise TockError(f"{self.seat} waited for a view in vain")

    def _ask_until(self, holds: Callable[[Any], bool]) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            self._line.request("GET", "/api/v1/view?role=seat", headers={"Cookie": self.cookies})
            answer = self._line.getresponse()
            body = json.loads(answer.read())
            if answer.status == 200:
                self.view = body
                if holds(body):
                    return
            time.sleep(PAUSE_S)
        raise TockError(f"{self.seat} asked for a view in vain")

    def close(self) -> None:
        """Stop listening."""
        self._is_closed = True
        self._line.close()


class Game:
    """Four people who play by touch, each from another address."""

    def __init__(self, port: int) -> None:
        self.phones = [PlayerPhone(port, seat, f"127.0.4.{1 + number}") for number, seat in enumerate(SEATS)]
        self.asked = self.requests = self.throttled = self.moves = 0
        """Requests of the honest players: all, granted, and refused as too many."""
        self.failure = ""
        """The reason for an early end of the game."""
        self.honest = [phone for phone in self.phones if phone.is_honest]
        self.phones[0].post("host")
        self._begin()

    def _begin(self) -> None:
        status, answer = self.phones[0].post("request", kind="new_game", role="host", data=NEW_GAME)
        if status != 200:
            raise TockError(f"no game could be begun: {answer}")
        for phone in self.phones:
            phone.wait_for(lambda view: not view["game"]["ended"] and view["to_move"] in SEATS)

    def play(self, for_s: float) -> list[float]:
        """Play for a while; return the delay of each request of the honest on the other phone's stream."""
        waits_ms: list[float] = []
        end_s = time.monotonic() + for_s
        try:
            while time.monotonic() < end_s and not self.failure:
                self._turn(waits_ms)
        except (TockError, OSError) as error:
            self.failure = str(error) or type(error).__name__
        # The attack lasts as long without a game.
        time.sleep(max(0.0, end_s - time.monotonic()))
        return waits_ms

    def _turn(self, waits_ms: list[float]) -> None:
        to_move = self.phones[0].view["to_move"]
        mover = next((phone for phone in self.phones if phone.seat == to_move), None)
        if mover is None:
            raise TockError(f"it is the turn of {to_move}, which has no player")
        other = next(phone for phone in self.honest if phone is not mover)
        card = RANKS[self.moves // len(SEATS) % len(RANKS)] + SUITS[mover.seat]
        asked = [self._ask(mover, other, "play_card", card=card)]
        legal = mover.view["legal_moves"]
        second = ("move", {"text": legal[0]["text"]}) if legal else ("discard", {"card": card})
        asked.append(self._ask(mover, other, second[0], **second[1]))
        self.moves += 1
        if mover.is_honest:
            waits_ms += asked
        if mover.view["game"]["ended"]:
            self._begin()

    def _ask(self, mover: PlayerPhone, other: PlayerPhone, kind: str, **data: object) -> float:
        seq = other.view["game"]["seq"]
        asked_s = time.monotonic()
        status, answer = self._post(mover, kind, data)
        while status == TOO_MANY:
            # Attackers must wait; an honest player who must is counted.
            self.throttled += mover.is_honest
            time.sleep(PAUSE_S)
            status, answer = self._post(mover, kind, data)
        if status != 200:
            raise TockError(f"{kind} of {mover.seat} was refused: {status} {answer}")
        for phone in (other, *self.phones):
            phone.wait_for(lambda view: view["game"]["seq"] > seq)
            if phone is other:
                took_ms = (time.monotonic() - asked_s) * 1000
        self.requests += mover.is_honest
        time.sleep(PAUSE_S)
        return took_ms

    def _post(self, mover: PlayerPhone, kind: str, data: object) -> tuple[int, Any]:
        self.asked += mover.is_honest
        return mover.post("request", kind=kind, data=data)

    def close(self) -> None:
        """Put the phones away."""
        for phone in self.phones:
            phone.close()
