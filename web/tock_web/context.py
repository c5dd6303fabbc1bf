"""What the routes of one app share."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from flask import Flask, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.errors import BadInputError
from tock_companion.rules import Seat
from tock_companion.table.requests import Reply, Role
from tock_web.door import TableDoor
from tock_web.hint_desk import HintDesk
from tock_web.limits import Guesses
from tock_web.people import SEAT_COOKIE, Caller, HostDesk, caller_of
from tock_web.pin import PinKeeper
from tock_web.streams import StreamDesk

EXTENSION = "tock"
CLOSE_STREAMS = "tock.close-streams"
"""What ends every stream of an app when its server stops."""


@dataclass(slots=True)
class Context:
    """The table behind the page and who is connected to it."""

    table: TableDoor
    streams: StreamDesk
    host_desk: HostDesk
    pin: PinKeeper = field(default_factory=PinKeeper)
    guesses: Guesses = field(default_factory=lambda: Guesses(each=5, together=20, window_s=60))
    """Wrong PINs."""
    strangers: Guesses = field(default_factory=lambda: Guesses(each=60, together=600, window_s=60))
    """Cookies with secrets that are nobody's."""
    hint_desk: HintDesk = field(init=False)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    """Names this run of the companion: revisions are comparable only within one run."""

    def __post_init__(self) -> None:
        """Remember what the host allowed before the companion was started."""
        self.hint_desk = HintDesk(self.table.choices)


def install(app: Flask, context: Context) -> None:
    """Attach the context of an app."""
    app.extensions[EXTENSION] = context
    app.extensions[CLOSE_STREAMS] = context.streams.close_all


def context_of(app: Flask) -> Context:
    """Return the context of an app."""
    return cast(Context, app.extensions[EXTENSION])


def context() -> Context:
    """Return the context of the app that serves the present request."""
    return context_of(current_app)


def caller() -> Caller:
    """Return the rights of the present request; 429 for an address that tries secret after secret."""
    here, address = context(), request.remote_addr or ""
    if here.strangers.wait_s(address):
        abort(429)
    person = caller_of(request, here.table, here.host_desk)
    if person.seat is None and request.cookies.get(SEAT_COOKIE):
        here.strangers.wrong(address)
    return person


def role_argument() -> Role:
    """Return the role that the query asks for; 400 when there is none of that name."""
    try:
        return Role(request.args.get("role", Role.TABLE.value))
    except ValueError:
        abort(400, "role is table, seat, watch or host")


def seat_to_look_for(role: Role) -> Seat | None:
    """Return the seat whose view to show; 401 or 403 when the caller may not look at all."""
    person = caller()
    if not person.may_look(role):
        abort(401 if role is Role.SEAT else 403)
    return person.seat if role is Role.SEAT else None


def body() -> Mapping[str, object]:
    """Return the JSON object that was sent; 400 for anything else."""
    data = request.get_json(silent=True)
    if not isinstance(data, dict):
        abort(400, "send a JSON object")
    return data


def text_of(data: Mapping[str, object], key: str, limit: int = 200) -> str:
    """Return a text of the body; 400 when it is missing or too long."""
    value = data.get(key)
    if not isinstance(value, str) or len(value) > limit:
        abort(400, f"{key} is a text of at most {limit} characters")
    return value


def number_of(data: Mapping[str, object], key: str) -> float:
    """Return a finite number of the body; 400 for anything else."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        abort(400, f"{key} is a number")
    return float(value)


def seat_of(data: Mapping[str, object]) -> Seat:
    """Return the seat named in the body; 400 when there is none of that name."""
    try:
        return Seat.parse(data.get("seat"))
    except BadInputError as error:
        abort(400, str(error))


def answer_of(reply: Reply) -> ResponseReturnValue:
    """Return a reply of the table as JSON: 200 when granted, 409 when not."""
    text: dict[str, object] = {
        "ok": reply.ok,
        "code": reply.code,
        "message": reply.message or {},
        "data": dict(reply.data),
    }
    return jsonify(text), 200 if reply.ok else 409
