"""The estimate: learned features, and the same number whichever way it is summed."""

import pytest

from tests.support.games import moments
from tock_companion.hints.estimate import Estimate, estimate_for
from tock_companion.hints.features import FEATURES
from tock_companion.hints.move_ordering import Scores
from tock_companion.hints.weights import FORMS, load
from tock_rules import preset_names
from tock_rules.engine import CARD_CODES, IS_JOKER, PLAY, Action, CardGame

pytestmark = pytest.mark.whole


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
    return estimate.logit(game.engine.apply(game.state, move), seat, game.next_seat(seat), codes, stored)


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


def test_no_two_features_share_a_name() -> None:
    assert len(set(FEATURES)) == len(FEATURES)


@pytest.mark.parametrize("ruleset", preset_names())
@pytest.mark.parametrize("form", FORMS)
def test_every_ruleset_and_form_has_weights_that_value_pawns_at_home(ruleset: str, form: str) -> None:
    weights = dict(zip(FEATURES, load(ruleset, form), strict=True))
    assert weights["me_home4"] > weights["me_way0"] > weights["me_camp"]
    assert weights["other_home4"] < weights["other_camp"]
