"""Players for the arena and for missing people: each picks an action from what its seat may know."""

import random
from collections.abc import Callable
from functools import lru_cache

from tock_companion.hints.estimate import estimate_for
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.plan import choose_planned
from tock_companion.hints.policy import Scores
from tock_companion.hints.search import Effort, Search
from tock_companion.rules.engine import Action, CardGame, Engine

Player = Callable[[CardGame, random.Random], Action]
"""Picks one of `game.actions()` for the seat to move; must not look at other hands or the stock."""

COMING_OUT = 18
"""Holes that a pawn out of camp counts for a greedy player: about what a starter is worth."""


def careless(game: CardGame, rng: random.Random) -> Action:
    """Do anything."""
    actions = game.actions()
    return actions[int(rng.random() * len(actions))]


def greedy(game: CardGame, rng: random.Random) -> Action:
    """Do what brings the own side furthest at once, captured pawns of others counted as holes won."""
    best: list[Action] = []
    highest = -100_000
    before = _lead(game, game.state.pawns)
    for action in game.actions():
        gain = 0
        if action[2]:
            gain = _lead(game, game.engine.apply(game.state, action[2]).pawns) - before
        if gain > highest:
            best, highest = [action], gain
        elif gain == highest:
            best.append(action)
    return best[int(rng.random() * len(best))]


def _lead(game: CardGame, pawns: list[int]) -> int:
    """Return the holes that the side to move is ahead of all others together."""
    ways = _ways(game.engine)
    seat = game.to_move
    side = (seat, *game.engine.mates[seat])
    lead = 0
    for other in game.seats:
        way = ways[other]
        first = 4 * other
        gone = (
            way[pawns[first] + 1]
            + way[pawns[first + 1] + 1]
            + way[pawns[first + 2] + 1]
            + way[pawns[first + 3] + 1]
        )
        lead += gone if other in side else -gone
    return lead


@lru_cache(maxsize=32)
def _ways(engine: Engine) -> list[list[int]]:
    """Return what a greedy player counts a pawn of every seat for, at index cell + 1: nothing in camp."""
    shape = engine.shape
    ways = []
    for seat in range(shape.zones):
        on_track = [COMING_OUT + shape.progress(seat, cell) for cell in range(shape.centre)]
        homes = [
            COMING_OUT + shape.track_length + cell - shape.home(seat, 1)
            for cell in range(shape.centre + 1, shape.cell_count)
        ]
        ways.append([0, *on_track, COMING_OUT + shape.track_length // 2, *homes])
    return ways


def quick(game: CardGame, rng: random.Random) -> Action:  # noqa: ARG001  every player has the same form
    """Do what the first answer of a hint says."""
    return choose_planned(estimate_for(game.engine), game)


def noisy(spread: float) -> Player:
    """Return a player that follows the estimate with slips; `spread` is in log odds."""

    def player(game: CardGame, rng: random.Random) -> Action:
        actions = game.actions()
        if len(actions) == 1:
            return actions[0]
        scores = Scores(estimate_for(game.engine), game)
        return max(actions, key=lambda action: scores.score(action) + rng.gauss(0.0, spread))

    return player


def looking(effort: Effort) -> Player:
    """Return a player that looks ahead as a hint does, from its seat's knowledge alone."""

    def player(game: CardGame, rng: random.Random) -> Action:
        actions = game.actions()
        if len(actions) == 1:
            return actions[0]
        search = Search(Knowledge.of_game(game), rng.getrandbits(32))
        return _same(game, actions, search.refine(effort)[0].action)

    return player


def _same(game: CardGame, actions: list[Action], wanted: Action) -> Action:
    """Return the action of the game that leads where the wanted one leads.

    A seven of the same result may be shared in another way when pawns of a seat stand in another order.
    """
    if wanted in actions:
        return wanted
    result = game.engine.apply(game.state, wanted[2]).key()
    return next(
        action
        for action in actions
        if action[:2] == wanted[:2] and game.engine.apply(game.state, action[2]).key() == result
    )


STRENGTHS: dict[str, Player] = {
    "random": careless,
    "greedy": greedy,
    "easy": noisy(0.6),
    "medium": quick,
    "strong": looking(Effort(8, 6)),
}
"""Players by name; `strong` looks ahead as a hint does, with an eighth of the games."""
COMPUTERS = ("easy", "medium", "strong")
"""The strengths that a computer opponent may have."""
