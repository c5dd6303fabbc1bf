"""The learned weights, one set per ruleset and form of play, kept as data beside this module."""

import json
from functools import cache
from importlib.resources import files

from tock_companion.hints.terms import TERMS
from tock_companion.rules import Ruleset

FORMS = ("duel", "alone", "teams")
"""Two players, three and more that play alone, teams."""


def form_of(players: int, teams: bool) -> str:
    """Return the form of play of a table."""
    return "teams" if teams else "duel" if players == 2 else "alone"


def weights_for(rules: Ruleset, players: int, teams: bool) -> list[float]:
    """Return the weights of a table, in the order of `TERMS`."""
    return load(rules.name, form_of(players, teams))


@cache
def load(ruleset: str, form: str) -> list[float]:
    """Return the weights of one file; a term that the file does not name weighs nothing."""
    text = (
        files("tock_companion.hints.weights").joinpath(f"{ruleset}-{form}.json").read_text(encoding="utf-8")
    )
    named = json.loads(text)["weights"]
    return [float(named.get(term, 0.0)) for term in TERMS]
