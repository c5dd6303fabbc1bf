"""Slow moves at length, of which none may raise a false alarm.

Captures, swaps and sevens with the hand away; sevens counted by hand; captures with the taken pawn laid aside.

A run that was stopped goes on.
"""

import json
from collections import Counter
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Annotated

from tests.support.checkout import BUILD
from tock_bench.noisy.by_hand import WAYS, play_by_hand
from tock_bench.noisy.noise import KINDS
from tock_bench.noisy.slow_moves import Calm, counts_of, play_slowly
from tock_bench.results import Measured, Say, table

PORTION = 25
"""Moves made at one table, and noted together."""
FIRST_SEED = 1000
WITH_THE_HAND_AWAY = "away"


def run(
    _say: Say,
    moves: Annotated[int, "how many before each source"] = 1000,
    first: Annotated[int, "where to begin, for a second process"] = 0,
    kinds: tuple[str, ...] = KINDS,
    ways: tuple[str, ...] = (WITH_THE_HAND_AWAY, *WAYS),
    keep: Annotated[Path, "goes on with what stands there"] = BUILD / "calm.jsonl",
) -> Measured:
    """Make slow moves before each kind of source; `red` must be 0."""
    keep.parent.mkdir(parents=True, exist_ok=True)
    done = kept(keep)
    for number in range(first // PORTION, moves // PORTION):
        for way, kind in product(ways, kinds):
            if (way, kind, number) in done:
                continue
            calm = done[way, kind, number] = _play(way, kind, FIRST_SEED + number)
            with keep.open("a", encoding="utf-8") as file:
                noted = {**vars_of(calm), "way": way, "kind": kind, "number": number}
                file.write(json.dumps(noted) + "\n")
    found = {
        f"{way}, {kind}": [calm for (*name, _), calm in done.items() if name == [way, kind]]
        for way, kind in product(ways, kinds)
    }
    figures = {name: counts_of(calms) for name, calms in found.items()}
    rows = [(name, *counts.values()) for name, counts in figures.items()]
    alarms = [failure for calms in found.values() for calm in calms for failure in calm.failures]
    head = ("", "moves", "red", "right", "asked", "told what is left")
    return Measured({**figures, "alarms": alarms}, table(head, rows), passed=not alarms)


def _play(way: str, kind: str, seed: int) -> Calm:
    if way == WITH_THE_HAND_AWAY:
        return play_slowly(kind, seed, PORTION)
    return play_by_hand(way, kind, seed, PORTION)


def vars_of(calm: Calm) -> dict[str, object]:
    """A portion as JSON takes it."""
    counts = {field.name: getattr(calm, field.name) for field in fields(calm)}
    return {**counts, "failures": dict(calm.failures)}


def kept(path: Path) -> dict[tuple[str, str, int], Calm]:
    """The results that an earlier run has noted."""
    done: dict[tuple[str, str, int], Calm] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        entry = json.loads(line)
        key = (entry.pop("way", WITH_THE_HAND_AWAY), entry.pop("kind"), entry.pop("number"))
        done[key] = Calm(**{**entry, "failures": Counter(entry["failures"])})
    return done
