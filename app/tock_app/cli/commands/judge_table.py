"""Whole hands for `tock judge`: steps with cards, each accepted or refused with its reason."""

from collections.abc import Mapping
from dataclasses import replace

from tock_app.cli.console import Answer, Request
from tock_companion.errors import BadInputError
from tock_companion.events.terms import card_term, seat_term
from tock_companion.language import Text
from tock_companion.views.names import Names
from tock_companion.views.terms import worded
from tock_companion.views.wording import both
from tock_rules import Card, CardTable, Position, Seat, Violation, deal_plan, parse_hand

MAX_STEPS = 10_000
"""More than the longest game has."""


def answer_table(position: Position, request: Request) -> Answer:
    """Carry out the steps of a request; raises BadInputError."""
    steps = request.get("steps")
    if not isinstance(steps, list) or len(steps) > MAX_STEPS:
        raise BadInputError(f"steps is a list of at most {MAX_STEPS} steps")
    table, answers = _table(position, request), []
    for number, step in enumerate(steps, 1):
        if not isinstance(step, Mapping):
            raise BadInputError(f"step {number} is an object, not {step!r}")
        try:
            after = _after(table, step)
        except BadInputError as error:
            raise BadInputError(f"step {number}: {error}") from error
        table = table if isinstance(after, Violation) else after
        answers.append(_state(table) | ({} if after is table else _refusal(after, table)))
    return {"steps": answers}


def _table(position: Position, request: Request) -> CardTable:
    number = _count(request, "round")
    dealer = Seat.parse(request.get("dealer"))
    if dealer not in position.seats:
        raise BadInputError(f"{dealer.name} cannot deal: it does not play")
    stored = [0] * position.shape.zones
    kept = request.get("stored") or {}
    if not isinstance(kept, Mapping):
        raise BadInputError(f"stored has a number by seat, not {kept!r}")
    for name in kept:
        stored[_playing(position, name)] = _count(kept, name)
    position = replace(position, stored_moves=tuple(stored))
    hand = deal_plan(position.ruleset, len(position.seats)).first_hand(position.seats, dealer, number)
    dealt = request.get("dealt")
    return CardTable.of(
        position,
        hand,
        _hands(request.get("hands"), "hands"),
        None if dealt is None else _hands(dealt, "dealt"),
    )


def _after(table: CardTable, step: Request) -> CardTable | Violation:
    doing = [key for key in step if key not in ("seat", "move")]
    if doing == ["deal"] and "seat" not in step:
        return table.deal(_hands(step["deal"], "deal"))
    if len(doing) != 1 or doing[0] not in ("play", "discard", "throw", "draw", "give", "end"):
        raise BadInputError(
            "one of play, discard, throw, draw, give, end or deal is missing, or there are several"
        )
    seat, kind = _playing(table.position, step.get("seat")), doing[0]
    value = step[kind]
    match kind:
        case "play":
            move = step.get("move")
            if not isinstance(move, str):
                raise BadInputError(f"move is a text, not {move!r}")
            return table.play(seat, Card.parse(value), move)
        case "discard":
            return table.put_away(seat, table.hands[seat] if value == "hand" else parse_hand(value))
        case "draw":
            return table.draw(seat, parse_hand(value))
        case "give":
            return table.give(seat, Card.parse(value))
    if value is not True:
        raise BadInputError(f"{kind} is true, not {value!r}")
    return table.throw(seat) if kind == "throw" else table.end(seat)


def _state(table: CardTable) -> Answer:
    return {
        "ok": True,
        "to_move": table.to_move.name,
        "dealer": Seat(table.hand.dealer).name,
        "round": table.hand.number,
        "may": list(table.choices.names),
    }


def _refusal(after: CardTable | Violation, table: CardTable) -> Answer:
    if not isinstance(after, Violation):
        return {}
    return {"ok": False, "breaks": list(after.breaks), "message": _message(after, table.position)}


def _message(violation: Violation, position: Position) -> Text:
    code = violation.code.removeprefix("hand/")
    if code == violation.code:
        return both(violation, position.shape)
    terms = {} if violation.card is None else {"card": card_term(violation.card)}
    if violation.seat is not None:
        terms["seat"] = seat_term(violation.seat)
    return worded(f"refuse/{code}", terms, Names(position.shape, {}, {}))


def _hands(value: object, name: str) -> dict[Seat, tuple[Card, ...]]:
    if not isinstance(value, Mapping):
        raise BadInputError(f"{name} has a list of cards by seat, not {value!r}")
    return {Seat.parse(seat): parse_hand(cards) for seat, cards in value.items()}


def _playing(position: Position, name: object) -> Seat:
    seat = Seat.parse(name)
    if seat not in position.seats:
        raise BadInputError(f"{seat.name} does not play")
    return seat


def _count(numbers: Request, name: str) -> int:
    value = numbers.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1000:
        raise BadInputError(f"{name} is a number, not {value!r}")
    return value
