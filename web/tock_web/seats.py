"""`/api/v1/join`: sitting down, standing up, and asking for a seat that is taken."""

from collections.abc import Mapping

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.table.requests import Reply, Ticket
from tock_web.context import answer_of, body, caller, context, seat_of, text_of
from tock_web.people import SEAT_COOKIE, drop_cookie, keep_cookie

NAME_LENGTH = 24

seats = Blueprint("seats", __name__, url_prefix="/api/v1")


@seats.post("/join")
def join() -> ResponseReturnValue:
    """Sit down: the seat's secret goes into a cookie that no script can read."""
    name, lang, data = _who()
    ticket = context().table.join(name, seat_of(data), lang)
    return answer_of(ticket) if isinstance(ticket, Reply) else _seated(ticket)


@seats.post("/join/ask")
def ask() -> ResponseReturnValue:
    """Ask the holder and the host for a taken seat; the answer is heard with the secret that is returned."""
    name, lang, data = _who()
    secret = context().table.ask_for_seat(name, seat_of(data), lang)
    return answer_of(secret) if isinstance(secret, Reply) else jsonify({"ok": True, "secret": secret})


@seats.post("/join/hear")
def hear() -> ResponseReturnValue:
    """Hear what became of the wish: `waiting`, `refused`, or one sits down."""
    heard = context().table.hear_of_seat(text_of(body(), "secret", 64))
    if isinstance(heard, Ticket):
        return _seated(heard)
    return jsonify({"ok": heard is None, "state": "waiting" if heard is None else "refused"})


def _who() -> tuple[str, str, Mapping[str, object]]:
    """Return the name and language of who wants to sit down, and all that was sent."""
    data = body()
    name = " ".join(text_of(data, "name").split())[:NAME_LENGTH]
    if not name:
        abort(400, "name is empty")
    return name, "fr" if data.get("lang") == "fr" else "en", data


def _seated(ticket: Ticket) -> ResponseReturnValue:
    here = context()
    old = request.cookies.get(SEAT_COOKIE)
    if old and here.table.holder(old) not in (None, ticket.seat):
        here.table.leave(old)
    answer = jsonify({"ok": True, "state": "seated", "seat": ticket.seat.name, "name": ticket.name})
    keep_cookie(answer, SEAT_COOKIE, ticket.token)
    return answer


@seats.post("/leave")
def leave() -> ResponseReturnValue:
    """Stand up: the seat is free for another phone."""
    here = context()
    person = caller()
    if person.seat is not None:
        here.table.leave(request.cookies[SEAT_COOKIE])
        here.streams.close_group(person.seat.name)
    answer = jsonify({"ok": True})
    drop_cookie(answer, SEAT_COOKIE)
    return answer
