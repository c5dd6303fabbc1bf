"""The learning rate of the trainings: it rises in the warm-up and falls to its floor."""

import pytest

from vision.training.learning_rate import LearningRate


def test_the_rate_rises_in_the_warm_up_and_falls_to_the_floor() -> None:
    rate = LearningRate(peak=2e-3, warm_up=0.1, floor=1e-5)
    rates = [rate.at(step / 100) for step in range(101)]
    assert rates[0] == 1e-5
    assert rates[:11] == sorted(rates[:11])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[50] == pytest.approx(1e-3 + 1e-5)
    assert rates[100] == pytest.approx(1e-5)


def test_a_rate_may_begin_above_nothing_and_ends_with_the_time() -> None:
    rate = LearningRate(peak=1.0, warm_up=0.04, start=0.1)
    assert rate.at(0.0) == pytest.approx(0.1)
    assert rate.at(1.3) == rate.at(1.0) == pytest.approx(0.0)
