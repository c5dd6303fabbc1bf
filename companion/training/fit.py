"""Fits the weights of the fast policy to what playouts find, over many positions at once.

At sampled positions the promising actions are played out for some rounds in the same determinizations. What an action
gains over the others of its position is what its features should be worth. Weights that no position bears on stay.
"""

import random
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tock_companion.hints.buckets import BUCKETS, bucket_shares
from tock_companion.hints.computer_players import greedy
from tock_companion.hints.estimate import Estimate, MoveScorer
from tock_companion.hints.features import FEATURES, ROLES, kind_of
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.move_ordering import Scores
from tock_companion.hints.search import Search
from tock_rules.engine import (
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

BEST_ACTIONS, OTHER_ACTIONS = 6, 2
"""Actions of a position that are played out: the best by their score, and a few of the others."""
SAMPLES = 16
ROUNDS = 3
"""Rounds of the table before the evaluation judges: most of a hand."""
SAMPLED_SHARE = 0.06
"""Share of the positions with a choice that are sampled."""
NOISE_LOG_ODDS = 0.05
"""Spread of the noise in the games' play, so that positions differ."""
RIDGE = 3.0
"""Ridge penalty: the larger, the closer the new weights stay to the old ones."""
CHUNK = 2
"""Games per job."""
MAX_PLIES = 3000

Array = npt.NDArray[np.float64]
_STORED = FEATURES.index("stored_me")
_KEEPS = FEATURES.index("keeps_ace")


def action_features(scores: Scores, action: Action) -> Array:
    """Extract the features of an action's score: their weighted sum is the score."""
    out = np.zeros(len(FEATURES))
    kind, card, move = action
    for at in range(0, len(move), PART):
        _part_features(out, scores.moves, move, at)
    if card >= 0:
        out[_KEEPS + kind_of(CARD_CODES[card])] -= 1.0
    if kind == PLAY:
        out[_STORED] += float(scores.second_moves and IS_JOKER[card]) - float(scores.game.played > 0)
    return out


def _part_features(out: Array, moves: MoveScorer, move: FlatMove, at: int) -> None:
    kind, seat, src, dst, via, taken = move[at : at + PART]
    extractor = moves.extractor

    def pawn(other: int, left: int, reached: int) -> None:
        first = extractor.role(moves.seat, other) * len(BUCKETS)
        for cell, sign in ((reached, 1.0), (left, -1.0)):
            for index, share in bucket_shares(extractor.engine.shape, other, cell):
                out[first + index] += sign * share

    def danger(cell: int, sign: float) -> None:
        if not 0 <= cell < extractor.length or cell == extractor.starts[seat]:
            return
        chance = sign * extractor.danger.chance(moves.enemies, extractor.length, cell)
        first = FEATURES.index(f"{ROLES[extractor.role(moves.seat, seat)]}_danger")
        out[first] += chance
        out[first + 1] += chance * extractor.gone[seat][cell + 1]

    pawn(seat, src, dst)
    if kind == SWAP:
        pawn(via, dst, src)
    else:
        hits = {dst} if src != dst else set()
        hits |= {cell for cell in range(extractor.length + 1) if taken >> cell & 1}
        for cell in hits:
            if cell in moves.owner:
                pawn(moves.owner[cell], cell, -1)
        if dst > extractor.centre >= src:
            home = sum(cell > extractor.centre for cell in moves.pawns[4 * seat : 4 * seat + 4])
            first = FEATURES.index(f"{ROLES[extractor.role(moves.seat, seat)]}_one_home") - 1
            out[first + min(home + 1, 4)] += 1.0
            if home:
                out[first + home] -= 1.0
            danger(src, -1.0)
            return
    if kind == SWAP or seat in extractor.sides[moves.seat]:
        danger(dst, 1.0)
        danger(src, -1.0)


def moments(engine: Engine, weights: list[float], first: int) -> tuple[Array, Array]:
    """Collect features and values (log odds) of many positions' actions, each centred on its position."""
    estimate = Estimate(engine, weights)
    rows: list[Array] = []
    worth: list[float] = []
    for number in range(first, first + CHUNK):
        rng = random.Random(f"{engine.rules.name} moments {number}")
        game = CardGame(engine, rng.choice(engine.seats), rng.shuffle)
        careless = frozenset(engine.seats[number % 2 :: 2]) if number % 4 < 2 else frozenset()
        for _ in range(MAX_PLIES):
            actions = game.actions()
            scores = Scores(estimate, game)
            if len(actions) > 1 and rng.random() < SAMPLED_SHARE:
                order = sorted(actions, key=lambda action: -scores.score(action))
                tried = order[:BEST_ACTIONS] + rng.sample(
                    order[BEST_ACTIONS:], min(OTHER_ACTIONS, len(order) - min(BEST_ACTIONS, len(order)))
                )
                found = played_out(estimate, game, tried, rng.getrandbits(32))
                features = np.array([action_features(scores, action) for action in tried])
                rows += list(features - features.mean(axis=0))
                worth += list(found - found.mean())
            if game.to_move in careless:
                game.do(greedy(game, rng))
            else:
                game.do(
                    max(actions, key=lambda action: scores.score(action) + rng.gauss(0.0, NOISE_LOG_ODDS))
                )
            if game.winners():
                break
    return np.array(rows), np.array(worth)


def played_out(estimate: Estimate, game: CardGame, actions: Iterable[Action], seed: int) -> Array:
    """Estimate the log odds after every action, centred on their mean, by playouts of determinizations."""
    search = Search(Knowledge.of_game(game), seed)
    search.estimate = estimate
    samples = [search.determinizer.sample() for _ in range(SAMPLES)]
    turns = ROUNDS * len(game.seats)
    chances = np.array(
        [np.mean([search.play_out(sample, action, turns) for sample in samples]) for action in actions]
    )
    middle = float(np.clip(chances.mean(), 0.05, 0.95))
    return (chances - middle) / (middle * (1 - middle))


def fitted(weights: dict[str, float], rows: Array, worth: Array) -> dict[str, float]:
    """Solve the ridge regression of the actions' values on their features."""
    old = np.array(list(weights.values()))
    bend = rows.T @ rows + RIDGE * np.eye(len(old))
    new = old + np.linalg.solve(bend, rows.T @ (worth - rows @ old))
    return dict(zip(FEATURES, (float(value) for value in new), strict=True))
