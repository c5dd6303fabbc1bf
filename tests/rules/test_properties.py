"""Properties of every position, card and move."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.random_tables import CARDS, Table, random_table
from tock_rules import TEXTS, Board, Card, Move, Position, Violation, judge_move, load_preset

pytestmark = pytest.mark.whole

QUICK = settings(max_examples=60)
seeds = st.integers(min_value=0, max_value=2**32)
cards = st.sampled_from(CARDS)
names = st.sampled_from(TEXTS)


def position(seed: int, name: str) -> Position:
    rules = load_preset(name)
    return random_table(random.Random(seed), rules).position(rules)


@QUICK
@given(seeds, names, cards)
def test_every_listed_move_is_found_by_its_text(seed: int, name: str, card: Card) -> None:
    here = position(seed, name)
    for move in here.legal_moves(card):
        assert move == judge_move(here, card, move.text)


@QUICK
@given(seeds, names, cards, cards)
def test_a_move_of_another_card_is_legal_exactly_if_listed(
    seed: int, name: str, card: Card, other: Card
) -> None:
    here = position(seed, name)
    listed = {move.text for move in here.legal_moves(card)}
    results = {move.result for move in here.legal_moves(card)}
    for move in here.legal_moves(other):
        found = judge_move(here, card, move.text)
        if isinstance(found, Move):
            # Only the parts of a seven may come in another order than listed.
            assert found.text in listed or found.result in results
        else:
            assert move.text not in listed
            assert isinstance(found, Violation)
            assert found.breaks


@QUICK
@given(seeds, names, cards)
def test_playing_keeps_four_pawns_a_seat_and_no_two_in_a_hole(seed: int, name: str, card: Card) -> None:
    here = position(seed, name)
    for move in here.legal_moves(card):
        after = here.play(move).board
        assert after == Board.from_pawns(here.shape, after.to_pawns())
        assert [4] * len(here.seats) == [len(places) for places in after.to_pawns().values()]
        assert here.board.to_pawns() == move.before.to_pawns()


@QUICK
@given(seeds, names, cards)
def test_captured_pawns_are_those_that_went_to_camp(seed: int, name: str, card: Card) -> None:
    here = position(seed, name)
    for move in here.legal_moves(card):
        for seat in here.seats:
            taken = sum(owner is seat for owner, _ in move.captures)
            came_out = sum(part.from_cell < 0 and part.seat is seat for part in move.parts)
            assert here.board.camp_count(seat) + taken - came_out == move.result.camp_count(seat)


@QUICK
@given(seeds, names)
def test_position_reads_back_from_its_text(seed: int, name: str) -> None:
    here = position(seed, name)
    stored = tuple(seed >> seat & 1 if seat in here.seats else 0 for seat in range(here.shape.zones))
    here = replace(here, stored_moves=stored)
    assert here == Position.parse(here.text)


def turned(table: Table, by: int) -> Table:
    """The same table with every seat `by` zones further."""
    length = 18 * table.zones

    def place(text: str) -> str:
        if not text.startswith("T"):
            return text
        star = "*" if text.endswith("*") else ""
        return f"T{(int(text[1:].rstrip('*')) + 18 * by) % length}{star}"

    def seat(number: int) -> int:
        return (number + by) % table.zones

    pawns = {seat(s): [place(text) for text in places] for s, places in table.pawns.items()}
    teams = [sorted(seat(s) for s in team) for team in table.teams]
    return Table(table.zones, sorted(pawns), teams, seat(table.to_move), pawns)


@QUICK
@given(seeds, names, cards, st.integers(min_value=1, max_value=7))
def test_rules_are_the_same_for_every_seat(seed: int, name: str, card: Card, by: int) -> None:
    rules = load_preset(name)
    table = random_table(random.Random(seed), rules)
    plain = len(table.position(rules).legal_moves(card))
    assert plain == len(turned(table, by % table.zones).position(rules).legal_moves(card))


@QUICK
@given(seeds, names)
def test_a_seven_never_lists_more_than_its_distinct_results(seed: int, name: str) -> None:
    moves = position(seed, name).legal_moves(Card.parse("7H"))
    shared = [move.result for move in moves if "C" not in move.text]
    assert len(shared) == len(set(shared))
    assert len(moves) <= 200
