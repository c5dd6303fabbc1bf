"""The fit of the weights to what playing out finds."""

import numpy as np
import pytest

from companion.training import fit
from tests.support.games import moments
from tock_companion.hints.estimate import estimate_for
from tock_companion.hints.features import FEATURES
from tock_companion.hints.move_ordering import Scores
from tock_rules import load_preset, shape_for
from tock_rules.engine import LAY_DOWN, engine_for


def test_the_features_of_an_action_times_the_weights_are_its_score() -> None:
    compared = 0
    for game in moments(20, seed=3):
        estimate = estimate_for(game.engine)
        scores = Scores(estimate, game)
        for action in game.actions():
            if action[0] != LAY_DOWN:
                found = fit.action_features(scores, action) @ np.array(estimate.weights)
                assert found == pytest.approx(scores.score(action))
                compared += 1
    assert compared > 90


def test_weights_that_the_moments_speak_for_are_found_and_the_others_stay() -> None:
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((3000, len(FEATURES)))
    rows[:, FEATURES.index("keeps_king")] = 0.0
    old = dict.fromkeys(FEATURES, 0.1)
    true = rng.standard_normal(len(FEATURES))
    found = fit.fitted(old, rows, rows @ true + rng.standard_normal(3000))
    assert found["keeps_king"] == pytest.approx(0.1)
    assert found["me_home4"] == pytest.approx(true[FEATURES.index("me_home4")], abs=0.1)


def test_the_same_games_give_the_same_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "CHUNK", 1)
    monkeypatch.setattr(fit, "SAMPLES", 2)
    rules = load_preset("parteu")
    engine = engine_for(shape_for(rules, 4), rules, (0, 2), ())
    weights = estimate_for(engine).weights
    rows, worth = fit.moments(engine, weights, 3)
    again, worth_again = fit.moments(engine, weights, 3)
    assert len(worth) > 0
    assert (rows == again).all()
    assert (worth == worth_again).all()
