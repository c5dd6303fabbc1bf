"""Judges a move given as text: the legal move, or the mistake as a value."""

from tock_rules.parts import parse_parts
from tock_rules.position import Cards, Move, Position
from tock_rules.violations import Violation
from tock_rules.why import Case, why_not_thrown


def judge_move(position: Position, card: Cards, text: str) -> Move | Violation:
    """The legal move of that text, or the mistake in it; raise `BadInputError` for anything but a move text."""
    parts = parse_parts(position.shape, text)
    return position.find(card, parts) or position.explain(card, parts)


def judge_throw(position: Position, hand: Cards, text: str) -> Move | Violation:
    """The exit by throwing this hand if the text names it and it is legal, else the mistake (R002-30)."""
    parts = parse_parts(position.shape, text)
    move = position.throw_move(hand)
    if move is not None and [part.key() for part in parts] == [part.key() for part in move.parts]:
        return move
    return why_not_thrown(
        Case(position.engine, position.board, position.to_move, position.arrived, None), parts
    )
