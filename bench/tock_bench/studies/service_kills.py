"""Kills a real `tock run` in the middle of requests of every kind. Goes on where it was stopped.

Four phones and a host ask over HTTP, a stream of views is open; the process gets SIGKILL while one of them waits for
its answer, is started again on the same folder, and must show everything that the phones saw.
"""

import json
import os
import shutil
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Thread
from urllib.request import urlopen

from tests.support.callers import ENDING, KINDS, Callers, Deed, Seen, Shown, lost
from tests.support.checkout import BUILD
from tests.support.companion_process import BLIND
from tests.support.rig import wait_until
from tests.support.service import Companion, free_port
from tock_app.service.control import ask
from tock_bench.results import Measured, Say, percentile
from tock_companion.errors import TockError

FOLDER = BUILD / "kill-study"
KILLS = 1000
"""During a request; those that came just after the answer are counted besides."""
KILLS_PER_FOLDER = 25
"""Kills after which a new folder is begun, so that some games are young."""
MAX_TURNS_BEFORE = 4
"""Requests that are answered before the one that is cut off."""
START_PATIENCE_S = 300.0
"""The machine may have other work."""
TYPICAL_S = 0.01
LATEST = 0.8
"""The kill comes after up to so much of the time that an answer of that kind takes."""
CONFIG = 'ruleset = "mjc"\nhost = "127.0.0.1"\n'
SIMULATED = "[sources.simulated]\n"
"""One folder in four has the simulated table; in the others moves are made by touch."""
LINE_DEAD = (OSError, HTTPException, ValueError)


@dataclass
class Counts:
    """The findings so far."""

    kills: int = 0
    lost: int = 0
    failed_starts: int = 0
    badly_answered: int = 0
    answered: int = 0
    granted: int = 0
    events_shown: int = 0
    hands_compared: int = 0
    """Starts after which nothing had happened since the last look, so that all must be the same."""
    in_flight: dict[str, int] = field(default_factory=dict)
    """Kills by the kind of the request that had no answer yet."""
    between: int = 0
    """Kills whose request had just been answered."""
    start_ms: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def in_requests(self) -> int:
        """Kills during a request."""
        return sum(self.in_flight.values())


