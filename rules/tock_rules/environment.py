"""The games as a PettingZoo environment, for programs that learn (`pip install tock-companion[learning]`).

    from tock_rules.environment import TockEnv

    env = TockEnv("keezen", players=4)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, ended, cut, info = env.last()
        action = None if ended or cut else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

An action is a place in `info["actions"]`, the texts of everything that is open now. The observation is the knowledge of
the seat, itself first: cells of all pawns (0 is the camp), fresh pawns, cards in every hand, second moves kept, its own
cards, cards played in this turn. Winning is worth 1, losing -1.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

from tock_rules.action_texts import Action
from tock_rules.numbered_cards import CARD_NUMBERS, CARDS
from tock_rules.seats import Seat
from tock_rules.whole_game import Game

MAX_ACTIONS = 2048
"""More than any hand has; the first ones count."""
MAX_GAME_ACTIONS = 20_000
"""A game this long is cut off without a winner."""


class TockEnv(AECEnv[str, Any, Any]):
    """One game after another (`game`); agents are seats, `seat_0` to `seat_7`."""

    metadata = {"name": "tock_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, ruleset: str = "mjc", players: int = 4) -> None:
        """The table of `Game.start`; raise `BadInputError` where the rules have none for that many players."""
        super().__init__()
        self.ruleset, self.players = ruleset, players
        self.rng = np.random.default_rng()
        self._begin(Game.start(ruleset, players))
        shape, seats = self.game.position.shape, len(self.game.first.seats)
        size = seats * (shape.pawns_per_seat + 3) + len(CARDS) + 1
        spaces: dict[str, Space[Any]] = {
            "observation": Box(0, shape.cell_count + 1000, (size,), np.int16),
            "action_mask": Box(0, 1, (MAX_ACTIONS,), np.int8),
        }
        self.possible_agents = list(map(_agent, self.game.first.seats))
        self.observation_spaces = {agent: Dict(spaces) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(MAX_ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The same for every seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The same for every seat."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a game; the same seed deals the same cards, now and in the games after it."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self._begin(Game.start(self.ruleset, self.players, seed=int(self.rng.integers(2**31))))

    def _begin(self, game: Game) -> None:
        self.game, self.done = game, 0
        self.agents = list(map(_agent, game.first.seats))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def _look(self) -> None:
        """Note the seat to move and its open actions."""
        self.open: tuple[Action, ...] = self.game.legal_actions()[:MAX_ACTIONS]
        self.agent_selection = _agent(self.game.to_move)
        self.infos[self.agent_selection] = {"actions": [str(action) for action in self.open]}

    def step(self, action: int | None) -> None:
        """Do an action of the seat to move; None after the end."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.infos[self.agent_selection] = {}
        self.game.play(self.open[int(action or 0)])
        self.done += 1
        result = self.game.result
        if result is not None:
            winners = set(map(_agent, result.winners))
            self.rewards = {agent: 1.0 if agent in winners else -1.0 for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.done >= MAX_GAME_ACTIONS:
            self.truncations = dict.fromkeys(self.agents, True)
        self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """The knowledge of that seat."""
        position, hands, me = self.game.position, self.game.hands, _seat(agent)
        first = position.seats.index(me)
        seats = (*position.seats[first:], *position.seats[:first])
        own = [0] * len(CARDS)
        for card in hands[me]:
            own[CARD_NUMBERS[card]] += 1
        values = [cell + 1 for seat in seats for cell in position.board.cells_of(seat)]
        values += [position.board.is_fresh(position.shape.start(seat)) for seat in seats]
        values += [len(hands[seat]) for seat in seats]
        values += [position.stored_moves[seat] for seat in seats]
        mask = np.zeros(MAX_ACTIONS, np.int8)
        if agent == self.agent_selection:
            mask[: len(self.open)] = 1
        return {
            "observation": np.array([*values, *own, position.cards_played], np.int16),
            "action_mask": mask,
        }


def _agent(seat: Seat) -> str:
    return f"seat_{int(seat)}"


def _seat(agent: str) -> Seat:
    return Seat(int(agent.removeprefix("seat_")))
