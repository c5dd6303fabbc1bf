"""`/api/v1/join`: sitting down, standing up, and asking for a seat that is taken."""

from typing import Annotated

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.language import Language
from tock_companion.schema import Schema
from tock_companion.table.fields import PersonName, SeatValue
from tock_companion.table.requests import Ticket
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
    """The secret of a seat request."""

    secret: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


@seats.post("/join")
@endpoint(body=Join, answer=Seated, refusal=TableReply)
def join(asked: Join) -> ResponseReturnValue:
    """Sit down on a free seat; its secret goes into a cookie that no script can read."""
    joined = context().table.people.join(asked.name, asked.seat, asked.lang)
    return answer_of(joined.reply) if joined.ticket is None else _seated(joined.ticket)


@seats.post("/join/ask")
@endpoint(body=Join, answer=SeatAsked, refusal=TableReply)
def ask(asked: Join) -> ResponseReturnValue:
    """Ask the holder and the host for a taken seat; the secret that is returned brings the answer."""
    quotas = context().quotas
    quotas.seat_requests.take(request.remote_addr or "")
    quotas.seat_requests_together.take("")
    request_made = context().table.people.ask(asked.name, asked.seat, asked.lang)
    if not request_made.reply.ok:
        return answer_of(request_made.reply)
    return jsonify({"ok": True, "secret": request_made.secret})


@seats.post("/join/hear")
@endpoint(body=Hear, answer=Seated | SeatAnswer)
def hear(asked: Hear) -> ResponseReturnValue:
    """What became of the seat request; after a yes the caller has the seat."""
    heard = context().table.people.hear(asked.secret)
    if heard.ticket is not None:
        return _seated(heard.ticket)
    answer: SeatAnswer = {"ok": heard.waiting, "state": "waiting" if heard.waiting else "refused"}
    return jsonify(answer)


def _seated(ticket: Ticket) -> ResponseReturnValue:
    here, old = context(), secrets_of(request).seat
    if old and here.table.people.holder(old) not in (None, ticket.seat):
        here.table.people.leave(old)
    body: Seated = {"ok": True, "state": "seated", "seat": ticket.seat.name, "name": ticket.name}
    answer = jsonify(body)
    keep_cookie(answer, SEAT_COOKIE, ticket.token)
    return answer


@seats.post("/leave")
@endpoint(answer=Done, refusal=TableReply)
def leave() -> ResponseReturnValue:
    """Stand up: the seat is free for another phone."""
    here, seat, secret = context(), caller().seat, secrets_of(request).seat
    if seat is not None and secret is not None:
        left = here.table.people.leave(secret)
        if not left.ok:
            return answer_of(left)
        here.streams.close_group(seat.name)
    answer = jsonify({"ok": True})
    drop_cookie(answer, SEAT_COOKIE)
    return answer
