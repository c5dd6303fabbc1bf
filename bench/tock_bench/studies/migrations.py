"""Measures the cost of power cuts and full disks while folders of old releases are brought up to date.

- kills: a start is killed at a random moment of the migration, and again and again until one comes through.
- full: a start on a small disk with random room; what it cannot do it says in one line, and starts once there is room.

After each, all games, seats and hands of the old release must be there, and the folder must start.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Annotated

from tests.support.disks import clear, fill, small_disk
from tests.support.old_folders import RELEASED, OldFolder, copy_of
from tock_bench.places import BUILD
from tock_bench.results import Figures, Say
from tock_companion.errors import TockError
from tock_companion.storage import Store
from tock_companion.storage.files import check_database

FOLDER = BUILD / "migration-study"
AMOUNTS = {"kills": 200, "full": 50}
DISK_KB = 1500
MAX_MS = 40.0
"""A migration of these folders takes about half of it."""
LINES = 400
"""Lines of our own code that a migration runs through, or a few fewer."""
ROOM_BYTES = (0, 4096, 20_000, 60_000, 90_000, 110_000, 130_000, 160_000, 200_000, 260_000)

OPENS = """
import logging, os, signal, sys, threading, time
from pathlib import Path
from tock_companion.errors import TockError
from tock_companion.storage import Store
logging.disable()
how, amount = sys.argv[2], float(sys.argv[3])
if how == "lines":
    left = amount
    def count(frame, event, argument):
        global left
        if "storage" not in frame.f_code.co_filename:
            return None
        left -= event == "line"
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return count
    sys.settrace(count)
elif how == "time":
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    def cut():
        time.sleep(amount / 1000)
        os.kill(os.getpid(), signal.SIGKILL)
    threading.Thread(target=cut, daemon=True).start()
try:
    Store(Path(sys.argv[1])).close()
except TockError as error:
    sys.stderr.write(f"{error}\\n")
    sys.exit(2)
"""


@dataclass
class Counts:
    """The findings so far in the folders of one release."""

    trials: int = 0
    ended: int = 0
    """Starts that were killed, or refused for want of room."""
    came_through: int = 0
    lost: int = 0
    not_started: int = 0
    badly_reported: int = 0
    """Refusals of more than one line."""
    halves: int = 0
    """Copies that are no whole database."""
    notes: list[str] = field(default_factory=list)


def opened(data: Path, how: str, amount: float) -> "subprocess.CompletedProcess[str]":
    """A start in a process of its own, as far as it comes."""
    return subprocess.run(
        [sys.executable, "-c", OPENS, str(data), how, str(amount)],
        check=False,
        capture_output=True,
        text=True,
    )


def content(data: Path) -> object:
    """All that people have in a folder; it is looked at without bringing it up to date."""
    with closing(Store(data, set_aside=False)) as store:
        games = [store.game(number) for number in store.numbers()]
        hands = [dict(store.hands(number)) for number in store.numbers()]
        return games, hands


def seats(data: Path) -> list[tuple[str, str, str]]:
    """The names at the seats, after a start."""
    with closing(Store(data)) as store:
        return sorted((holder.seat.name, holder.name, holder.token_hash) for holder in store.holders())


def look(
    counts: Counts, old: OldFolder, before: object, people: list[tuple[str, str, str]], what: str
) -> None:
    """Start it in the end, and compare."""
    try:
        if seats(old.data) != people or content(old.data) != before:
            counts.lost += 1
            counts.notes.append(f"{what}: something is missing")
    except TockError as error:
        counts.not_started += 1
        counts.notes.append(f"{what}: {error}")
    for copy in (old.data / "backups").glob("before-*.sqlite"):
        try:
            check_database(copy)
        except Exception as error:
            counts.halves += 1
            counts.notes.append(f"{what}: {copy.name}: {error}")


def kill(counts: Counts, release: str, seed: int, folder: Path, people: list[tuple[str, str, str]]) -> None:
    """Power cuts until a start comes through; every second at a line of our code, the others at a moment."""
    rng = Random(f"{release} {seed}")
    shutil.rmtree(folder, ignore_errors=True)
    old = copy_of(release, folder)
    before = content(old.data)
    how, most = ("lines", LINES) if seed % 2 else ("time", MAX_MS)
    for _ in range(rng.randrange(1, 4)):
        ended = opened(old.data, how, rng.uniform(0, most)).returncode
        counts.ended += ended == -signal.SIGKILL
        counts.came_through += ended == 0
    look(counts, old, before, people, f"kill {seed}")


def fill_up(
    counts: Counts, release: str, seed: int, folder: Path, people: list[tuple[str, str, str]]
) -> None:
    """A start with little room, then one with enough."""
    rng = Random(f"{release} {seed}")
    with small_disk(folder, DISK_KB) as disk:
        if disk is None:
            raise SystemExit("a small disk cannot be mounted here: run this as root")
        old = copy_of(release, disk / "data")
        if rng.random() < 0.5:
            shutil.rmtree(old.data / "backups")
        before = content(old.data)
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                old.database.with_name(old.database.name + suffix).unlink()
        fill(disk, rng.choice(ROOM_BYTES))
        refused = opened(old.data, "whole", 0)
        counts.ended += refused.returncode == 2
        counts.came_through += refused.returncode == 0
        lines = refused.stderr.strip().splitlines()
        if refused.returncode not in (0, 2) or (refused.returncode == 2 and len(lines) != 1):
            counts.badly_reported += 1
            counts.notes.append(f"full {seed}: {refused.returncode} {refused.stderr[-300:]}")
        clear(disk)
        look(counts, old, before, people, f"full {seed}")


def study(say: Say, part: str, release: str, amount: int, at: Path) -> Counts:
    """Try until there are enough; counts are kept after each."""
    at.mkdir(parents=True, exist_ok=True)
    kept = at / f"{part}-{release}.json"
    counts = Counts(**json.loads(kept.read_text())) if kept.exists() else Counts()
    with tempfile.TemporaryDirectory() as scratch:
        people = seats(copy_of(release, Path(scratch) / "data").data)
    trial = kill if part == "kills" else fill_up
    while counts.trials < amount:
        trial(counts, release, counts.trials, at / part, people)
        counts.trials += 1
        kept.write_text(json.dumps(asdict(counts), indent=1))
        say(f"{part} {release}: {counts.trials} of {amount}")
    return counts


def run(
    say: Say,
    parts: Annotated[tuple[str, ...], "kills, full"] = tuple(AMOUNTS),
    amount: Annotated[int | None, "of each part and release, instead of 200 and 50"] = None,
    folder: Path = FOLDER,
) -> Figures:
    """Bring the folder of each release up to date, in all parts."""
    os.environ.pop("TOCK_DATA", None)
    return {
        part: {
            release: asdict(study(say, part, release, amount or AMOUNTS[part], folder))
            for release in RELEASED
        }
        for part in parts
    }
