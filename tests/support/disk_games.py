"""Games on a bad disk, each ended by a power cut, and a start on the disk's remains.

Run as a process, because it forks and a faulty disk is preloaded: `python -m tests.support.disk_games PART FOLDER`.
It prints its counts as one JSON object.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.support.checkout import ROOT
from tests.support.disks import CardFile, FaultyDisk, clear, fill
from tests.support.in_process import Home
from tests.support.power import Memory, act, cut, play_for_ever, start
from tests.support.tables import BOARD
from tock_companion.errors import TockError
from tock_companion.storage.backup import daily_backup
from tock_companion.table.runtime.recorder import Recorder

PATIENCE_S = 240
CARD_MB = 8
"""3 MB are left beside its journal."""
REQUESTS = 25
CERTAIN_DAYS = (3, 9)
"""On these the disk always changes, so in each game a fault is mended before the cut."""
"""Requests of a game before the power is cut."""
FAULTS = ("EIO", "ENOSPC", "EROFS", "torn")
SLOW_SHARE = 0.04
"""Of the faults: a slow disk takes seconds."""
SEED = 1
Tell = Callable[..., None]
MakeBad = Callable[[Random], None]


@dataclass
class Counts:
    """The findings of one game."""

    granted: int = 0
    lost: int = 0
    failed_starts: int = 0
    badly_answered: int = 0
    not_kept_again: int = 0
    """Times that not all was on the disk soon after it was mended."""
    views_checked: int = 0
    blind: int = 0
    notes: list[str] = field(default_factory=list)

    def note_start(self, found: Iterable[str]) -> None:
        """Count the findings of a start; a refused request that was done nevertheless loses nothing."""
        for what in found:
            self.failed_starts += what.startswith("down")
            self.lost += not what.startswith(("down", "done"))
            self.notes.append(what)

    def note_line(self, line: dict[str, Any]) -> None:
        """Count one line of a companion."""
        faults = [
            "down" in line,
            "did" in line and not line["is_proper"],
            "sees" in line and not line["sees"],
            "sees" in line and not line["kept"],
        ]
        self.granted += line.get("status") == 200
        self.views_checked += "sees" in line
        self.failed_starts += faults[0]
        self.badly_answered += faults[1]
        self.blind += faults[2]
        self.not_kept_again += faults[3]
        if any(faults):
            self.notes.append(
                str({key: line.get(key) for key in ("down", "did", "sentence", "sees", "kept")})
            )


def trouble(make_bad: MakeBad, mend: Callable[[], None], home: Home, tell: Tell) -> None:
    """Play while the disk goes bad and is mended, until the power is cut."""
    rng, bad = home.rng, False
    for day in range(REQUESTS):
        if day in CERTAIN_DAYS or rng.random() < 0.12:
            if bad:
                mend()
                tell(sees=home.sees(), kept=home.is_kept())
            else:
                make_bad(rng)
            bad = not bad
        if rng.random() < 0.1:
            write_beside(home, day)
        act(home, tell)
    play_for_ever(home, tell)


def write_beside(home: Home, day: int) -> None:
    """Make a daily copy, or record from now on."""
    try:
        if home.rng.random() < 0.5:
            today = date(2026, 1, 1) + timedelta(days=day)
            daily_backup(home.store.path, home.folder / "backup", 7, today)
        else:
            film = home.folder / "recordings" / str(day)
            home.table.record_to(Recorder(film, BOARD))
    except (TockError, TimeoutError):
        return


def game(data: Path, make_bad: MakeBad, mend: Callable[[], None], after_cut: Callable[[], None]) -> Counts:
    """One game, a power cut, and the start after it."""
    counts, memory, rng = Counts(), Memory(), Random(SEED)
    for script, requests in ((partial(trouble, make_bad, mend), REQUESTS), (play_for_ever, 1)):
        child, found = start(data, memory, SEED, script)
        counts.note_start(found)
        for line in cut(child, memory, rng, requests):
            counts.note_line(dict(line))
        after_cut()
    return counts


def on_card(folder: Path) -> Counts:
    """A small memory card of ext4, which is filled and freed; a power cut loses all that was not synced."""
    card = CardFile(folder / "card.img", folder / "card", CARD_MB)
    if not card.make():
        raise SystemExit("a card cannot be mounted here: run this as root")
    disk = card.folder
    try:
        return game(
            disk / "data",
            lambda rng: fill(disk, rng.choice((0, 0, 8192, 65536))),
            lambda: clear(disk),
            card.power_cut,
        )
    finally:
        card.pull_out()


def on_faults(folder: Path) -> Counts:
    """A disk whose writes fail, tear or dawdle; it is sound again for the start."""
    faulty = faulty_disk(folder)
    faulty.tell()

    def make_bad(rng: Random) -> None:
        if rng.random() < SLOW_SHARE:
            faulty.tell("slow", 20)
        else:
            faulty.tell(rng.choice(FAULTS), rng.choice((5, 20, 60, 100)))

    return game(faulty.folder / "data", make_bad, faulty.tell, faulty.tell)


def faulty_disk(folder: Path) -> FaultyDisk:
    """The disk of `on_faults`."""
    return FaultyDisk(folder / "faulty", folder / "faulty.control")


PARTS = {"card": on_card, "faults": on_faults}


def play(part: str, folder: Path) -> dict[str, Any]:
    """Play a game in another process; return its counts."""
    environment = None
    if part == "faults":
        faulty = faulty_disk(folder)
        faulty.folder.mkdir(parents=True, exist_ok=True)
        environment = dict(faulty.environment(SEED))
    ended = subprocess.run(
        [sys.executable, "-m", __name__, part, str(folder)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-2000:]
    counts: dict[str, Any] = json.loads(ended.stdout)
    return counts


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(PARTS[sys.argv[1]](Path(sys.argv[2])))))
