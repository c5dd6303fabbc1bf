"""For every statement that a player can break: is it the one that is named?"""

import random
from collections import Counter

import pytest

from tests.support.tabletop import Tabletop
from tests.support.wrong_boards import MAKERS, Maker
from tock_companion.referee.diagnosis.explain import explain
from tock_rules import TEXTS, load_preset

pytestmark = pytest.mark.whole

Confusion = Counter[tuple[str, str, str, str]]
"""Ruleset, mistake, true statement, named statement -> how often."""
MAX_TRIES = 4000


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


@pytest.mark.parametrize("ruleset", TEXTS)
def test_true_statement_is_named_on_a_sample(ruleset: str) -> None:
    found: Confusion = Counter()
    for maker in MAKERS:
        found += confusion(ruleset, maker, wanted=6, seed=2, tries=60)
    assert right(found) >= 0.95, [entry for entry in found.items() if entry[0][2] != entry[0][3]]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_true_statement_is_named_in_98_of_100(maker: Maker) -> None:
    for ruleset in TEXTS:
        found = confusion(ruleset, maker, wanted=200, seed=3)
        assert not found or right(found) >= 0.98, found
