"""Moments of games that are well under way, for tests of hints."""

import random
from collections.abc import Iterator

from tests.rules.playing import table
from tock_companion.hints.players import noisy
from tock_companion.rules.cardgame import CardGame
from tock_companion.rules.ruleset import load_preset, preset_names

FORMS: tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], ...] = (
    ((0, 2), ()),
    ((0, 1, 2, 3), ()),
    ((0, 1, 2, 3), ((0, 2), (1, 3))),
)


def moments(count: int, seed: int, rulesets: tuple[str, ...] = preset_names()) -> Iterator[CardGame]:
    """Yield games of every ruleset and form at some moment when a card is to be played."""
    player = noisy(0.5)
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        seats, teams = FORMS[number // len(rulesets) % len(FORMS)]
        game = table(load_preset(rulesets[number % len(rulesets)]), 4, seats, teams, rng)
        for _ in range(rng.randrange(20, 200)):
            before = (game.state, game.to_move)
            game.do(player(game, rng))
            if game.winners():
                game.state, game.to_move = before
                break
        yield game
