"""Whole games by random or hurrying players, with their records, and moments of games under way."""

import random
from collections.abc import Callable, Iterator

from tock_companion.hints.computer_players import noisy
from tock_rules import (
    TEXTS,
    Entry,
    GameRecord,
    Ruleset,
    Seat,
    load_preset,
    shape_for,
)
from tock_rules.engine import (
    CARDS,
    DISCARD,
    LAY_DOWN,
    PLAY,
    STOP,
    THROW_HAND,
    Action,
    CardGame,
    engine_for,
    position_of,
)

Player = Callable[[CardGame, random.Random], Action]
FORMS: tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], ...] = (
    ((0, 2), ()),
    ((0, 1, 2, 3), ()),
    ((0, 1, 2, 3), ((0, 2), (1, 3))),
)
"""Seats and teams."""


def table(
    rules: Ruleset, zones: int, seats: tuple[int, ...], teams: tuple[tuple[int, ...], ...], rng: random.Random
) -> CardGame:
    """A game about to begin; the last seat deals."""
    engine = engine_for(shape_for(rules, zones), rules, seats, teams)
    return CardGame(engine, seats[-1], rng.shuffle)


def at_random(game: CardGame, rng: random.Random) -> Action:
    """Do anything."""
    return game.random_action(rng.random)


def hurrying(game: CardGame, rng: random.Random) -> Action:
    """Mostly do what brings one's own side furthest."""
    actions = game.actions()
    if rng.random() < 0.1:
        return rng.choice(actions)
    return max(actions, key=lambda action: (_progress(game, action), rng.random()))


def _progress(game: CardGame, action: Action) -> float:
    if not action[2]:
        return 0.5 if action[0] == STOP else 0
    engine, seat = game.engine, game.to_move
    after = engine.apply(game.state, action[2])
    total = 0.0
    for other in game.seats:
        ours = other == seat or other in engine.mates[seat]
        for cell in after.pawns[4 * other : 4 * other + 4]:
            shape = engine.shape
            way = (
                -20
                if cell < 0
                else 200
                if cell > shape.centre
                else 50
                if cell == shape.centre
                else shape.progress(other, cell)
            )
            total += way if ours else -way / 3
    return total


def play_out(game: CardGame, player: Player, rng: random.Random, most: int = 30000) -> GameRecord:
    """Play to the end and return the record; assert that the game ends within `most` actions."""
    start = position_of(game)
    entries: list[Entry] = []
    for _ in range(most):
        action = player(game, rng)
        entry = entry_of(game, action)
        if entry is not None:
            entries.append(entry)
        game.do(action)
        if game.winners():
            zones, dealer = start.shape.zones, start.seats[-1]
            return GameRecord(start.ruleset, zones, start.seats, start.teams, dealer, tuple(entries))
    raise AssertionError("the game does not end")


def entry_of(game: CardGame, action: Action) -> Entry | None:
    """The record's line for an action; None for one that nobody sees."""
    kind, card, flat = action
    seat = Seat(game.to_move)
    hand = tuple(CARDS[number] for number in game.hands[game.to_move])
    if kind == PLAY:
        move = position_of(game).move_of((CARDS[card],), flat)
        return Entry(seat, "plays again" if game.played else "plays", (CARDS[card],), move.text)
    if kind == DISCARD:
        return Entry(seat, "discards", (CARDS[card],))
    if kind == LAY_DOWN:
        return Entry(seat, "lays down", hand)
    if kind == THROW_HAND:
        return Entry(seat, "throws", hand, position_of(game).move_of(hand, flat).text)
    return None


def moments(count: int, seed: int, rulesets: tuple[str, ...] = TEXTS) -> Iterator[CardGame]:
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
