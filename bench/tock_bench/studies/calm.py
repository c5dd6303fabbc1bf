"""Slow moves at length: captures, swaps and sevens with the hand away, of which none may raise a false alarm.

    python -m tock_bench.studies.calm --moves 1000 --keep calm.jsonl

Prints the row of the table in docs/measurements/evening.md; with the same file a run that was stopped goes on.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path

from tock_bench.noisy.slow_moves import Calm, play_slowly

PORTION = 25
"""So many moves are made at a table of their own, and noted together."""
FIRST_SEED = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--moves", type=int, default=1000, help="how many before each source")
    parser.add_argument("--first", type=int, default=0, help="where to begin, for a second process")
    parser.add_argument("--kinds", nargs="+", default=["camera", "reed", "both"])
    parser.add_argument("--keep", type=Path, default=Path("calm.jsonl"), metavar="FILE")
    options = parser.parse_args()
    done = kept(options.keep)
    for number in range(options.first // PORTION, options.moves // PORTION):
        for kind in options.kinds:
            if (kind, number) in done:
                continue
            calm = done[kind, number] = play_slowly(kind, FIRST_SEED + number, PORTION)
            with options.keep.open("a", encoding="utf-8") as file:
                noted = {**vars_of(calm), "kind": kind, "number": number}
                file.write(json.dumps(noted) + "\n")
    for kind in options.kinds:
        sys.stdout.write(row(kind, [calm for (name, _), calm in done.items() if name == kind]) + "\n")


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


def row(kind: str, calms: list[Calm]) -> str:
    """A line of the table, and below it each false alarm."""
    names = ("n", "red", "right", "asked", "guided")
    cells = [str(sum(getattr(calm, name) for calm in calms)) for name in names]
    alarms = [f"  {failure}" for calm in calms for failure in calm.failures]
    return "\n".join([f"| {kind} | {' | '.join(cells)} |", *alarms])


if __name__ == "__main__":
    main()
