"""What the rules say to a move that somebody wants to make: the move, or the mistake as a value."""

from collections.abc import Sequence

from tock_companion.rules.cards import Card
from tock_companion.rules.moves import Move, Part
from tock_companion.rules.position import Position
from tock_companion.rules.turn import turn_options
from tock_companion.rules.violations import Violation
from tock_companion.rules.why import Case, why_not


def judge_move(position: Position, card: Card, text: str) -> Move | Violation:
    """The legal move of that text, or what is wrong with it; raise `BadInputError` if it is no move text."""
    parts = Move.parse(position.shape, text)
    return position.find_parts(card, parts) or explain_parts(position, card, parts)


def explain_parts(position: Position, card: Card, parts: Sequence[Part]) -> Violation:
    """What is wrong with parts that are no legal move of the card in this order."""
    return why_not(_case(position, card), parts)


def judge_throw(position: Position, hand: Sequence[Card], text: str) -> Move | Violation:
    """The exit by throwing this hand if the text says it and it is allowed, else what is wrong (R002-30)."""
    parts = Move.parse(position.shape, text)
    move = position.throw_move(len(hand))
    way_out = turn_options(position, hand).throw_exit
    same = [part.key() for part in parts] == [part.key() for part in move.parts]
    if way_out is not None and way_out.allowed and same:
        return move
    return _case(position, move.card).blame("move/throw_not_allowed", ("throw",), parts[0])


def _case(position: Position, card: Card) -> Case:
    return Case(position.engine, position.board, position.to_move, position.arrived, card)
