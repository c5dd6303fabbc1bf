"""Players for the arena and computer opponents: each picks an action from what its seat may know."""

import random
from collections.abc import Callable
from functools import lru_cache

from tock_companion.hints.determinizations import Determinizer
from tock_companion.hints.estimate import estimate_for
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.move_ordering import Scores
from tock_companion.hints.plan import choose_planned
from tock_companion.hints.search import Effort, Search
from tock_rules.engine import Action, CardGame, Engine

Player = Callable[[CardGame, random.Random], Action]
"""Picks one of `game.actions()` for the seat to move, and must not look at other hands or the stock."""

COMING_OUT_HOLES = 18
"""The holes that a greedy player counts for leaving the camp: about the worth of a starter."""


def careless(game: CardGame, rng: random.Random) -> Action:
    """Choose uniformly at random."""
    actions = game.actions()
    return actions[int(rng.random() * len(actions))]


def greedy(game: CardGame, rng: random.Random) -> Action:
    """Choose what brings the side furthest right now; captured pawns count as holes won."""
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
    """Count the holes by which the side to move leads all others together."""
    ways = _ways(game.engine)
    seat = game.to_move
    side = (seat, *game.engine.mates[seat])
    lead = 0
    for other in game.seats:
        way = ways[other]
        gone = sum([way[cell + 1] for cell in pawns[game.engine.of_seat[other]]])
        lead += gone if other in side else -gone
    return lead


@lru_cache(maxsize=32)
def _ways(engine: Engine) -> list[list[int]]:
    """Value every seat's pawns for a greedy player, at index cell + 1: nothing in camp."""
    shape = engine.shape
    ways = []
    for seat in range(shape.zones):
        on_track = [COMING_OUT_HOLES + shape.progress(seat, cell) for cell in range(shape.centre)]
        homes = [
            COMING_OUT_HOLES + shape.track_length + cell - shape.home(seat, 1)
            for cell in range(shape.centre + 1, shape.cell_count)
        ]
        ways.append([0, *on_track, COMING_OUT_HOLES + shape.track_length // 2, *homes])
    return ways


def quick(game: CardGame, rng: random.Random) -> Action:  # noqa: ARG001  every player has the same form
    """Choose the move of an immediate hint."""
    return choose_planned(estimate_for(game.engine), game)


def noisy(spread: float) -> Player:
    """Make a player that follows the evaluation with Gaussian noise; `spread` is in log odds."""

    def player(game: CardGame, rng: random.Random) -> Action:
        actions = game.actions()
        if len(actions) == 1:
            return actions[0]
        scores = Scores(estimate_for(game.engine), game)
        return max(actions, key=lambda action: scores.score(action) + rng.gauss(0.0, spread))

    return player


def looking(effort: Effort) -> Player:
    """Make a player that looks ahead as a hint does, from its seat's knowledge alone."""

    def player(game: CardGame, rng: random.Random) -> Action:
        actions = game.actions()
        if len(actions) == 1:
            return actions[0]
        search = Search(Knowledge.of_game(game), rng.getrandbits(32))
        return _same(game, actions, search.refine(effort)[0].action)

    return player


def _same(game: CardGame, actions: list[Action], wanted: Action) -> Action:
    """Find the game's action with the same result as the wanted one.

    A seven may be split differently for the same result when a seat's pawns are stored in another order.
    """
    if wanted in actions:
        return wanted
    engine = game.engine
    result = engine.apply(game.state, wanted[2]).key(engine.per_seat)
    return next(
        action
        for action in actions
        if action[:2] == wanted[:2] and engine.apply(game.state, action[2]).key(engine.per_seat) == result
    )


def given(determinizer: Determinizer, strength: str, rng: random.Random) -> Action:
    """Choose the card for a mate: the one that the hand misses least."""
    game = determinizer.enter(determinizer.sample())
    game.waiting_to_give = [game.to_move]
    # Looking ahead says nothing here: nobody knows what the mate gives.
    return (quick if strength == "strong" else STRENGTHS[strength])(game, rng)


STRENGTHS: dict[str, Player] = {
    "random": careless,
    "greedy": greedy,
    "easy": noisy(0.6),
    "medium": quick,
    "strong": looking(Effort(8, 6)),
}
"""Players by name; `strong` looks ahead as a hint does, with an eighth of the samples."""
COMPUTERS = ("easy", "medium", "strong")
"""The strengths that a computer opponent may have."""
