"""For every statement that a player can break: is it the one that is named?"""

from collections import Counter

import pytest

from tock_bench.noisy.wrong_boards import MAKERS, Maker
from tock_bench.studies.confusion import Confusion, confusion, right
from tock_companion.rules import preset_names

pytestmark = pytest.mark.whole


@pytest.mark.parametrize("ruleset", preset_names())
def test_true_statement_is_named_on_a_sample(ruleset: str) -> None:
    found: Confusion = Counter()
    for maker in MAKERS:
        found += confusion(ruleset, maker, wanted=6, seed=2, tries=60)
    assert right(found) >= 0.95, [entry for entry in found.items() if entry[0][2] != entry[0][3]]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_true_statement_is_named_in_98_of_100(maker: Maker) -> None:
    for ruleset in preset_names():
        found = confusion(ruleset, maker, wanted=200, seed=3)
        assert not found or right(found) >= 0.98, found
