"""A card is laid face up: by touch, or seen by a source."""

from tock_companion.events.facts import (
    CardPlayed,
    Fact,
    QuestionAnswered,
    Repaired,
    TurnEnded,
    ViolationFound,
)
from tock_companion.events.game import Game
from tock_companion.rules import Card, Seat
from tock_companion.views.names import Names
from tock_companion.views.phrases import phrase

OTHER_SEAT = "card/other_seat"


def lay_card(game: Game, names: Names, card: Card, seat: Seat | None, by: str) -> list[Fact]:
    """Return what is to be recorded when `seat` (None: whoever's turn it is) lays a card."""
    position = game.position
    if position is None or game.paused or game.ended is not None:
        return []
    turn = position.to_move
    seat = turn if seat is None else seat
    facts: list[Fact] = []
    if seat is not turn:
        following = position.end_turn().to_move
        if not (game.may_close_turn and seat is following):
            return [_other_seat(names, seat, turn)]
        # The next player's card closes a turn that a stored move had kept open.
        facts.append(TurnEnded(turn.name, seat.name))
    elif game.card == card:
        return []
    warning = game.warning
    if isinstance(warning, ViolationFound) and warning.code == OTHER_SEAT:
        facts.append(Repaired(warning.seat, None))
    if game.question is not None and game.question.about == "card":
        facts.append(QuestionAnswered(game.question.seat, str(card), by))
    return [*facts, CardPlayed(seat.name, str(card), by)]


def _other_seat(names: Names, seat: Seat, turn: Seat) -> ViolationFound:
    message = phrase("card-other-seat", seat=names.seat(seat), turn=names.seat(turn))
    return ViolationFound(seat.name, OTHER_SEAT, [], message, {}, [], [])
