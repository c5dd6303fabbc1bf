"""Fits the weights of the quick score to what playing the actions out finds, at many moments at once.

At moments of games the promising actions are played out for some rounds in the same possible games. What an action does
better there than the others of its moment is what its terms should be worth. Weights that no moment speaks of stay.
"""

import random
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tock_companion.hints.estimate import Estimate, MoveScorer
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.places import PLACES, shares_of
from tock_companion.hints.players import greedy
from tock_companion.hints.policy import Scores
from tock_companion.hints.search import Search
from tock_companion.hints.terms import ROLES, TERMS, kind_of
from tock_companion.rules.engine import (
    CARD_CODES,
    IS_JOKER,
    PART,
    PLAY,
    SWAP,
    Action,
    CardGame,
    Engine,
    FlatMove,
)

BEST, OTHERS = 6, 2
"""Actions of a moment that are played out: the best by their score, and some of the rest."""
WORLDS = 16
ROUNDS = 3
"""Rounds of the table that are played before the estimate judges: most of a hand."""
NOTED = 0.06
"""Share of the moments with a choice that are looked at."""
SLIPS = 0.05
"""Spread of the slips in the games, so that moments differ."""
HELD = 3.0
"""How strongly the weights before hold against the moments: the larger, the closer the new ones stay to them."""
CHUNK = 2
"""Games of one piece of work."""
MOST_PLIES = 3000

Array = npt.NDArray[np.float64]
_STORED = TERMS.index("stored_me")
_KEEPS = TERMS.index("keeps_ace")


def action_terms(scores: Scores, action: Action) -> Array:
    """Return the terms that the score of an action sums: times the weights they give the score."""
    out = np.zeros(len(TERMS))
    kind, card, move = action
    for at in range(0, len(move), PART):
        _part_terms(out, scores.moves, move, at)
    if card >= 0:
        out[_KEEPS + kind_of(CARD_CODES[card])] -= 1.0
    if kind == PLAY:
        out[_STORED] += float(scores.second_moves and IS_JOKER[card]) - float(scores.game.played > 0)
    return out


def _part_terms(out: Array, moves: MoveScorer, move: FlatMove, at: int) -> None:
    kind, seat, src, dst, via, taken = move[at : at + PART]
    table = moves.table

    def pawn(other: int, left: int, reached: int) -> None:
        first = table.role(moves.seat, other) * len(PLACES)
        for cell, sign in ((reached, 1.0), (left, -1.0)):
            for index, share in shares_of(table.engine.shape, other, cell):
                out[first + index] += sign * share

    def danger(cell: int, sign: float) -> None:
        if not 0 <= cell < table.length or cell == table.starts[seat]:
            return
        chance = sign * table.danger.chance(moves.enemies, table.length, cell)
        first = TERMS.index(f"{ROLES[table.role(moves.seat, seat)]}_danger")
        out[first] += chance
        out[first + 1] += chance * table.gone[seat][cell + 1]

    pawn(seat, src, dst)
    if kind == SWAP:
        pawn(via, dst, src)
    else:
        hits = {dst} if src != dst else set()
        hits |= {cell for cell in range(table.length + 1) if taken >> cell & 1}
        for cell in hits:
            if cell in moves.owner:
                pawn(moves.owner[cell], cell, -1)
        if dst > table.centre >= src:
            home = sum(cell > table.centre for cell in moves.pawns[4 * seat : 4 * seat + 4])
            first = TERMS.index(f"{ROLES[table.role(moves.seat, seat)]}_one_home") - 1
            out[first + min(home + 1, 4)] += 1.0
            if home:
                out[first + home] -= 1.0
            danger(src, -1.0)
            return
    if kind == SWAP or seat in table.sides[moves.seat]:
        danger(dst, 1.0)
        danger(src, -1.0)


def moments(engine: Engine, weights: list[float], first: int) -> tuple[Array, Array]:
    """Return terms and worth of the actions of many moments, both against the mean of their moment, in log odds."""
    estimate = Estimate(engine, weights)
    rows: list[Array] = []
    worth: list[float] = []
    for number in range(first, first + CHUNK):
        rng = random.Random(f"{engine.rules.name} moments {number}")
        game = CardGame(engine, rng.choice(engine.seats), rng.shuffle)
        careless = frozenset(engine.seats[number % 2 :: 2]) if number % 4 < 2 else frozenset()
        for _ in range(MOST_PLIES):
            actions = game.actions()
            scores = Scores(estimate, game)
            if len(actions) > 1 and rng.random() < NOTED:
                order = sorted(actions, key=lambda action: -scores.score(action))
                tried = order[:BEST] + rng.sample(
                    order[BEST:], min(OTHERS, len(order) - min(BEST, len(order)))
                )
                found = looked(estimate, game, tried, rng.getrandbits(32))
                terms = np.array([action_terms(scores, action) for action in tried])
                rows += list(terms - terms.mean(axis=0))
                worth += list(found - found.mean())
            if game.to_move in careless:
                game.do(greedy(game, rng))
            else:
                game.do(max(actions, key=lambda action: scores.score(action) + rng.gauss(0.0, SLIPS)))
            if game.winners():
                break
    return np.array(rows), np.array(worth)


def looked(estimate: Estimate, game: CardGame, actions: Iterable[Action], seed: int) -> Array:
    """Return the log odds after every action, about the mean of all, from games that might be going on."""
    search = Search(Knowledge.of_game(game), seed)
    search.estimate = estimate
    worlds = [search.worlds.draw() for _ in range(WORLDS)]
    turns = ROUNDS * len(game.seats)
    chances = np.array(
        [np.mean([search.play_out(world, action, turns) for world in worlds]) for action in actions]
    )
    middle = float(np.clip(chances.mean(), 0.05, 0.95))
    return (chances - middle) / (middle * (1 - middle))


def fitted(weights: dict[str, float], rows: Array, worth: Array) -> dict[str, float]:
    """Return weights that explain the worth of the actions better."""
    old = np.array(list(weights.values()))
    bend = rows.T @ rows + HELD * np.eye(len(old))
    new = old + np.linalg.solve(bend, rows.T @ (worth - rows @ old))
    return dict(zip(TERMS, (float(value) for value in new), strict=True))
