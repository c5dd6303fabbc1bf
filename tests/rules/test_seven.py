"""The seven against a search that plays every share in every order."""

import random

import pytest

from tests.rules.seven_part_by_part import every_seven
from tests.support.random_tables import Table, random_table
from tock_rules import load_preset, preset_names
from tock_rules.seven import seven_moves

HOUSES: list[dict[str, object]] = [
    {},
    {},
    {},
    {"seven_same_pawn_twice": True},
    {"seven_same_pawn_twice": True, "seven_pawns": 2},
    {"seven_partner_rest": False},
    {"partner_landing": "forbidden"},
    {"passing": "forbidden"},
    {"start_protection": "any_own"},
    {"dotted_lines": True, "dotted_line_cost": "whole_card"},
]


def endgame(rng: random.Random, table: Table) -> None:
    """Put the pawns of the seat to move at home or just before it, so that a seven may bring all home."""
    elsewhere = {place.rstrip("*") for places in table.pawns.values() for place in places}
    entrance = 18 * table.to_move - 2
    places = ["H4", "H3", "H2"][: rng.randint(1, 3)]
    before = [f"T{(entrance - back) % (18 * table.zones)}" for back in rng.sample(range(12), 12)]
    places += [place for place in before if place not in elsewhere][: 4 - len(places)]
    table.pawns[table.to_move] = places


def study(seed: int, positions: int) -> tuple[int, int]:
    """Compare random sevens; return the number of results and of positions whose seven a mate's pawn shares."""
    rng, results, with_mates = random.Random(seed), 0, 0
    for index in range(positions):
        rules = load_preset(preset_names()[index % 5])
        house = rng.choice(HOUSES)
        if not (rules.summit_jump and "dotted_lines" in house):
            rules = rules.with_options(house)
        table = random_table(rng, rules)
        if rng.random() < 0.4:
            endgame(rng, table)
        position, seat = table.position(rules), table.to_move
        engine, state = position.engine, position.board.state
        control = engine.control(state, seat)
        expected = every_seven(engine, state, seat, 0)
        moves = seven_moves(engine, state, seat, control, 0)
        found = [engine.apply(state, move).key() for move in moves]
        assert len(found) == len(set(found)), position.text
        assert set(found) == {engine.apply(state, move).key() for move in expected}, position.text
        results += len(found)
        with_mates += any(mover not in control for move in moves for mover in move[1::6])
    return results, with_mates


@pytest.mark.whole
def test_every_result_is_listed_once_in_games_endgames_and_house_rules() -> None:
    results, with_mates = study(seed=3, positions=400)
    assert results > 8_000
    assert with_mates > 3
