"""The referee's bench measures what it says: a quiet table is always right, and a seed gives the same evening twice."""

from dataclasses import replace

import pytest

from tock_bench.noisy.noise import Noise
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tally import GameTally
from tock_rules import preset_names

pytestmark = pytest.mark.whole

QUIET = replace(Noise().scaled(0), stops=0.5)


def evening(ruleset: str, noise: Noise, seed: int, turns: int, kind: str = "camera") -> GameTally:
    tally, table = GameTally(), NoisyTable(ruleset, noise, seed, kind)
    while tally.turns < turns:
        table.play(tally)
    return tally


@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(name, marks=() if name == "mjc" else pytest.mark.slow) for name in preset_names()],
)
def test_before_a_faultless_camera_every_turn_is_right(ruleset: str) -> None:
    tally = evening(ruleset, QUIET, 1, 25)
    assert (tally.right, tally.turns) == (25, 25), tally.failures
    assert tally.false_alarms == 0


def test_the_same_seed_gives_the_same_evening() -> None:
    assert evening("mjc", Noise().scaled(4), 7, 25) == evening("mjc", Noise().scaled(4), 7, 25)


def test_noise_is_noticed_by_the_bench() -> None:
    blind = replace(Noise(), occluded=0.5, flicker=0.4)
    tally = evening("mjc", blind, 3, 10)
    assert tally.right < tally.turns


def test_wrong_boards_are_warned_about_before_one_and_a_half_seconds_are_over() -> None:
    tally, table = GameTally(), NoisyTable("mjc", QUIET, 5)
    while tally.wrong_boards < 15:
        table.play(GameTally())
        table.play_wrong(tally)
    assert tally.silent == 0
    assert max(tally.explanation_ms) <= 1500


@pytest.mark.parametrize("kind", ["reed", "both"])
def test_before_faultless_switches_every_turn_is_right(kind: str) -> None:
    tally = evening("gladius", QUIET, 1, 20, kind)
    assert (tally.right, tally.turns) == (20, 20), tally.failures
    assert tally.false_alarms == 0


def test_a_switch_that_misses_many_pawns_is_noticed_by_the_bench() -> None:
    tally = evening("mjc", replace(QUIET, reed_missed=0.5), 3, 5, "reed")
    assert tally.right < tally.turns
