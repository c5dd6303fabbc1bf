"""The engine against the slow reading of the rules."""

import random

import pytest

from tests.support.random_tables import random_card, random_table
from tests.support.rule_checks import HOUSES, compare
from tock_rules import load_preset, preset_names

pytestmark = pytest.mark.whole


def study(seed: int, positions: int) -> int:
    """Compare random positions; return how many results both gave alike."""
    compared, rng = 0, random.Random(seed)
    for index in range(positions):
        ruleset = preset_names()[index % 5]
        house = rng.choice(HOUSES) if rng.random() < 0.4 else HOUSES[0]
        try:
            rules = load_preset(ruleset).with_options(house[0])
        except ValueError:
            continue
        table = random_table(rng, rules)
        compared += compare(table, ruleset, random_card(rng), house)
    return compared


def test_engine_and_slow_reading_agree_on_a_sample() -> None:
    assert study(seed=1, positions=300) > 1000
