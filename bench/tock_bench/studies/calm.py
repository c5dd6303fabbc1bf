"""Slow moves at length: captures, swaps and sevens with the hand away, of which none may raise a false alarm.

A run that was stopped goes on.
"""

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Annotated

from tock_bench.noisy.noise import KINDS
from tock_bench.noisy.slow_moves import Calm, counts_of, play_slowly
from tock_bench.places import BUILD
from tock_bench.results import Measured, Say, table

PORTION = 25
"""Moves made at one table, and noted together."""
FIRST_SEED = 1000


def run(
    _say: Say,
    moves: Annotated[int, "how many before each source"] = 1000,
    first: Annotated[int, "where to begin, for a second process"] = 0,
    kinds: tuple[str, ...] = KINDS,
    keep: Annotated[Path, "goes on with what stands there"] = BUILD / "calm.jsonl",
) -> Measured:
    """Make slow moves before each kind of source; `red` must be 0."""
    keep.parent.mkdir(parents=True, exist_ok=True)
    done = kept(keep)
    for number in range(first // PORTION, moves // PORTION):
        for kind in kinds:
            if (kind, number) in done:
                continue
            calm = done[kind, number] = play_slowly(kind, FIRST_SEED + number, PORTION)
            with keep.open("a", encoding="utf-8") as file:
                noted = {**vars_of(calm), "kind": kind, "number": number}
                file.write(json.dumps(noted) + "\n")
    found = {kind: [calm for (name, _), calm in done.items() if name == kind] for kind in kinds}
    figures = {kind: counts_of(calms) for kind, calms in found.items()}
    rows = [(kind, *counts.values()) for kind, counts in figures.items()]
    alarms = [failure for calms in found.values() for calm in calms for failure in calm.failures]
    head = ("", "moves", "red", "right", "asked", "told what is left")
    return Measured({**figures, "alarms": alarms}, table(head, rows), passed=not alarms)


def vars_of(calm: Calm) -> dict[str, object]:
    """A portion as JSON takes it."""
    counts = {field.name: getattr(calm, field.name) for field in fields(calm)}
    return {**counts, "failures": dict(calm.failures)}


def kept(path: Path) -> dict[tuple[str, int], Calm]:
    """What an earlier run has noted."""
    done: dict[tuple[str, int], Calm] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        entry = json.loads(line)
        key = (entry.pop("kind"), entry.pop("number"))
        done[key] = Calm(**{**entry, "failures": Counter(entry["failures"])})
    return done
