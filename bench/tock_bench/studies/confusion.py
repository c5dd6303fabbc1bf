"""For every statement that a player can break: is it the one that is named?"""

import random
from collections import Counter
from collections.abc import Iterator

from tock_bench.noisy.tabletop import Tabletop
from tock_bench.noisy.wrong_boards import MAKERS, Maker
from tock_bench.results import Measured, Say, table
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.rules import load_preset, preset_names

Confusion = Counter[tuple[str, str, str, str]]
"""Ruleset, mistake, true statement, named statement -> how often."""
SEED = 3
MAX_TRIES = 4000
HEAD = ("mistake", "ruleset", "true statement", "boards", "named right", "else named")


def confusion(ruleset: str, maker: Maker, wanted: int, seed: int, tries: int = MAX_TRIES) -> Confusion:
    """Count the mistakes named for up to `wanted` such boards; those that a legal move explains do not count."""
    rng = random.Random(seed)
    rules = load_preset(ruleset)
    found: Confusion = Counter()
    for _ in range(tries):
        wrong = maker(Tabletop(rng, rules))
        if wrong is None or wrong.position.to_move not in wrong.position.played_seats():
            continue
        explained = explain(wrong.position, wrong.card, wrong.seen)
        if explained.violation is None:
            continue
        found[ruleset, maker.__name__, wrong.truth, explained.violation.breaks[0]] += 1
        if found.total() >= wanted:
            break
    return found


def right(found: Confusion) -> float:
    """The share of boards whose true statement was named."""
    return sum(n for (_, _, true, named), n in found.items() if true == named) / max(found.total(), 1)


def run(say: Say, boards: int = 200) -> Measured:
    """Make that many boards of each mistake in each ruleset."""
    total: Confusion = Counter()
    rows: list[tuple[object, ...]] = []
    for maker in MAKERS:
        say(maker.__name__)
        for ruleset in preset_names():
            found = confusion(ruleset, maker, boards, SEED)
            total += found
            rows += rows_of(found, maker.__name__.replace("_", " "), ruleset)
    together = f"Together: {100 * right(total):.2f} % of {total.total():,} boards."
    figures = {"boards": total.total(), "right": round(right(total), 4)}
    return Measured(figures, f"{table(HEAD, rows)}\n\n{together}")


def rows_of(found: Confusion, mistake: str, ruleset: str) -> Iterator[tuple[object, ...]]:
    """One row for each statement that was broken so."""
    for truth in sorted({true for _, _, true, _ in found}):
        named = {named: n for (_, _, true, named), n in found.items() if true == truth}
        boards = sum(named.values())
        others = ", ".join(f"{ref} {n}" for ref, n in named.items() if ref != truth) or "–"
        yield mistake, ruleset, truth, boards, f"{100 * named.get(truth, 0) / boards:.1f} %", others
