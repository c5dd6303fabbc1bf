"""Counts of the trials at every way in; new findings become cases that a test runs again."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.support.hostile_cases import CASES, keep_case
from tock_bench.results import Figures, table

MAX_CASE_BYTES = 200_000
"""Largest input that is kept; the seed makes a larger one again."""
COLUMNS = ("status 500", "traceback", "hang", "memory", "lines", "control characters")
HEAD = (
    "way in",
    "tried",
    "refused",
    "seconds",
    "500",
    "traceback",
    "hang",
    "memory",
    "lines",
    "control",
    "other",
)


@dataclass
class Tally:
    """Counts of one way in."""

    tried: int = 0
    refused: int = 0
    """Inputs that were answered with exit code 1 or 2 or a status of the 400s."""
    spent_s: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    """Findings, each once: fault and place."""


class Progress:
    """The tallies of a campaign, kept in a file from which an interrupted one continues."""

    def __init__(self, path: Path, seed: int, keep: Path | None = CASES) -> None:
        self._path, self.seed, self._keep = path, seed, keep
        self.tallies: dict[str, Tally] = {}
        document: Any = json.loads(path.read_text()) if path.exists() else {"seed": None}
        if document["seed"] == seed:
            self.tallies = {name: Tally(**tally) for name, tally in document["doors"].items()}

    def tally(self, door: str) -> Tally:
        """The tally of one way in."""
        return self.tallies.setdefault(door, Tally())

    @contextmanager
    def timed(self, door: str) -> Iterator[Tally]:
        """Add the time of some trials to a tally."""
        tally, began_s = self.tally(door), time.monotonic()
        yield tally
        tally.spent_s = round(tally.spent_s + time.monotonic() - began_s, 3)

    def count(self, door: str, faults: Iterable[str], content: bytes, *, refused: bool = False) -> list[str]:
        """Count an input and its faults (`FAULT: PLACE`); keep it where one is new, and return those."""
        tally, new = self.tally(door), []
        tally.tried += 1
        tally.refused += refused
        for found in faults:
            fault = found.partition(":")[0]
            tally.faults[fault] = tally.faults.get(fault, 0) + 1
            if found not in tally.known:
                tally.known.append(found)
                new.append(f"{door}: {found}: {content[:300]!r}")
                if self._keep is not None and len(content) <= MAX_CASE_BYTES:
                    keep_case(door, fault, content, self._keep)
        return new

    @property
    def faults(self) -> int:
        """The number of faults at all ways in."""
        return sum(sum(tally.faults.values()) for tally in self.tallies.values())

    def save(self) -> None:
        """Write the counts."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        doors = {name: asdict(tally) for name, tally in self.tallies.items()}
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps({"seed": self.seed, "doors": doors}, indent=1))
        fresh.replace(self._path)

    def figures(self) -> Figures:
        """Counts of the campaign, and of every way in."""
        tallies = self.tallies.values()
        return {
            "seed": self.seed,
            "minutes": round(sum(tally.spent_s for tally in tallies) / 60),
            "inputs": sum(tally.tried for tally in tallies),
            "doors": {name: asdict(tally) for name, tally in sorted(self.tallies.items())},
        }

    def table(self) -> str:
        """A row for every way in."""
        rows = []
        for name, tally in sorted(self.tallies.items()):
            known = [tally.faults.get(column, 0) for column in COLUMNS]
            other = sum(tally.faults.values()) - sum(known)
            rows.append((name, tally.tried, tally.refused, round(tally.spent_s), *known, other))
        return table(HEAD, rows)
