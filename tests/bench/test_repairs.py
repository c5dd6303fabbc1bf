"""Repair plans against a search that knows nothing of how they are made."""

from random import Random

import pytest

from tock_bench.noisy.repairs import fewest_moves, optimal_share, scramble
from tock_companion.referee.diagnosis.repair import plan

pytestmark = pytest.mark.whole


def test_plans_are_as_short_as_a_search_over_all_movements_finds() -> None:
    assert optimal_share(200) == 1.0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_plans_of_10_000_scrambles_are_as_short_as_can_be() -> None:
    assert optimal_share(10_000) == 1.0


def test_the_scrambles_are_not_all_easy() -> None:
    rng = Random(5)
    setups = [scramble(rng) for _ in range(200)]
    detours = 0
    for setup, goal in setups:
        wrong = [hole for hole, seat in goal.occupied().items() if setup.holes.get(hole) is not seat]
        home = sum(max(0, goal.camp_count(seat) - setup.camps[seat]) for seat in setup.camps)
        assert len(plan(setup, goal)) == fewest_moves(setup, goal)
        detours += fewest_moves(setup, goal) > len(wrong) + home
    assert detours >= 10
