"""The page of a club: all tables on one broker, for a screen in the hall and for every phone."""

from collections.abc import Iterator, Mapping
from typing import cast

from flask import Flask, Response, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.boardfile import generate, to_json
from tock_companion.mqtt.club import Club, ClubTable
from tock_companion.views.schema import Heartbeat
from tock_web.answers.devices import BoardDocument, ClubNews, ClubRow, ClubView
from tock_web.assets import assets, catalog
from tock_web.context import CLOSE_STREAMS
from tock_web.faults import TockFlask, handle_faults
from tock_web.gate import Media, endpoint
from tock_web.routes.pages import document, language
from tock_web.security import HostRule, protect
from tock_web.streams import RETRY_MS, event_text

THREADS = 64
WAIT_S = 0.5
QUIET_ROUNDS = 20
"""A heartbeat is sent after this many waits without news."""
BOARD_SIDE_MM = 400.0
SHOWN = ("seats", "to_move", "sentence", "holes", "warning", "game", "board", "last_move")
"""The parts of a table's public view that the page draws."""


def create_club_app(club: Club, config: Mapping[str, object] | None = None) -> Flask:
    """The app for a club; `config` may hold `HOST_NAMES` and keys of Flask's own."""
    app = TockFlask(__name__, static_folder=None)
    app.config.update(THREADS=THREADS, HOST_NAMES=())
    app.config.update(config or {})
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions[CLOSE_STREAMS] = club.stop
    protect(app, HostRule.of(app.config["HOST_NAMES"]))
    handle_faults(app)
    app.register_blueprint(assets)
    boards = {zones: to_json(generate(zones, BOARD_SIDE_MM)) for zones in (4, 6, 8)}

    @app.get("/")
    def tables() -> ResponseReturnValue:
        return document("club", bootstrap={"words": catalog(language())})

    @app.get("/api/v1/club")
    @endpoint(answer=ClubNews)
    def now() -> ResponseReturnValue:
        """All tables as the broker reported them."""
        return jsonify(news_of(club))

    @app.get("/api/v1/club/boards")
    @endpoint(answer=dict[str, BoardDocument])
    def shapes() -> ResponseReturnValue:
        """A board file for each number of zones."""
        return jsonify(boards)

    @app.get("/api/v1/club/events")
    @endpoint(answer=Media(("text/event-stream",), {"club": ClubNews, "hb": Heartbeat}))
    def events() -> ResponseReturnValue:
        """All tables, again whenever one of them changes, as Server-Sent Events."""
        return Response(stream(club), mimetype="text/event-stream")

    return app


def news_of(club: Club) -> ClubNews:
    """What the broker reported of all tables, as the page draws it."""
    revision, tables = club.tables()
    return {"revision": revision, "broker": club.up, "tables": [_row(table) for table in tables]}


def _row(table: ClubTable) -> ClubRow:
    view = {key: table.view[key] for key in SHOWN if key in table.view}
    return {"name": table.name, "online": table.online, "view": cast(ClubView, view) or None}


def stream(club: Club) -> Iterator[str]:
    """Yield all tables whenever something has changed, and a heartbeat now and then while nothing does."""
    yield f"retry: {RETRY_MS}\n\n"
    quiet = 0
    seen: tuple[object, bool] | None = None
    while not club.closed:
        news = news_of(club)
        now = (news["revision"], news["broker"])
        if now != seen:
            seen, quiet = now, 0
            yield event_text("club", news)
        elif (quiet := quiet + 1) >= QUIET_ROUNDS:
            quiet = 0
            yield event_text("hb", {"revision": news["revision"]})
        club.wait(news["revision"], WAIT_S)