class Ear(Thread):
    """A phone that only looks: hears what a stream tells until the line goes dead."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self.shown = Shown()

    def run(self) -> None:
        """Listen."""
        with suppress(*LINE_DEAD), urlopen(f"{self._url}/api/v1/events?role=watch&tab=kill-study") as stream:
            for line in stream:
                if line.startswith(b"data: ") and b'"history"' in line:
                    self.shown.take(json.loads(line.removeprefix(b"data: ")))


class Cutting(Thread):
    """Asks for one thing, and knows whether the answer came."""

    def __init__(self, deed: Deed) -> None:
        super().__init__(daemon=True)
        self._deed = deed
        self.status: int | None = None
        self.took_s = 0.0

    def run(self) -> None:
        """Ask."""
        began_s = time.monotonic()
        with suppress(*LINE_DEAD):
            self.status = self._deed.do()[0]
        self.took_s = time.monotonic() - began_s


class Study:
    """One folder after the other, killed again and again."""

    def __init__(self, counts: Counts, at: Path, seed: int) -> None:
        self.counts, self.at, self.seed = counts, at, seed
        self.port = free_port()
        self.callers = Callers("", Random(seed))
        self.seen, self.shown, self.during = Seen(), Shown(), ""
        self.typical_s: dict[str, float] = {}

    def one(self) -> None:
        """Start, compare, play a little, kill."""
        rng = Random(self.seed + self.counts.kills)
        folder = self.at / "data"
        if self.counts.kills % KILLS_PER_FOLDER == 0 or not self.seen.aspects:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            source = BLIND if self.counts.kills // KILLS_PER_FOLDER % 4 else SIMULATED
            (folder / "tock.toml").write_text(CONFIG + source, encoding="utf-8")
            self.callers = Callers(
                f"http://127.0.0.1:{self.port}", rng, lambda: ask(folder, "host-code")["code"]
            )
            self.seen = Seen()
        self.callers.rng = rng
        with (self.at / "companion.log").open("wb") as log:
            companion = Companion(folder, port=self.port, errors=log)
            try:
                self.counts.start_ms.append(round(companion.wait_until_up(START_PATIENCE_S) * 1000))
                self._compare()
                self._play(rng)
                self._cut(companion, rng)
            except (AssertionError, TockError) as error:
                self.counts.failed_starts += 1
                self._note(str(error))
                self.seen = Seen()
            finally:
                companion.kill()
        self.counts.kills += 1

    def _compare(self) -> None:
        self.callers.become_host()
        found = self.callers.look()
        if not self.seen.aspects:
            return
        log = self.callers.log(self.seen.number)
        missing = lost(self.seen, found, log, self.during, self.shown)
        self.counts.events_shown += self.seen.length
        self.counts.hands_compared += found.logs == self.seen.logs
        self.counts.lost += len(missing)
        for what in missing:
            self._note(f"{what} lost during {self.during}: {self.seen.aspects.get(what)}")

    def _play(self, rng: Random) -> None:
        self.callers.sit_down()
        for _ in range(rng.randrange(MAX_TURNS_BEFORE)):
            self.callers.become_host()
            deed = self.callers.deed(rng.choice([kind for kind in KINDS if kind not in ENDING]))
            began_s = time.monotonic()
            status, sentence = deed.do()
            self.typical_s[deed.kind] = time.monotonic() - began_s
            self.callers.after(deed, status)
            self.counts.answered += 1
            self.counts.granted += status in (200, 204)
            if status not in (200, 204) and (not sentence or (status >= 500 and status != 503)):
                self.counts.badly_answered += 1
                self._note(f"{deed.kind} {deed.path}: {status} '{sentence}'")
        # A phone's place or another board has the table built again: its page is away for a moment.
        wait_until("the page is there", self._answers)
        self.callers.become_host()

    def _answers(self) -> bool:
        try:
            self.callers.look()
        except LINE_DEAD:
            return False
        return True

    def _cut(self, companion: Companion, rng: Random) -> None:
        flown = self.counts.in_flight
        fewest = min(flown.get(kind, 0) for kind in KINDS)
        kind = rng.choice([kind for kind in KINDS if flown.get(kind, 0) == fewest])
        deed = self.callers.deed(kind)
        ear = Ear(companion.url)
        ear.start()
        self.seen, self.during = self.callers.look(), kind
        asking = Cutting(deed)
        asking.start()
        asking.join(rng.uniform(0, LATEST * self.typical_s.get(kind, TYPICAL_S)))
        companion.kill()
        asking.join()
        ear.join()
        self.shown = ear.shown
        if asking.status is None:
            self.counts.in_flight[kind] = self.counts.in_flight.get(kind, 0) + 1
        else:
            self.callers.after(deed, asking.status)
            self.typical_s[kind] = asking.took_s
            self.counts.between += 1

    def _note(self, text: str) -> None:
        self.counts.notes.append(f"{self.counts.kills}: {text}")


def study(say: Say, kills: int, seed: int, at: Path) -> Counts:
    """Kill until there are enough; counts are kept after each."""
    at.mkdir(parents=True, exist_ok=True)
    kept = at / "counts.json"
    counts = Counts(**json.loads(kept.read_text())) if kept.exists() else Counts()
    running = Study(counts, at, seed)
    while counts.in_requests < kills:
        running.one()
        kept.write_text(json.dumps(asdict(counts), indent=1))
        say(
            f"{counts.in_requests} of {kills}: {counts.lost} lost, {counts.failed_starts} starts failed, "
            f"{counts.badly_answered} badly answered"
        )
    return counts


def run(say: Say, kills: int = KILLS, seed: int = 1, folder: Path = FOLDER) -> Measured:
    """Kill the companion that often while it answers; nothing that phones were shown may be lost."""
    # Only under a supervisor does a companion end itself to be started again.
    os.environ["INVOCATION_ID"] = "study"
    counts = study(say, kills, seed, folder)
    flown = Counter(counts.in_flight)
    figures = asdict(counts) | {
        "start_ms": {"median": percentile(counts.start_ms, 0.5), "most": max(counts.start_ms)},
        "in_flight": dict(flown.most_common()),
        "kinds": len(flown),
        "never": [kind for kind in KINDS if kind not in flown],
    }
    return Measured(figures, passed=not (counts.lost or counts.failed_starts or counts.badly_answered))
