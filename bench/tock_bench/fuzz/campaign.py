"""Many trials, counted by way in, and what was found kept as files that a test runs again."""

import hashlib
import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.checkout import DATA
from tock_bench.fuzz.child import Outcome
from tock_bench.fuzz.doors import SPECIALS, Door

CASES = DATA / "hostile"
MAX_CASE_BYTES = 200_000
"""Largest input that is kept; of a larger one only the numbers are, for the seed makes it again."""


@dataclass
class DoorTally:
    """Counts of one way in."""

    tried: int = 0
    refused: int = 0
    """Inputs that were answered with exit code 1 or 2 or a status of the 400s."""
    spent_s: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    known: list[str] = field(default_factory=list)
    """Findings so far, each once: fault and place."""

    @classmethod
    def of(cls, document: dict[str, object]) -> "DoorTally":
        """Read one back."""
        made = cls(**document)  # type: ignore[arg-type]
        made.faults = Counter(made.faults)
        return made


class Progress:
    """The tallies of a campaign, kept in a file so that it goes on where it was stopped."""

    def __init__(self, path: Path, seed: int) -> None:
        self._path = path
        self.seed = seed
        self.tallies: dict[str, DoorTally] = {}
        if path.exists():
            document = json.loads(path.read_text())
            if document["seed"] == seed:
                self.tallies = {name: DoorTally.of(tally) for name, tally in document["doors"].items()}

    def tally(self, door: str) -> DoorTally:
        """The tally of one way in."""
        return self.tallies.setdefault(door, DoorTally())

    def summary(self) -> str:
        """One line of what was tried and found so far."""
        tried = sum(tally.tried for tally in self.tallies.values())
        faults = sum(sum(tally.faults.values()) for tally in self.tallies.values())
        return f"{tried:,} inputs, {faults} faults"

    def save(self) -> None:
        """Keep what was counted."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        doors = {name: vars(tally) for name, tally in self.tallies.items()}
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps({"seed": self.seed, "doors": doors}, indent=1))
        fresh.replace(self._path)


@contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder that goes away, whatever a trial made of it."""
    folder = Path(tempfile.mkdtemp(prefix="tock-fuzz-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def try_next(door: Door, progress: Progress, keep: Path | None = CASES) -> list[str]:
    """Give a door its next input, count it, and keep what it found; return new findings."""
    tally = progress.tally(door.name)
    began_s = time.monotonic()
    index = tally.tried
    special = SPECIALS[index] if door.target and index < len(SPECIALS) else ""
    content = b"" if special else door.input(progress.seed, index)
    with empty_folder() as folder:
        outcome = door.give_special(folder, special) if special else door.give(folder, content)
    tally.tried += 1
    tally.refused += outcome.code in (1, 2)
    tally.spent_s = round(tally.spent_s + time.monotonic() - began_s, 3)
    return [
        found
        for fault in door.faults(outcome)
        if (found := _count(tally, fault, outcome, door, content, special, index, keep))
    ]


def _count(
    tally: DoorTally,
    fault: str,
    outcome: Outcome,
    door: Door,
    content: bytes,
    special: str,
    index: int,
    keep: Path | None,
) -> str:
    tally.faults[fault] += 1
    label = f"{fault}: {special or outcome.place}"
    if label in tally.known:
        return ""
    tally.known.append(label)
    if keep is not None and not special and len(content) <= MAX_CASE_BYTES:
        keep_case(keep, door.name, fault, content)
    return f"{door.name} #{index}{' ' + special if special else ''}: {fault}: {outcome.place}"


def keep_case(folder: Path, door: str, fault: str, content: bytes) -> Path:
    """Write an input that found something where `tests/hostile` tries it from now on."""
    name = f"{fault.replace(' ', '-')}-{hashlib.sha256(content).hexdigest()[:8]}"
    path = folder / slug(door) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def slug(door: str) -> str:
    """Write the name of a door as a folder."""
    return "".join(char if char.isalnum() else "-" for char in door)


def least_tried(names: Sequence[str], progress: Progress) -> str:
    """The way in that has had the least time, so that slow readers do not take it all."""
    return min(names, key=lambda name: progress.tally(name).spent_s)
