"""`/api/v1/join`: sitting down, standing up, and asking for a seat that is taken."""

from typing import Annotated

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.language import Language
from tock_companion.schema import Schema
from tock_companion.table.fields import PersonName, SeatValue
from tock_companion.table.requests import Reply, Ticket
from tock_web.answers.people import Done, SeatAnswer, SeatAsked, Seated, TableReply
from tock_web.context import answer_of, caller, context
from tock_web.gate import endpoint
from tock_web.people import SEAT_COOKIE, drop_cookie, keep_cookie, secrets_of

seats = Blueprint("seats", __name__, url_prefix="/api/v1")


class Join(Schema):
    """Who wants to sit where."""

    name: PersonName
    seat: SeatValue
    lang: Language = "en"


class Hear(Schema):
    """The secret with which one hears what became of a seat request."""

    secret: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


@seats.post("/join")
@endpoint(body=Join, answer=Seated, refusal=TableReply)
def join(asked: Join) -> ResponseReturnValue:
    """Sit down on a free seat; its secret goes into a cookie that no script can read."""
    ticket = context().table.join(asked.name, asked.seat, asked.lang)
    return answer_of(ticket) if isinstance(ticket, Reply) else _seated(ticket)


@seats.post("/join/ask")
@endpoint(body=Join, answer=SeatAsked, refusal=TableReply)
def ask(asked: Join) -> ResponseReturnValue:
    """Ask the holder and the host for a taken seat; the answer is heard with the secret that is returned."""
    secret = context().table.ask_for_seat(asked.name, asked.seat, asked.lang)
    return answer_of(secret) if isinstance(secret, Reply) else jsonify({"ok": True, "secret": secret})


@seats.post("/join/hear")
@endpoint(body=Hear, answer=Seated | SeatAnswer)
def hear(asked: Hear) -> ResponseReturnValue:
    """Hear what became of the seat request; after a yes one sits down."""
    heard = context().table.hear_of_seat(asked.secret)
    if isinstance(heard, Ticket):
        return _seated(heard)
    answer: SeatAnswer = {"ok": heard is None, "state": "waiting" if heard is None else "refused"}
    return jsonify(answer)


def _seated(ticket: Ticket) -> ResponseReturnValue:
    here, old = context(), secrets_of(request).seat
    if old and here.table.holder(old) not in (None, ticket.seat):
        here.table.leave(old)
    told: Seated = {"ok": True, "state": "seated", "seat": ticket.seat.name, "name": ticket.name}
    answer = jsonify(told)
    keep_cookie(answer, SEAT_COOKIE, ticket.token)
    return answer


@seats.post("/leave")
@endpoint(answer=Done)
def leave() -> ResponseReturnValue:
    """Stand up: the seat is free for another phone."""
    here, seat, secret = context(), caller().seat, secrets_of(request).seat
    if seat is not None and secret is not None:
        here.table.leave(secret)
        here.streams.close_group(seat.name)
    answer = jsonify({"ok": True})
    drop_cookie(answer, SEAT_COOKIE)
    return answer
