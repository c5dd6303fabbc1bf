"""An entry that is named as without effect has none: other values of it lead to the same games."""

import random
from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import pytest

from tests.support.games import table
from tests.support.rule_checks import FORMS
from tock_rules import Ruleset, load_preset, preset_names
from tock_rules.engine import Action
from tock_rules.game import GameRules
from tock_rules.house_rules import HouseRules
from tock_rules.ruleset_unused import unused_entries
from tock_rules.switches import option_of

VALUES: dict[str, Any] = {
    **{name: get_args(hint) or (False, True) for name, hint in get_type_hints(GameRules).items()},
    **{switch.name: option_of(switch, every=True).allowed for switch in fields(HouseRules)},
    "hands": ({"all": (3, 2)},),
    "jokers_per_pack": (0, 5),
    "never_forced": ({"5": "always"},),
    "packs_from": ({"2": 3},),
}


def _played(rules: Ruleset, turns: int = 100) -> list[Action | list[Action]]:
    """The actions that are open in turn after turn of a random game, and those that were chosen."""
    rng = random.Random(1)
    game = table(rules, *FORMS[rules.name][0], rng)
    seen: list[Action | list[Action]] = []
    for _ in range(turns):
        actions = game.actions()
        chosen = rng.choice(actions)
        seen += [actions, chosen]
        game.do(chosen)
    return seen


@pytest.mark.parametrize("name", preset_names())
def test_an_entry_without_effect_changes_no_game(name: str) -> None:
    rules = load_preset(name)
    usual = _played(rules)
    unused = dict(unused_entries(rules))
    assert [
        (entry, value)
        for entry in unused
        for value in VALUES[entry]
        if _played(replace(rules, **{entry: value})) != usual
    ] == []
