"""Checks for tests and long studies of the rules: whole games stay whole, and the slow reading agrees."""

import random

from tests.rules.slow_reference import Reference, key
from tests.support.games import at_random, table
from tests.support.random_tables import Table
from tock_rules import Card, Ruleset, load_preset
from tock_rules.engine import CARDS, CardGame, State

FORMS: dict[str, list[tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]]] = {
    "mjc": [(4, (0, 2), ()), (4, (0, 1, 2, 3), ((0, 2), (1, 3))), (6, (0, 2, 3, 5), ()), (8, (0, 4), ())],
    "parteu": [(4, (0, 1, 2), ()), (4, (0, 1, 2, 3), ((0, 2), (1, 3))), (4, (1, 3), ())],
    "diagonale": [(4, (0, 1, 2, 3), ()), (6, (0, 1, 2, 3, 4, 5), ()), (8, (0, 1, 2, 3, 4, 5, 6, 7), ())],
    "joker-individuel": [(4, (0, 1, 2, 3), ()), (6, (0, 2, 4), ()), (8, (0, 1, 2, 3, 4, 5, 6), ())],
    "gladius": [
        (4, (0, 1, 2, 3), ((0, 2), (1, 3))),
        (6, (0, 1, 2, 3, 4, 5), ((0, 3), (1, 4), (2, 5))),
        (6, (0, 1, 2, 3, 4, 5), ((0, 2, 4), (1, 3, 5))),
        (8, tuple(range(8)), ((0, 4), (1, 5), (2, 6), (3, 7))),
        (8, tuple(range(8)), ((0, 2, 4, 6), (1, 3, 5, 7))),
        (8, (0, 1, 3, 4, 6), ()),
        (4, (0, 2), ()),
    ],
    "toc": [(4, (0, 1, 2, 3), ((0, 2), (1, 3))), (8, (0, 2, 4, 6), ()), (4, (0, 2), ())],
    "keezen": [
        (4, (0, 1, 2, 3), ((0, 2), (1, 3))),
        (6, tuple(range(6)), ((0, 3), (1, 4), (2, 5))),
        (4, (1, 3), ()),
    ],
    "jackaroo": [(4, (0, 1, 2, 3), ((0, 2), (1, 3))), (4, (0, 1, 2), ())],
    "brandi-dog": [(4, (0, 1, 2, 3), ((0, 2), (1, 3))), (6, tuple(range(6)), ((0, 2, 4), (1, 3, 5)))],
    "quebec": [(4, (0, 1, 2, 3), ((0, 2), (1, 3))), (3, (0, 1, 2), ()), (2, (0, 1), ())],
    "pegs-jokers": [
        (4, (0, 1, 2, 3), ((0, 2), (1, 3))),
        (8, tuple(range(8)), ((0, 2, 4, 6), (1, 3, 5, 7))),
    ],
}
"""Zones, seats and teams that each game knows."""
HOUSES: list[tuple[dict[str, object], dict[str, object]]] = [
    ({}, {}),
    ({}, {}),
    ({"own_start_crossing": "forbidden", "voluntary_bypass": False}, {"strict": True, "bypass": False}),
    ({"voluntary_bypass": True}, {"bypass": True}),
    ({"voluntary_bypass": False}, {"bypass": False}),
    ({"start_protection": "any_own"}, {"protected": "any"}),
    ({"start_protection": "fresh"}, {"protected": "fresh"}),
    ({"start_push_immune": True}, {"push_immune": True}),
    ({"king_at_protected": "takes"}, {"king_at_protected": "takes"}),
    ({"king_at_protected": "passes"}, {"king_at_protected": "passes"}),
    ({"seven_pawns": 2}, {"seven_pawns": 2}),
    ({"seven_partner_rest": False}, {"rest_to_mate": False}),
    ({"deux_de_pique": True}, {"two_of_spades": True}),
    ({"jokers": True}, {"jokers": True}),
    ({"jokers": True}, {"jokers": True}),
    ({"passing": "forbidden"}, {"passing": "forbidden"}),
    ({"start_not_swapped": "any_on_start"}, {"jack_bars": "any_on_start"}),
]
"""House rules, as the engine and as the slow reading know them."""


def check_invariants(game: CardGame, deck: list[int]) -> None:
    """Every card and every pawn is somewhere, once, and the masks agree with the pawns."""
    assert deck == sorted([*game.stock, *game.used, *(card for hand in game.hands for card in hand)])
    standing = [cell for cell in game.state.pawns if cell >= 0]
    assert len(standing) == len(set(standing))
    shape = game.engine.shape
    again = State.of(game.state.pawns, game.state.fresh, shape.zone_length, shape.pawns_per_seat)
    assert (again.occ, again.own, again.fresh) == (game.state.occ, game.state.own, game.state.fresh)


def play_checked(
    rules: Ruleset, form: tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]], seed: int
) -> int:
    """Play a game at random, looking at it all the time; return the number of actions."""
    rng = random.Random(seed)
    game = table(rules, *form, rng)
    deck = sorted(CARDS.index(card) for card in game.plan.deck)
    for step in range(200_000):
        game.do(at_random(game, rng))
        won = game.winners()
        if won or step % 25 == 0:
            check_invariants(game, deck)
        if won:
            return step + 1
    raise AssertionError(f"{rules.name} {form} seed {seed} does not end")


def compare(
    table: Table, ruleset: str, card: Card, house: tuple[dict[str, object], dict[str, object]]
) -> int:
    """Assert that both lead to the same positions, each listed once by the engine; return their number."""
    options, changed = house
    rules = load_preset(ruleset).with_options(options)
    slow = Reference(ruleset, table.zones, table.seats, table.teams, **changed)
    expected = {key(result) for result in slow.results(table.pawns, table.to_move, str(card))}
    position = table.position(rules)
    moves = position.legal_moves(card)
    if position.outcome() is not None:
        assert not moves
        return 0
    found = [
        key({int(seat[1:]): places for seat, places in move.result.to_pawns().items()}) for move in moves
    ]
    assert expected == set(found), (ruleset, table, str(card), options)
    texts = [move.text for move in moves]
    assert len(texts) == len(set(texts)), (ruleset, table, str(card), texts)
    if card.rank.text == "7":
        shared = [result for result, text in zip(found, texts, strict=True) if "C" not in text]
        assert len(shared) == len(set(shared)), (ruleset, table, str(card), texts)
    return len(found)
