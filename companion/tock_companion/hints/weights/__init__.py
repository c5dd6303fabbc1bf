"""The evaluation's learned weights, one file per ruleset and form of play."""

import json
from functools import cache
from importlib.resources import files

from tock_companion.hints.features import FEATURES
from tock_rules import Ruleset

FORMS = ("duel", "alone", "teams")
"""Two players; three or more that play alone; teams."""


def form_of(players: int, teams: bool) -> str:
    """Name the form of play of a table."""
    return "teams" if teams else "duel" if players == 2 else "alone"


def weights_for(rules: Ruleset, players: int, teams: bool) -> list[float]:
    """Load the weights of a table, in the order of `FEATURES`."""
    return load(rules.name, form_of(players, teams))


@cache
def load(ruleset: str, form: str) -> list[float]:
    """Load one file; a feature that it does not name weighs nothing."""
    text = (
        files("tock_companion.hints.weights").joinpath(f"{ruleset}-{form}.json").read_text(encoding="utf-8")
    )
    named = json.loads(text)["weights"]
    return [float(named.get(feature, 0.0)) for feature in FEATURES]
