"""The long proof: the engine against the slow reading, and random whole games; `make rules-study` runs it.

Batches have their own seeds and are noted in a file when they are done, so that a run that was stopped goes on where it
was. The table for `docs/measurements/rules.md` goes to standard output.
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.support.rule_checks import FORMS, HOUSES, compare, play_checked
from tock_bench.noisy.random_tables import random_card, random_table
from tock_bench.results import origin
from tock_companion.rules import load_preset, preset_names
from tock_companion.rules.engine import is_compiled

DONE = Path("build/rules-study.jsonl")
POSITIONS, GAMES = 100_000, 20_000
POSITIONS_PER_BATCH, GAMES_PER_BATCH = 200, 100
Counts = dict[str, Counter[str]]


def compare_batch(batch: int) -> Counts:
    """Compare random positions of one ruleset, in four of ten batches with a house rule."""
    rng = random.Random(10_000 + batch)
    name = preset_names()[batch % 5]
    house = rng.choice(HOUSES) if rng.random() < 0.4 else HOUSES[0]
    try:
        rules = load_preset(name).with_options(house[0])
    except ValueError:
        house, rules = HOUSES[0], load_preset(name)
    counts: Counter[str] = Counter()
    for _ in range(POSITIONS_PER_BATCH):
        card, table = random_card(rng), random_table(rng, rules)
        moves = compare(table, name, card, house)
        counts.update(positions=1, results=moves, house=bool(house[0]), sevens=card.rank == 7)
        counts.update({f"{table.zones} zones": 1, "in teams": bool(table.teams)})
    return {name: counts}


def play_batch(batch: int) -> Counts:
    """Play random games of all rulesets on all tables that they know, looking at cards and pawns all the time."""
    counts: Counts = {name: Counter() for name in preset_names()}
    for index in range(GAMES_PER_BATCH):
        name = preset_names()[index % 5]
        number = batch * (GAMES_PER_BATCH // 5) + index // 5
        form = FORMS[name][number % len(FORMS[name])]
        plies = play_checked(load_preset(name), form, seed=50_000 + number)
        counts[name].update({"games": 1, "actions": plies, "in teams": bool(form[2]), f"{form[0]} zones": 1})
    return counts


def run(what: str, batches: int, work: Callable[[int], Counts]) -> Counts:
    """Do the batches that are not done yet and return the counts of all."""
    DONE.parent.mkdir(exist_ok=True)
    lines = DONE.read_text(encoding="utf-8").splitlines() if DONE.exists() else []
    done = {entry["batch"]: entry["counts"] for entry in map(json.loads, lines) if entry["what"] == what}
    started = time.monotonic()
    for batch in range(batches):
        if batch not in done:
            done[batch] = work(batch)
            with DONE.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"what": what, "batch": batch, "counts": done[batch]}) + "\n")
            spent = time.monotonic() - started
            sys.stderr.write(f"\r{what}: {len(done)} of {batches} batches, {spent:.0f} s ")
            sys.stderr.flush()
    sys.stderr.write("\n")
    return {
        name: sum((Counter(done[batch].get(name, {})) for batch in range(batches)), Counter())
        for name in FORMS
    }


def main() -> None:
    """Run both studies, or the one that is named, and print their tables."""
    kind = "compiled" if is_compiled() else "plain Python"
    lines = [f"Engine: {kind}. Differences: 0. Games that did not end or lost a card or pawn: 0.", ""]
    if "games" not in sys.argv[1:]:
        found = run("positions", POSITIONS // POSITIONS_PER_BATCH, compare_batch)
        lines += table(
            found, ["positions", "sevens", "house", "in teams", "4 zones", "6 zones", "8 zones", "results"]
        )
    if "positions" not in sys.argv[1:]:
        found = run("games", GAMES // GAMES_PER_BATCH, play_batch)
        lines += table(found, ["games", "in teams", "4 zones", "6 zones", "8 zones", "actions"])
    sys.stdout.write("\n".join((origin("make rules-study"), "", *lines)))


def table(found: Counts, columns: list[str]) -> list[str]:
    """Lines of a table with a row per ruleset."""
    lines = ["| ruleset | " + " | ".join(columns) + " |", "|---" + "|---:" * len(columns) + "|"]
    for name, counts in found.items():
        lines.append(f"| {name} | " + " | ".join(f"{counts[column]:,}" for column in columns) + " |")
    return [*lines, ""]


if __name__ == "__main__":
    main()
