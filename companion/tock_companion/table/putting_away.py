"""A whole hand leaves at once: laid down because nothing can be played, or thrown to bring a pawn out."""

from tock_companion.events.facts import CardPlayed, Correction, Fact, TurnEnded
from tock_companion.rules import Card, Position, turn_options


def lay_down(position: Position, hand: tuple[Card, ...]) -> list[Fact] | None:
    """Return what is to be recorded when a hand is laid down; None where the rules do not have it now (SPEC A-09)."""
    options = turn_options(position, hand)
    if not hand or not options.discard_allowed or options.discard_count != len(hand):
        return None
    return [*_put_away(position, hand), _end(position)]


def throw_out(position: Position, hand: tuple[Card, ...], who: str) -> list[Fact] | None:
    """Return what is to be recorded when a hand is thrown for an exit; None where that is not allowed (R002-30)."""
    move = position.throw_move(hand)
    if move is None:
        return None
    thrown = Correction(who, "hand thrown", move.result.to_pawns())
    return [*_put_away(position, hand), thrown, _end(position)]


def _put_away(position: Position, hand: tuple[Card, ...]) -> list[Fact]:
    return [CardPlayed(position.to_move.name, str(card), "touch", "discard") for card in hand]


def _end(position: Position) -> TurnEnded:
    return TurnEnded(position.to_move.name, position.end_turn().to_move.name)
