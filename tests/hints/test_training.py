"""The search for better weights: the same call gives the same weights, also when it was stopped on the way."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from companion.training import fit, learn
from tock_companion.hints.features import FEATURES
from tock_companion.hints.weights import load

FAMILY = ("gladius", "duel")


class OneCore:
    """A pool of processes that works in this one."""

    def map(
        self,
        work: Callable[..., object],
        *jobs: Iterable[object],
        chunksize: int = 1,  # noqa: ARG002
    ) -> Iterator[object]:
        return map(work, *jobs)


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Small enough for a test: few games, few samples, and every change is kept that is not far worse."""
    monkeypatch.setattr(learn, "CHUNK", 3)
    monkeypatch.setattr(fit, "SAMPLES", 1)
    monkeypatch.setattr(fit, "SAMPLED_SHARE", 0.01)
    monkeypatch.setattr(learn, "SURE_STANDARD_ERRORS", -9.0)
    return learn


def learned(training: ModuleType, out: Path, *steps: int) -> dict[str, object]:
    out.mkdir()
    for until in steps:
        options = Namespace(out=out, steps=until, deals=1, games=3, moments=1, fits=1, install=False)
        training.learn(FAMILY, options, OneCore())
    entry: dict[str, object] = json.loads((out / "gladius-duel.json").read_text(encoding="utf-8"))
    return entry


@pytest.mark.whole
def test_a_stopped_search_goes_on_to_the_same_weights(training: ModuleType, tmp_path: Path) -> None:
    whole = learned(training, tmp_path / "whole", 3)
    assert whole == learned(training, tmp_path / "stopped", 1, 3)
    assert whole["step"] == 3


def test_a_step_changes_weights_and_leaves_the_old_ones_alone(training: ModuleType) -> None:
    weights = dict(zip(FEATURES, load(*FAMILY), strict=True))
    before = dict(weights)
    for step in range(30):
        name, new = training.changed(FAMILY, weights, step)
        assert name
        assert list(new) == list(FEATURES)
    assert weights == before
    assert training.changed(FAMILY, weights, 4) == training.changed(FAMILY, weights, 4)


def test_chances_become_true_and_choices_stay(training: ModuleType) -> None:
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((4000, len(FEATURES)))
    rows[:, FEATURES.index("bias")] = 1.0
    weights = dict.fromkeys(FEATURES, 0.0) | {"me_home4": 3.0, "other_home4": -1.0}
    logits = rows @ np.array(list(weights.values()))
    won = (rng.random(4000) < 1 / (1 + np.exp(-(0.4 * logits + 0.3)))).astype(float)
    found = training.scaled_to_truth(rows, won, weights)
    assert found["me_home4"] == pytest.approx(1.2, abs=0.15)
    assert found["bias"] == pytest.approx(0.3, abs=0.15)
    assert found["me_home4"] / found["other_home4"] == pytest.approx(-3.0, abs=0.01)
