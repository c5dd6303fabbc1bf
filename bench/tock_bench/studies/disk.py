"""Measures the cost of a bad disk. Three parts, each goes on where it was stopped.

- kills: the power is cut (SIGKILL) during requests of every kind; everything shown on phones must be there again.
- full: games on a file system of 3 MB that is filled and freed at random moments; recordings, pictures and copies too.
  Half of them on ext4, which loses at the power cut what was not synced.
- faults: games on a disk whose writes fail, tear or dawdle at random moments (tests/hostile/faulty_disk.c).
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Annotated

from tests.support.checkout import BUILD
from tests.support.disks import CardFile, FaultyDisk, clear, fill, small_disk
from tests.support.household import Household
from tests.support.power import Memory, act, cut, play_for_ever, start
from tests.support.tables import BOARD
from tock_bench.results import Figures, Say
from tock_companion.errors import TockError
from tock_companion.storage.backup import daily_backup
from tock_companion.table.runtime.recorder import Recorder

FOLDER = BUILD / "disk-study"
"""Folder of the study's counts, so that it goes on there, and of the disks it tries."""
AMOUNTS = {"kills": 1000, "full": 200, "faults": 100}
DISK_KB = 3072
CARD_MB = 8
"""3 MB are left beside its journal."""
REQUESTS = 40
"""Requests of a game before the power is cut."""
FAULTS = ("EIO", "ENOSPC", "EROFS", "torn")
SLOW_SHARE = 0.04
"""Of the faults: a slow disk takes seconds."""
REQUESTS_BEFORE_KILL = 6
GAME_PER_KILLS = 50
"""Cuts before a new folder is taken, so that starts stay quick."""
Tell = Callable[..., None]


@dataclass
class Counts:
    """The findings so far."""

    trials: int = 0
    answered: int = 0
    granted: int = 0
    refused: int = 0
    lost: int = 0
    done_though_refused: int = 0
    """Refused by a disk that had taken it nevertheless, as the next start shows: nobody saw it, nothing is lost."""
    failed_starts: int = 0
    badly_answered: int = 0
    shown_as_unkept: int = 0
    """Answers given while phones showed that the game was not kept."""
    not_kept_again: int = 0
    """Times that not all was on the disk soon after it was mended."""
    on_ext4: int = 0
    views_checked: int = 0
    blind: int = 0
    during: dict[str, int] = field(default_factory=dict)
    """Kinds of request in whose middle the power was cut."""
    notes: list[str] = field(default_factory=list)

    def note(self, lost: Iterable[str], seed: int) -> None:
        """Count what a start has shown."""
        for what in lost:
            if what.startswith("down"):
                self.failed_starts += 1
            elif what.startswith("done"):
                self.done_though_refused += 1
            else:
                self.lost += 1
            self.notes.append(f"{seed}: {what}")


def kills(counts: Counts, seed: int, folder: Path, memory: Memory) -> None:
    """One power cut at a companion that goes on with what the one before has left."""
    rng = Random(seed)
    child, lost = start(folder, memory, seed, play_for_ever)
    counts.note(lost, seed)
    lines = cut(child, memory, rng, rng.randrange(REQUESTS_BEFORE_KILL))
    kind = memory.doing or "between"
    counts.during[kind] = counts.during.get(kind, 0) + 1
    tally(counts, lines, seed)


def tally(counts: Counts, lines: Iterable[object], seed: int) -> None:
    for line in lines:
        assert isinstance(line, dict)
        if "down" in line:
            counts.failed_starts += 1
            counts.notes.append(f"{seed}: {line}")
        elif "did" in line:
            counts.answered += 1
            counts.shown_as_unkept += not line.get("now", {}).get("kept", True)
            counts.granted += line["status"] == 200
            counts.refused += line["status"] != 200
            if not line["well_answered"]:
                counts.badly_answered += 1
                counts.notes.append(f"{seed}: {line['did']} {line['status']} {line['sentence']}")
        elif "sees" in line:
            counts.views_checked += 1
            counts.blind += not line["sees"]
            counts.not_kept_again += not line["kept"]
            if not (line["sees"] and line["kept"]):
                counts.notes.append(f"{seed}: sees {line['sees']}, kept {line['kept']}")


class Trouble:
    """Trouble at a disk while people play."""

    def __init__(self, household: Household, make_bad: Callable[[], None], mend: Callable[[], None]) -> None:
        self.household, self.rng = household, household.rng
        self.make_bad, self.mend = make_bad, mend
        self.day, self.films = date(2026, 1, 1), 0

    def play(self, tell: Tell) -> None:
        """Play while the disk goes bad and is mended; at the end anything may be, and the power is cut."""
        bad = False
        for _ in range(REQUESTS):
            if self.rng.random() < 0.12:
                if bad:
                    self.mend()
                    tell(sees=self.household.sees(), kept=self.household.is_kept())
                else:
                    self.make_bad()
                bad = not bad
            if self.rng.random() < 0.1:
                self.write_beside()
            act(self.household, tell)
        play_for_ever(self.household, tell)

    def write_beside(self) -> None:
        """Make a daily copy, or record from now on."""
        folder = self.household.folder
        try:
            if self.rng.random() < 0.5:
                self.day += timedelta(days=1)
                daily_backup(self.household.store.path, folder / "backup", 7, self.day)
            else:
                self.films += 1
                self.household.table.record_to(Recorder(folder / "recordings" / str(self.films), BOARD))
        except (TockError, TimeoutError):
            return


