"""Making the web app of one table."""

from collections.abc import Mapping

from flask import Flask, jsonify
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from tock_companion.errors import TockError
from tock_web.api import api
from tock_web.assets import assets
from tock_web.camera import camera
from tock_web.context import Context, install
from tock_web.door import TableDoor
from tock_web.evidence import evidence
from tock_web.games import games
from tock_web.hints import hints
from tock_web.hosting import hosting
from tock_web.machine import machine
from tock_web.metrics import metrics
from tock_web.pages import pages
from tock_web.people import HostDesk
from tock_web.photo import ReadPhoto, photo
from tock_web.pin import PinKeeper
from tock_web.rulebook import rulebook
from tock_web.seats import seats
from tock_web.security import HostRule, protect
from tock_web.sim import sim
from tock_web.streams import StreamDesk

THREADS = 32
"""Threads of the server at the start; each open stream adds one."""
STREAM_LIMIT = 300
BODY_LIMIT_BYTES = 64 * 1024


def create_app(
    table: TableDoor, config: Mapping[str, object] | None = None, read_cards: ReadPhoto | None = None
) -> Flask:
    """Return the app for a table; `read_cards` reads photos of hands, without it phones offer none.

    `config` may hold `HOST_NAMES` (more names to answer to), `THREADS` of the server, `STREAM_LIMIT`, `METRICS` (given
    what counts the open streams it returns what makes the text of `/metrics`), `DATA` (the folder that keeps the PIN),
    `SHUTDOWN` (ends the companion), `RESTART` (the same where it is started again), `MACHINE` (settings and diagnosis),
    and keys of Flask's own.
    """
    app = Flask(__name__, static_folder=None)
    app.config.update(
        MAX_CONTENT_LENGTH=BODY_LIMIT_BYTES, THREADS=THREADS, STREAM_LIMIT=STREAM_LIMIT, HOST_NAMES=()
    )
    app.config.update(config or {})
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    streams = StreamDesk(int(app.config["STREAM_LIMIT"]))
    install(app, Context(table, streams, HostDesk(), PinKeeper(app.config.get("DATA"))))
    protect(app, HostRule.of(app.config["HOST_NAMES"]))
    app.register_blueprint(assets)
    app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(seats)
    app.register_blueprint(games)
    app.register_blueprint(hosting)
    app.register_blueprint(evidence)
    app.register_blueprint(machine)
    app.register_blueprint(camera)
    app.register_blueprint(sim)
    app.register_blueprint(rulebook)
    app.register_blueprint(hints)
    app.config["PHOTOS"] = read_cards is not None
    if read_cards is not None:
        app.register_blueprint(photo(read_cards))
    if app.config.get("METRICS") is not None:
        app.register_blueprint(metrics(app.config["METRICS"](streams.__len__)))
    app.register_error_handler(HTTPException, explain)
    app.register_error_handler(TockError, refuse)
    app.register_error_handler(TimeoutError, too_slow)
    return app


def explain(error: HTTPException) -> ResponseReturnValue:
    """Answer a refused request in a form that scripts and the page can read, without details of the inside."""
    response = error.get_response()
    if error.code is None or error.code < 400:
        return response
    answer = jsonify({"ok": False, "code": f"http/{error.code}", "error": error.description})
    return answer, error.code


def refuse(error: Exception) -> ResponseReturnValue:
    """Answer what the table cannot do, for example the view of a seat that does not play."""
    return jsonify({"ok": False, "code": "table/refused", "error": str(error)}), 409


def too_slow(_error: Exception) -> ResponseReturnValue:
    """Answer while the table is busy for longer than anybody waits."""
    return jsonify({"ok": False, "code": "table/busy", "error": "the table is busy"}), 503
