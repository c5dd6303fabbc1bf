"""The PettingZoo environment: its own test suite passes, and a game is the one that the library plays."""

import io
from contextlib import redirect_stdout

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tock_rules import Game, preset_names
from tock_rules.environment import TockEnv

# The suite warns of masks in a dictionary beside the observation, which PettingZoo's own games have too.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo.test.api_test")


@pytest.mark.parametrize("ruleset", preset_names())
def test_the_suite_of_pettingzoo_passes(ruleset: str) -> None:
    with redirect_stdout(io.StringIO()):
        api_test(TockEnv(ruleset), num_cycles=120, verbose_progress=False)


def test_equal_seeds_deal_equal_games() -> None:
    with redirect_stdout(io.StringIO()):
        seed_test(TockEnv, num_cycles=60)


def test_a_game_is_played_to_its_end_with_honest_observations() -> None:
    env = TockEnv("keezen", players=4)
    env.reset(seed=7)
    game = Game(env.game.first, env.game.seed)
    rewards = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, _, info = env.last()
        rewards[agent] = reward
        if ended:
            env.step(None)
            continue
        assert info["actions"] == [str(action) for action in game.legal_actions()]
        assert observation["action_mask"].sum() == len(info["actions"])
        cards = observation["observation"][-55:-1]
        assert cards.sum() == len(game.hand)
        assert env.observe(next(other for other in env.agents if other != agent))["action_mask"].sum() == 0
        game.play(game.legal_actions()[-1])
        env.step(np.flatnonzero(observation["action_mask"])[-1])
    assert game.result is not None
    assert {agent for agent, reward in rewards.items() if reward == 1} == {
        f"seat_{int(seat)}" for seat in game.result.winners
    }
    assert sum(rewards.values()) == 0