def full(counts: Counts, seed: int, folder: Path) -> None:
    """A game on a small disk, a power cut, and a start on the disk as it is then.

    Every second disk is a card of ext4, which forgets at the power cut all that was not synced.
    """
    if seed % 2:
        card = CardFile(folder / "card.img", folder / "card", CARD_MB)
        if not card.make():
            raise SystemExit("a card cannot be mounted here: run this as root")
        try:
            game_on(counts, seed, card.folder, card.power_cut)
            counts.on_ext4 += 1
        finally:
            card.pull_out()
        return
    with small_disk(folder / "small", DISK_KB) as disk:
        if disk is None:
            raise SystemExit("a small disk cannot be mounted here: run this as root")
        game_on(counts, seed, disk)


def game_on(counts: Counts, seed: int, disk: Path, cut_power: Callable[[], None] = lambda: None) -> None:
    def script(household: Household, tell: Tell) -> None:
        rng = household.rng
        Trouble(household, lambda: fill(disk, rng.choice((0, 0, 8192, 65536))), lambda: clear(disk)).play(
            tell
        )

    game(counts, seed, disk / "data", script, cut_power)


def faults(counts: Counts, seed: int, folder: Path) -> None:
    """A game on a disk with faults, a power cut, and a start on the mended disk."""
    faulty = faulty_disk(folder)
    faulty.tell()

    def make_bad(rng: Random) -> None:
        if rng.random() < SLOW_SHARE:
            faulty.tell("slow", 20)
        else:
            faulty.tell(rng.choice(FAULTS), rng.choice((5, 20, 60, 100)))

    def script(household: Household, tell: Tell) -> None:
        Trouble(household, lambda: make_bad(household.rng), faulty.tell).play(tell)

    game(counts, seed, faulty.folder / "data", script, faulty.tell)


def game(
    counts: Counts,
    seed: int,
    data: Path,
    script: Callable[[Household, Tell], None],
    after_cut: Callable[[], None] = lambda: None,
) -> None:
    """One game, a power cut at its end, and the start after it."""
    shutil.rmtree(data, ignore_errors=True)
    memory, rng = Memory(), Random(seed)
    child, lost = start(data, memory, seed, script)
    counts.note(lost, seed)
    tally(counts, cut(child, memory, rng, REQUESTS), seed)
    after_cut()
    child, lost = start(data, memory, seed, play_for_ever)
    counts.note(lost, seed)
    tally(counts, cut(child, memory, rng, 1), seed)


def faulty_disk(folder: Path) -> FaultyDisk:
    return FaultyDisk(folder / "faulty", folder / "faulty.control")


def study(say: Say, part: str, amount: int, first_seed: int, at: Path) -> Counts:
    """Try until there are enough; counts are kept after each."""
    at.mkdir(parents=True, exist_ok=True)
    kept = at / f"{part}.json"
    counts = Counts()
    if kept.exists():
        counts = Counts(**json.loads(kept.read_text()))
    memory = Memory()
    while counts.trials < amount:
        seed = first_seed + counts.trials
        if part == "kills":
            folder = at / "killed"
            if counts.trials % GAME_PER_KILLS == 0 or memory.shown is None:
                shutil.rmtree(folder, ignore_errors=True)
                memory = Memory()
            kills(counts, seed, folder, memory)
        elif part == "full":
            full(counts, seed, at)
        else:
            faults(counts, seed, at)
        counts.trials += 1
        kept.write_text(json.dumps(asdict(counts), indent=1))
        say(
            f"{part}: {counts.trials} of {amount}, {counts.lost} lost, {counts.failed_starts} starts failed, "
            f"{counts.badly_answered} badly answered, {counts.blind} blind, {counts.not_kept_again} not kept again"
        )
    return counts


def run(
    say: Say,
    parts: Annotated[tuple[str, ...], "kills, full, faults"] = tuple(AMOUNTS),
    amount: Annotated[int | None, "of each part, instead of 1,000, 200 and 100"] = None,
    seed: int = 1,
    folder: Path = FOLDER,
) -> Figures:
    """Try all parts, each in amounts of its own."""
    figures = {}
    for part in parts:
        if part == "faults" and "FAULTY_FOLDER" not in os.environ:
            figures[part] = on_faulty_disk(amount, seed, folder)
        else:
            figures[part] = asdict(study(say, part, amount or AMOUNTS[part], seed, folder))
    return figures


def on_faulty_disk(amount: int | None, seed: int, folder: Path) -> object:
    """The part with faults in a process of its own, under the library that makes them."""
    faulty = faulty_disk(folder)
    faulty.folder.mkdir(parents=True, exist_ok=True)
    options = ["--json", "--seed", str(seed), "--folder", str(folder)]
    options += ["--amount", str(amount)] if amount else []
    command = [sys.executable, "-m", "tock_app.cli.main", "bench", "disk", "--parts", "faults", *options]
    ran = subprocess.run(command, env=faulty.environment(seed), check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(ran.stdout)["figures"]["faults"]
