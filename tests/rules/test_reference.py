"""The engine against the slow reading of the specification."""

import random

import pytest

from tests.rules.reference import Reference, key
from tock_bench.random_tables import Table, random_card, random_table
from tock_companion.rules import Card, load_preset, preset_names

pytestmark = pytest.mark.whole

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


def compare(
    table: Table, ruleset: str, card: Card, house: tuple[dict[str, object], dict[str, object]]
) -> int:
    """Assert that both lead to the same positions, each listed once by the engine; return their number."""
    options, changed = house
    rules = load_preset(ruleset).with_options(options)
    slow = Reference(ruleset, table.zones, table.seats, table.teams, **changed)
    expected = {key(result) for result in slow.results(table.pawns, table.to_move, str(card))}
    moves = table.position(rules).legal_moves(card)
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


def study(seed: int, positions: int) -> int:
    """Compare random positions; return how many results both gave alike."""
    compared, rng = 0, random.Random(seed)
    for index in range(positions):
        ruleset = preset_names()[index % 5]
        house = rng.choice(HOUSES) if rng.random() < 0.4 else HOUSES[0]
        try:
            rules = load_preset(ruleset).with_options(house[0])
        except ValueError:
            continue
        table = random_table(rng, rules)
        compared += compare(table, ruleset, random_card(rng), house)
    return compared


def test_engine_and_slow_reading_agree_on_a_sample() -> None:
    assert study(seed=1, positions=300) > 1000
