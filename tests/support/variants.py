"""One behaviour asked in many places: a few in every run, all in long ones."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest

ASKED = 2


def each_asked_about_two(places: Iterable[Any], kinds: Sequence[Any]) -> list[Any]:
    """Every place with every kind; all are `slow` but two kinds in each place, which take turns."""

    def asked(at: int, turn: int) -> bool:
        return (turn - ASKED * at) % len(kinds) < ASKED

    return [
        pytest.param(place, kind, marks=() if asked(*divmod(number, len(kinds))) else pytest.mark.slow)
        for number, (place, kind) in enumerate(product(places, kinds))
    ]
