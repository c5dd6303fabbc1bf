"""The worked examples in docstrings hold."""

import doctest
import importlib

import pytest

MODULES = (
    "tock_companion.hints.move_ordering",
    "tock_rules.seven",
    "tock_rules.walking",
    "tock_companion.tournament.opponents",
    "tock_vision.discovery.symmetry",
    "tock_vision.discovery.track",
    "tock_vision.discovery.views",
    "tock_vision.least_squares",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
