"""The evaluation's learned weights, one file per ruleset and form of play."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from tock_companion.hints.features import FEATURES
from tock_rules import Ruleset, load_preset

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
    """Load one file; a feature that it does not name weighs nothing.

    A game without weights of its own has those of the text whose hands are most like its own.
    """
    if not _file(ruleset, form).is_file():
        return load("mjc" if load_preset(ruleset).draw_after_card else "parteu", form)
    named = json.loads(_file(ruleset, form).read_text(encoding="utf-8"))["weights"]
    return [float(named.get(feature, 0.0)) for feature in FEATURES]


def _file(ruleset: str, form: str) -> Traversable:
    return files("tock_companion.hints.weights").joinpath(f"{ruleset}-{form}.json")
