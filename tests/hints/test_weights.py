"""The weights of the estimate: how they are summed, fitted and searched for."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from companion.training import fit, learn
from tests.support.games import moments
from tock_companion.hints.estimate import Estimate, estimate_for
from tock_companion.hints.features import FEATURES
from tock_companion.hints.move_ordering import Scores
from tock_companion.hints.weights import FORMS, load
from tock_rules import load_preset, preset_names, shape_for
from tock_rules.engine import CARD_CODES, IS_JOKER, LAY_DOWN, PLAY, Action, CardGame, engine_for


@pytest.mark.whole
def test_log_odds_are_the_features_times_their_weights() -> None:
    for game in moments(30, seed=5):
        estimate = estimate_for(game.engine)
        seat = game.to_move
        codes = [CARD_CODES[card] for card in game.hands[seat]]
        features = estimate.features(game.state, seat, seat, codes, game.stored)
        assert len(features) == len(FEATURES)
        summed = sum(feature * weight for feature, weight in zip(features, estimate.weights, strict=True))
        assert estimate.logit(game.state, seat, seat, codes, game.stored) == pytest.approx(summed)


def after(estimate: Estimate, game: CardGame, action: Action) -> float:
    """The log odds of the side to move after a card was played, before anything is drawn."""
    _, card, move = action
    seat = game.to_move
    stored = game.stored.copy()
    stored[seat] += (IS_JOKER[card] and game.rules.joker_second_move) - (game.played > 0)
    codes = [CARD_CODES[held] for held in game.hands[seat]]
    codes.remove(CARD_CODES[card])
    return estimate.logit(
        game.engine.apply(game.state, move), seat, game.engine.following[seat], codes, stored
    )


@pytest.mark.whole
def test_the_quick_score_goes_with_the_estimate() -> None:
    agree = total = 0
    for game in moments(60, seed=6):
        estimate = estimate_for(game.engine)
        scores = Scores(estimate, game)
        plays = [action for action in game.actions() if action[0] == PLAY]
        judged = {action: after(estimate, game, action) for action in plays}
        for a in plays[:6]:
            for b in plays[:6]:
                if judged[a] > judged[b] + 0.1:
                    total += 1
                    agree += scores.score(a) > scores.score(b)
    assert total > 100
    assert agree / total > 0.8


@pytest.mark.whole
def test_no_two_features_share_a_name() -> None:
    assert len(set(FEATURES)) == len(FEATURES)


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", preset_names())
@pytest.mark.parametrize("form", FORMS)
def test_every_ruleset_and_form_has_weights_that_value_pawns_at_home(ruleset: str, form: str) -> None:
    weights = dict(zip(FEATURES, load(ruleset, form), strict=True))
    assert weights["me_home4"] > weights["me_way0"] > weights["me_camp"]
    assert weights["other_home4"] < weights["other_camp"]


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
