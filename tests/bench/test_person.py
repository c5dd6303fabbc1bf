"""The people of the referee's bench leave the board as the move says, whatever they do on the way."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tock_bench.noisy.noise import Noise
from tock_bench.noisy.person import Person, Shot, Standing, standing_on
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tally import GameTally
from tock_rules import Board, Card, Hole, Move, Position, Seat, load_preset, preset_names, shape_for

pytestmark = pytest.mark.whole

QUIET = replace(Noise().scaled(0), stops=0.5)
SEVEN = Card.parse("7H")


def crowded(ruleset: str, seed: int) -> Position:
    """A position with three pawns of every seat close together on the track."""
    rules, cells = load_preset(ruleset), Random(seed).sample(range(1, 16), 12)
    pawns = {
        f"P{seat}": ["camp", *(f"T{cell}" for cell in cells[3 * seat : 3 * seat + 3])] for seat in range(4)
    }
    teams = ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))
    return Position.of(rules, Board.from_pawns(shape_for(rules, 4), pawns), Seat.P0, teams)


def stands_as(standing: Standing, board: Board) -> bool:
    camps = {hole: seat for hole, seat in standing.items() if Hole.parse(hole).in_camp}
    outside = {hole: seat for hole, seat in standing.items() if hole not in camps}
    return (
        outside == board.occupied()
        and all(hole.startswith(seat.name) for hole, seat in camps.items())
        and len(standing) == 4 * len(board.seats)
    )


@pytest.mark.parametrize("ruleset", preset_names())
def test_a_seven_that_takes_pawns_ends_on_the_board_of_the_move(ruleset: str) -> None:
    tried = 0
    for seed in range(20):
        position = crowded(ruleset, seed)
        person = Person(position.shape, QUIET, Random(seed))
        taking = [move for move in position.legal_moves(SEVEN) if move.captures]
        for move in sorted(taking, key=lambda move: -len(move.captures))[:20]:
            *_, last = person.make(move, standing_on(position.board))
            assert stands_as(last.standing, move.result), move.text
            tried += 1
    assert tried


class Clumsy(Person):
    """Puts one pawn of each of two seats into the other's camp after every move."""

    def make(self, move: Move, start: Standing) -> Iterator[Shot]:
        *shots, last = super().make(move, start)
        yield from shots
        one, other = Hole.parse("P0-C4"), Hole.parse("P1-C4")
        swapped = {one: other, other: one}
        yield replace(last, standing={swapped.get(hole, hole): seat for hole, seat in last.standing.items()})


def test_people_tidy_up_after_a_turn_that_went_wrong() -> None:
    table, tally = NoisyTable("mjc", QUIET, 1), GameTally()
    careful = table.person
    table.person = Clumsy(table.core.position.shape, QUIET, Random(2))
    while tally.turns < 1:
        table.play(tally)
    assert tally.right == 0
    table.person = careful
    while tally.turns < 11:
        table.play(tally)
    assert tally.right == 10, tally.failures
