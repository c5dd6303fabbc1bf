"""The long proof: the engine against the slow reading, and random whole games.

Batches have their own seeds and are noted in a file when they are done, so that a run that was stopped goes on where it
was.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Annotated

from tests.support.checkout import BUILD
from tests.support.random_tables import random_card, random_table
from tests.support.rule_checks import FORMS, HOUSES, compare, play_checked
from tock_bench.results import Measured, Say, table
from tock_rules import load_preset, preset_names
from tock_rules.engine import is_compiled

DONE = BUILD / "rules-study.jsonl"
POSITIONS, GAMES = 100_000, 20_000
POSITIONS_PER_BATCH, GAMES_PER_BATCH = 200, 100
ZONES = ("4 zones", "6 zones", "8 zones")
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


def counts_of(say: Say, what: str, batches: int, work: Callable[[int], Counts]) -> Counts:
    """Do the batches that are not done yet and return the counts of all."""
    DONE.parent.mkdir(exist_ok=True)
    lines = DONE.read_text(encoding="utf-8").splitlines() if DONE.exists() else []
    done = {entry["batch"]: entry["counts"] for entry in map(json.loads, lines) if entry["what"] == what}
    for batch in range(batches):
        if batch not in done:
            done[batch] = work(batch)
            with DONE.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"what": what, "batch": batch, "counts": done[batch]}) + "\n")
            say(f"{what}: {len(done)} of {batches} batches")
    return {
        name: sum((Counter(done[batch].get(name, {})) for batch in range(batches)), Counter())
        for name in FORMS
    }


def run(
    say: Say,
    parts: Annotated[tuple[str, ...], "positions, games"] = ("positions", "games"),
    positions: int = POSITIONS,
    games: int = GAMES,
) -> Measured:
    """Compare positions and play games; a difference, or a game that loses a card or a pawn, ends it."""
    figures: dict[str, object] = {"compiled": is_compiled()}
    tables = []
    if "positions" in parts:
        found = counts_of(say, "positions", positions // POSITIONS_PER_BATCH, compare_batch)
        figures["positions"] = found
        compared = sum(counts["results"] for counts in found.values())
        tables += [
            f"{positions:,} random positions, {compared:,} results compared, **no difference**:",
            table_of(found, ("positions", "sevens", "house", "in teams", *ZONES, "results")),
        ]
    if "games" in parts:
        found = counts_of(say, "games", games // GAMES_PER_BATCH, play_batch)
        figures["games"] = found
        actions = sum(counts["actions"] for counts in found.values())
        tables += [
            f"{games:,} random whole games, {actions:,} actions: **every game ended, no card or pawn was lost, no "
            "exception was raised**:",
            table_of(found, ("games", "in teams", *ZONES, "actions")),
        ]
    engine = "compiled" if is_compiled() else "in plain Python"
    return Measured(figures, "\n\n".join((f"The engine was {engine}.", *tables)))


def table_of(found: Counts, columns: tuple[str, ...]) -> str:
    """A table with a row for each ruleset."""
    rows = [(name, *(counts[column] for column in columns)) for name, counts in found.items()]
    return table(("ruleset", *columns), rows)
