"""The relay's Flask app: rights of tables and rooms, and the page of far phones."""

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from flask import Blueprint, Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field, ValidationError
from werkzeug.exceptions import HTTPException

from tock_companion import __version__, strict_json
from tock_companion.far.link import FORM, NAME, NAME_BYTES, base64url
from tock_companion.schema import Schema
from tock_companion.views.phrases import phrase
from tock_web.assets import assets
from tock_web.relay.keys import RelayKey
from tock_web.relay.limits import Guards, Limits
from tock_web.relay.notes import MAX_PASSWORD_CHARS, RoomNote, digest_of
from tock_web.relay.page import far_page
from tock_web.relay.rights import MAX_ROOM_S, BrokerAwayError, Rights, TakenError
from tock_web.serving.security import SEALS
from tock_web.serving.tock_flask import TockFlask

LOG = logging.getLogger(__name__)
BASE = "/relay/v1"
SLACK_S = 60
"""Clocks of a home and a relay differ a little."""
Model = TypeVar("Model", bound=Schema)


class NewTable(Schema):
    """The wish for a table."""

    form: int


class NewRoom(Schema):
    """The wish for a room of a table."""

    room: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}$")]
    password: Annotated[str, Field(min_length=22, max_length=MAX_PASSWORD_CHARS, pattern=r"^[A-Za-z0-9_-]+$")]
    until: Annotated[int, Field(ge=0, le=2**40)]


class RefusedError(Exception):
    """A refusal, with its status."""

    def __init__(self, status: int, code: str, wait_s: int = 0) -> None:
        self.status, self.code, self.wait_s = status, code, wait_s
        super().__init__(code)


def create_relay_app(
    rights: Rights,
    key: RelayKey,
    pages: Sequence[Blueprint] = (far_page,),
    limits: Limits | None = None,
    clock_s: Callable[[], float] = time.time,
) -> Flask:
    """The app of a relay; `pages` are those of far phones."""
    app = TockFlask("tock_web", static_folder=None)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    guards = Guards(limits or Limits())
    for blueprint in (assets, *pages, _tables(key, guards), _rooms(rights, key, guards, clock_s)):
        app.register_blueprint(blueprint)
    _handle_refusals(app)

    @app.after_request
    def complete(answer: Response) -> Response:
        for name, value in SEALS:
            answer.headers.setdefault(name, value)
        answer.headers.setdefault("Cache-Control", "no-store")
        answer.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        return answer

    return app


def _tables(key: RelayKey, guards: Guards) -> Blueprint:
    """The routes that open tables, and the one that says which form they have."""
    blueprint = Blueprint("tables", __name__, url_prefix=BASE)

    @blueprint.get("/about")
    def about() -> ResponseReturnValue:
        """The version."""
        return jsonify({"form": FORM, "version": __version__})

    @blueprint.post("/tables")
    def tables() -> ResponseReturnValue:
        """A new table, of which nothing is kept: its password follows from its name."""
        if _body(NewTable).form != FORM:
            raise RefusedError(409, "form")
        if request.authorization is not None:
            table, status = _table(key, guards), 200
        else:
            wait_s = guards.tables.take(_source())
            if wait_s:
                raise RefusedError(429, "many_tables", wait_s)
            table, status = base64url(secrets.token_bytes(NAME_BYTES)), 201
        return jsonify({"table": table, "password": key.table_password(table)}), status

    return blueprint


def _rooms(rights: Rights, key: RelayKey, guards: Guards, clock_s: Callable[[], float]) -> Blueprint:
    """The routes that open the rooms of a table and end them."""
    blueprint = Blueprint("rooms", __name__, url_prefix=BASE)

    @blueprint.post("/rooms")
    def rooms() -> ResponseReturnValue:
        """A room of a table, until a time."""
        table, wish = _table(key, guards), _body(NewRoom)
        if not clock_s() < wish.until <= clock_s() + MAX_ROOM_S + SLACK_S:
            raise RefusedError(409, "until")
        wait_s = 0 if rights.is_open(wish.room) else guards.rooms.take(_source())
        if wait_s:
            raise RefusedError(429, "many_rooms", wait_s)
        rights.open_room(RoomNote(table, wish.room, wish.until, digest_of(wish.password)))
        return jsonify({"room": wish.room, "until": wish.until}), 201

    @blueprint.delete("/rooms/<room>")
    def revoke(room: str) -> ResponseReturnValue:
        """The end of a room: its guest is cut off."""
        table = _table(key, guards)
        if not NAME.fullmatch(room) or not rights.close_room(table, room):
            raise RefusedError(404, "unknown")
        return jsonify({"room": room})

    return blueprint


def _table(key: RelayKey, guards: Guards) -> str:
    """The table whose password was given; raises RefusedError."""
    given = request.authorization
    source = _source()
    wait_s = guards.passwords.take(source)
    if wait_s:
        raise RefusedError(429, "many_tries", wait_s)
    name, password = (
        (given.username or "", given.password or "") if given and given.type == "basic" else ("", "")
    )
    if not key.is_table(name, password):
        raise RefusedError(401, "password")
    guards.passwords.forgive(source)
    return name


def _source() -> str:
    return request.remote_addr or ""


def _body(model: type[Model]) -> Model:
    """The JSON of a request; raises RefusedError."""
    try:
        strict_json.decode(request.get_data())
        return model.model_validate_json(request.get_data())
    except (ValidationError, ValueError):
        raise RefusedError(400, "input") from None


def _handle_refusals(app: Flask) -> None:
    @app.errorhandler(RefusedError)
    def refused(error: RefusedError) -> Response:
        return _refusal(error.status, error.code, error.wait_s)

    @app.errorhandler(TakenError)
    def taken(_error: TakenError) -> Response:
        return _refusal(409, "taken")

    @app.errorhandler(BrokerAwayError)
    def away(_error: BrokerAwayError) -> Response:
        return _refusal(503, "broker", 5)

    @app.errorhandler(HTTPException)
    def others(error: HTTPException) -> Any:
        if error.code is None or error.code < 400:
            return error.get_response()
        return _refusal(error.code, "unknown" if error.code == 404 else "input")


def _refusal(status: int, code: str, wait_s: int = 0) -> Response:
    answer = jsonify({"error": code, "message": phrase(f"relay/{code}")})
    answer.status_code = status
    if wait_s:
        answer.headers["Retry-After"] = str(wait_s)
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Basic realm="table"'
    return answer
