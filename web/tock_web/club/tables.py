"""The page of a club: all tables on one broker, for a screen in the hall and for every phone."""

from collections.abc import Callable, Iterator, Mapping
from secrets import token_hex
from time import monotonic

from flask import Blueprint, Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.background import News
from tock_companion.boardfile import generate, to_json
from tock_companion.mqtt.club import Club
from tock_companion.views.schema import Heartbeat
from tock_web.answers.devices import BoardDocument
from tock_web.assets import assets, catalog
from tock_web.club.answers import ClubNews, ClubPart, ClubRow
from tock_web.context import CLOSE_STREAMS, STREAMS
from tock_web.routes.pages import document, language
from tock_web.serving.faults import handle_faults, no_room
from tock_web.serving.gate import Media, endpoint
from tock_web.serving.security import HostRule, protect
from tock_web.serving.tock_flask import TockFlask
from tock_web.streams import HEARTBEAT_S, RETRY_MS, Feed, Stream, StreamRegistry, event_text

STREAM_LIMIT = 300
BOARD_SIDE_MM = 400.0


def create_club_app(club: Club, config: Mapping[str, object] | None = None) -> Flask:
    """The app for a club; `config` may hold `HOST_NAMES` and keys of Flask's own."""
    streams = StreamRegistry(STREAM_LIMIT)
    app = hall_app(config, streams, club.stop)
    handle_faults(app)
    app.register_blueprint(assets)
    app.register_blueprint(club_routes(club, streams))

    @app.get("/")
    def tables() -> ResponseReturnValue:
        return club_page("tables")

    return app


def hall_app(config: Mapping[str, object] | None, streams: StreamRegistry, stop: Callable[[], None]) -> Flask:
    """An app without a table, for many screens; closing its streams calls `stop` first."""
    app = TockFlask("tock_web", static_folder=None)
    app.config.update(HOST_NAMES=())
    app.config.update(config or {})
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions[STREAMS] = streams

    def close_streams() -> None:
        stop()
        streams.close_all()

    app.extensions[CLOSE_STREAMS] = close_streams
    protect(app, HostRule.of(app.config["HOST_NAMES"]))
    return app


def club_page(part: ClubPart, **values: object) -> Response:
    """The page of a club, with the part of it that the caller may see."""
    words = {"words": catalog(language()), "part": part}
    return document("club", title=f"club-{part}", bootstrap=words, **values)


def stream_to_anybody(
    streams: StreamRegistry, events: Callable[[Stream], Iterator[str]], news: News, pause_s: float = 0.0
) -> Response:
    """Answer with a stream of public news, or refuse when there are too many."""
    stream = Stream(token_hex(8), "", address=request.remote_addr or "")
    if not streams.admit(stream):
        return no_room()
    return Feed(stream, events(stream), lambda: streams.drop(stream), pause_s, news).response()


def club_routes(club: Club, streams: StreamRegistry) -> Blueprint:
    """The API of a club's page."""
    blueprint = Blueprint("club", __name__, url_prefix="/api/v1/club")
    boards = {zones: to_json(generate(zones, BOARD_SIDE_MM)) for zones in (4, 6, 8)}

    @blueprint.get("")
    @endpoint(answer=ClubNews)
    def now() -> ResponseReturnValue:
        """All tables as the broker reported them."""
        return jsonify(news_of(club))

    @blueprint.get("/boards")
    @endpoint(answer=dict[str, BoardDocument])
    def shapes() -> ResponseReturnValue:
        """A board file for each number of zones."""
        return jsonify(boards)

    @blueprint.get("/events")
    @endpoint(answer=Media(("text/event-stream",), {"club": ClubNews, "hb": Heartbeat}))
    def events() -> ResponseReturnValue:
        """All tables, again whenever one of them changes, as Server-Sent Events."""
        return stream_to_anybody(streams, lambda stream: club_events(club, stream), club.news)

    return blueprint


def news_of(club: Club) -> ClubNews:
    """The broker's report of all tables, as the page draws it."""
    revision, tables = club.tables()
    rows: list[ClubRow] = [
        {"name": table.name, "online": table.online, "view": table.view} for table in tables
    ]
    return {"revision": revision, "broker": club.up, "tables": rows}


def club_events(club: Club, stream: Stream) -> Iterator[str]:
    """Yield all tables whenever something has changed, and heartbeats in between."""
    yield f"retry: {RETRY_MS}\n\n"
    sent_s = monotonic()
    seen: tuple[object, bool] | None = None
    while not (club.closed or stream.closed.is_set()):
        news = news_of(club)
        now = (news["revision"], news["broker"])
        if now != seen:
            seen, sent_s = now, monotonic()
            yield event_text("club", news)
        elif monotonic() - sent_s >= HEARTBEAT_S:
            sent_s = monotonic()
            yield event_text("hb", {"revision": news["revision"]})
        else:
            yield ""
