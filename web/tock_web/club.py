"""The page of a club: all tables on one broker, for a screen in the hall and for every phone."""

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Flask, Response, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.boardfile import generate, to_json
from tock_companion.mqtt.club import Club, ClubTable
from tock_web.assets import assets, catalog
from tock_web.context import CLOSE_STREAMS
from tock_web.pages import document, language
from tock_web.security import HostRule, protect
from tock_web.streams import RETRY_MS, event_text

THREADS = 64
WAIT_S = 0.5
QUIET_ROUNDS = 20
"""A sign of life after so many waits without news."""
BOARD_SIDE_MM = 400.0
SHOWN = ("seats", "to_move", "sentence", "holes", "warning", "game", "board", "last_move")
"""What of a table's public view the page draws."""


def create_club_app(club: Club, config: Mapping[str, object] | None = None) -> Flask:
    """Return the app for a club; `config` may hold `HOST_NAMES` and keys of Flask's own."""
    app = Flask(__name__, static_folder=None)
    app.config.update(THREADS=THREADS, HOST_NAMES=())
    app.config.update(config or {})
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions[CLOSE_STREAMS] = club.stop
    protect(app, HostRule.of(app.config["HOST_NAMES"]))
    app.register_blueprint(assets)
    boards = {zones: to_json(generate(zones, BOARD_SIDE_MM)) for zones in (4, 6, 8)}

    @app.get("/")
    def tables() -> ResponseReturnValue:
        return document("club", given={"words": catalog(language())})

    @app.get("/api/v1/club")
    def now() -> ResponseReturnValue:
        return jsonify(told(club))

    @app.get("/api/v1/club/boards")
    def shapes() -> ResponseReturnValue:
        return jsonify(boards)

    @app.get("/api/v1/club/events")
    def events() -> ResponseReturnValue:
        return Response(stream(club), mimetype="text/event-stream")

    return app


def told(club: Club) -> dict[str, object]:
    """Return what the broker told of all tables, as the page draws it."""
    revision, tables = club.tables()
    return {"revision": revision, "broker": club.up, "tables": [_table(table) for table in tables]}


def _table(table: ClubTable) -> dict[str, Any]:
    view = {key: table.view[key] for key in SHOWN if key in table.view}
    return {"name": table.name, "online": table.online, "view": view or None}


def stream(club: Club) -> Iterator[str]:
    """Yield everything anew whenever something changed, and a sign of life in silence."""
    yield f"retry: {RETRY_MS}\n\n"
    quiet = 0
    seen: tuple[object, bool] | None = None
    while not club.closed:
        news = told(club)
        now = (news["revision"], bool(news["broker"]))
        if now != seen:
            seen, quiet = now, 0
            yield event_text("club", news)
        elif (quiet := quiet + 1) >= QUIET_ROUNDS:
            quiet = 0
            yield event_text("hb", {"revision": news["revision"]})
        club.wait(int(str(news["revision"])), WAIT_S)
