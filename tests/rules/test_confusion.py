"""For every statement that a player can break: is it the one that is named?"""

import random
import sys
from collections import Counter

import pytest

from tock_bench.noisy.tabletop import Tabletop
from tock_bench.noisy.wrong_boards import MAKERS, Maker
from tock_bench.results import origin
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.rules import load_preset, preset_names

pytestmark = pytest.mark.whole

Table = Counter[tuple[str, str, str, str]]
"""Ruleset, mistake, true statement, named statement -> how often."""


def confusion(ruleset: str, maker: Maker, wanted: int, seed: int, tries: int = 4000) -> Table:
    """What is named for up to `wanted` such boards; those that a legal move explains do not count."""
    rng = random.Random(seed)
    rules = load_preset(ruleset)
    table: Table = Counter()
    for _ in range(tries):
        wrong = maker(Tabletop(rng, rules))
        if wrong is None or wrong.position.to_move not in wrong.position.played_seats():
            continue
        found = explain(wrong.position, wrong.card, wrong.seen)
        if found.violation is None:
            continue
        table[ruleset, maker.__name__, wrong.truth, found.violation.breaks[0]] += 1
        if table.total() >= wanted:
            break
    return table


def right(table: Table) -> float:
    """The share of boards whose true statement was named."""
    return sum(n for (_, _, true, named), n in table.items() if true == named) / max(table.total(), 1)


@pytest.mark.parametrize("ruleset", preset_names())
def test_true_statement_is_named_on_a_sample(ruleset: str) -> None:
    table: Table = Counter()
    for maker in MAKERS:
        table += confusion(ruleset, maker, wanted=6, seed=2, tries=60)
    assert right(table) >= 0.95, [entry for entry in table.items() if entry[0][2] != entry[0][3]]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_true_statement_is_named_in_98_of_100(maker: Maker) -> None:
    for ruleset in preset_names():
        table = confusion(ruleset, maker, wanted=200, seed=3)
        assert not table or right(table) >= 0.98, table


def report(wanted: int = 200) -> str:
    """The table of `docs/measurements/rules-confusion.md`."""
    lines = [
        "# Which rule is named",
        "",
        origin("python -m tests.rules.test_confusion"),
        "",
        "For generated boards with one known mistake each (`tock_bench.noisy.wrong_boards`): which statement of the",
        "rules the referee names first, and how often that is the true one.",
        "",
        "| mistake | ruleset | true statement | boards | named right | else named |",
        "|---|---|---|---:|---:|---|",
    ]
    total: Table = Counter()
    for maker in MAKERS:
        for ruleset in preset_names():
            table = confusion(ruleset, maker, wanted, seed=3)
            total += table
            for truth in sorted({true for _, _, true, _ in table}):
                named = {named: n for (_, _, true, named), n in table.items() if true == truth}
                boards = sum(named.values())
                share = named.get(truth, 0) / boards
                others = ", ".join(f"{ref} {n}" for ref, n in named.items() if ref != truth) or "–"
                wrong = maker.__name__.replace("_", " ")
                lines.append(f"| {wrong} | {ruleset} | {truth} | {boards} | {100 * share:.1f} % | {others} |")
    lines += ["", f"Together: {100 * right(total):.2f} % of {total.total()} boards.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report())
