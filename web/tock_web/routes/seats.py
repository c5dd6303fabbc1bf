"""`/api/v1/join`: sitting down, standing up, and asking for a seat that is taken."""

from typing import Annotated

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.fields import Flag, Number, PersonName, SeatValue
from tock_companion.core.requests import Ticket
from tock_companion.language import TERMINAL, Language
from tock_companion.schema import Schema
from tock_web.answers.people import Done, SeatAnswer, SeatAsked, Seated, TableReply
from tock_web.context import answer_of, caller, context, is_remote
from tock_web.rights.cookies import (
    DEVICE_COOKIE,
    SEAT_COOKIE,
    device_secret,
    drop_cookie,
    keep_cookie,
    secrets_of,
)
from tock_web.serving.gate import endpoint

seats = Blueprint("seats", __name__, url_prefix="/api/v1")


class Join(Schema):
    """The name of a person and the seat they want."""

    name: PersonName
    seat: SeatValue
    lang: Language = TERMINAL
    anyway: Flag = False
    """Although the seat is kept for another person."""


class Hear(Schema):
    """The secret of a seat request."""

    secret: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


class Shown(Schema):
    """Whether to show one's cards to the person who sits there now."""

    number: Number
    yes: Flag


@seats.post("/join")
@endpoint(body=Join, answer=Seated, refusal=TableReply)
def join(asked: Join) -> ResponseReturnValue:
    """Sit down on a free seat; its secret goes into a cookie that no script can read."""
    context().quotas.comings.take(request.remote_addr or "")
    device = device_secret(request)
    here = context()
    leaves = secrets_of(request).seat
    joined = here.table.people.join(
        asked.name, asked.seat, asked.lang, device, leaves, anyway=asked.anyway and not is_remote()
    )
    return answer_of(joined.reply) if joined.ticket is None else _seated(joined.ticket, device)


@seats.post("/join/ask")
@endpoint(body=Join, answer=SeatAsked, refusal=TableReply)
def ask(asked: Join) -> ResponseReturnValue:
    """Ask the holder and the host for a taken seat; the secret in the answer lets this device fetch the decision."""
    address, device = request.remote_addr or "", device_secret(request)
    context().quotas.seat_requests.take(address)
    request_made = context().table.people.ask(asked.name, asked.seat, asked.lang, device, address)
    if not request_made.reply.ok:
        return answer_of(request_made.reply)
    answer = jsonify({"ok": True, "secret": request_made.secret})
    keep_cookie(answer, DEVICE_COOKIE, device)
    return answer


@seats.post("/join/hear")
@endpoint(body=Hear, answer=Seated | SeatAnswer)
def hear(asked: Hear) -> ResponseReturnValue:
    """The decision on the seat request; after a yes the caller has the seat."""
    device = secrets_of(request).device
    outcome = context().table.people.hear(asked.secret, device, secrets_of(request).seat)
    if outcome.ticket is not None:
        return _seated(outcome.ticket, device)
    answer: SeatAnswer = {"ok": outcome.waiting, "state": "waiting" if outcome.waiting else "refused"}
    return jsonify(answer)


@seats.post("/join/show")
@endpoint(body=Shown, answer=TableReply, refusal=TableReply)
def show(asked: Shown) -> ResponseReturnValue:
    """Decide whether the person on one's former seat may see the cards entered there."""
    device = secrets_of(request).device
    return answer_of(context().table.people.show_cards(device, asked.number, asked.yes))


def _seated(ticket: Ticket, device: str) -> ResponseReturnValue:
    if not (is_remote() or secrets_of(request).is_program):
        context().host_rights.sat_down(ticket.seat, secrets_of(request), device)
    body: Seated = {"ok": True, "state": "seated", "seat": ticket.seat.name, "name": ticket.name}
    answer = jsonify(body)
    if not secrets_of(request).is_program:
        keep_cookie(answer, SEAT_COOKIE, ticket.token)
        keep_cookie(answer, DEVICE_COOKIE, device)
    return answer


@seats.post("/leave")
@endpoint(answer=Done, refusal=TableReply, ends=True)
def leave() -> ResponseReturnValue:
    """Stand up and free the seat for another phone."""
    context().quotas.comings.take(request.remote_addr or "")
    here, seat, known = context(), caller().seat, secrets_of(request)
    if seat is not None and known.seat is not None:
        left = here.table.people.leave(known.seat, known.device)
        if not left.ok:
            return answer_of(left)
        here.streams.close_group(seat.name)
    answer = jsonify({"ok": True})
    drop_cookie(answer, SEAT_COOKIE)
    return answer
