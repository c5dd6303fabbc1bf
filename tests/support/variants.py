"""One behaviour asked in many places: a few in every run, all in long ones."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest


def each_asked_about_one(places: Iterable[Any], kinds: Sequence[Any]) -> list[Any]:
    """Every place with every kind; all are `slow` but one kind in each place, which take turns."""
    return [
        pytest.param(place, kind, marks=() if turn == at % len(kinds) else pytest.mark.slow)
        for (at, place), (turn, kind) in product(enumerate(places), enumerate(kinds))
    ]


def some(places: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """Every place; all are `slow` but one in `every`, from `first` on."""
    return [
        pytest.param(place, marks=() if number % every == first else pytest.mark.slow)
        for number, place in enumerate(places)
    ]
