"""Numbers of move sequences from fixed positions, kept in a text file."""

from pathlib import Path

import pytest

from tock_rules import Card, Position, parse_hand, preset_names

LINES = [
    line
    for line in (Path(__file__).parents[1] / "data" / "rules" / "perft.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    if line and not line.startswith("#")
]


def perft(position: Position, cards: tuple[Card, ...], depth: int) -> int:
    """Count the sequences of `depth` moves, every seat choosing any of the cards."""
    moves = [move for card in cards for move in position.legal_moves(card)]
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move).end_turn(), cards, depth - 1) for move in moves)


@pytest.mark.parametrize("line", LINES)
def test_number_of_sequences_is_as_recorded(line: str) -> None:
    text, cards, *counts = (field.strip() for field in line.split("|"))
    position, hand = Position.parse(text), parse_hand(cards.split())
    assert counts == [str(perft(position, hand, depth)) for depth in range(1, len(counts) + 1)]


def test_every_ruleset_has_counts() -> None:
    assert set(preset_names()) == {line.split()[0].partition("[")[0] for line in LINES}
