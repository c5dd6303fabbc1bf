"""The pages of a club's desk: the hall's screen, the director's, and that of a table without sensors."""

from collections.abc import Iterator, Mapping
from time import monotonic
from typing import cast

from flask import Blueprint, Flask, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.club.desk import Desk
from tock_companion.club.views import HallView, StandingsView, TablesView, hall_view, standings_view
from tock_companion.views.schema import Heartbeat
from tock_web.address import phone_url
from tock_web.assets import assets
from tock_web.club.access import CARD, DESK, DIRECTOR, DeskAccess, access
from tock_web.club.director import director
from tock_web.club.hall_events import NOTHING, HallEvents
from tock_web.club.result_sheet import sheet
from tock_web.club.tables import club_page, hall_app, stream_to_anybody
from tock_web.limits.quotas import Quotas, limit_requests
from tock_web.qr import qr_data
from tock_web.serving.faults import handle_faults
from tock_web.serving.gate import Media, endpoint, for_whom
from tock_web.streams import HEARTBEAT_S, RETRY_MS, Stream, StreamRegistry, event_text

AT_A_DESK = ("guest", CARD.party, DIRECTOR.party)
STREAM_LIMIT = 1000
PAUSE_S = 0.1
"""At the end of a round results come in bursts: a screen is updated ten times a second at most."""


def create_desk_app(desk: Desk, config: Mapping[str, object] | None = None) -> Flask:
    """The app for a desk; `config` may hold `HOST_NAMES` and keys of Flask's own."""
    streams, quotas = StreamRegistry(STREAM_LIMIT), Quotas()
    app = hall_app(config, streams, desk.stop)
    app.extensions[DESK] = DeskAccess(desk)
    # A whole club may share one address, so strangers may be as many as phones in the hall.
    limit_requests(app, lambda: quotas, lambda: None)
    handle_faults(app)
    for blueprint in (assets, *desk_blueprints(HallEvents(desk), streams)):
        app.register_blueprint(blueprint)
    add_pages(app)
    return app


def director_pin(app: Flask) -> str:
    """The code that the director's page asks for."""
    return cast(DeskAccess, app.extensions[DESK]).pin


def add_pages(app: Flask) -> None:
    """The parts of a club's page that a desk has."""

    @app.get("/")
    def hall() -> ResponseReturnValue:
        url = phone_url(request.host)
        return club_page("hall", url=url, qr=qr_data(url))

    @app.get("/director")
    def director_page() -> ResponseReturnValue:
        return club_page("director")

    @app.get("/sheet")
    def sheet_page() -> ResponseReturnValue:
        return club_page("sheet")

    @app.get("/cards")
    @for_whom(DIRECTOR, else_to="/director")
    def cards() -> ResponseReturnValue:
        base = phone_url(request.host)
        found = [
            {
                "table": card.key.table,
                "side": card.side + 1,
                "code": card.code,
                "qr": qr_data(f"{base}sheet#{card.code}"),
            }
            for card in access().cards()
        ]
        return club_page("cards", cards=found)


def desk_blueprints(
    texts: HallEvents | None = None, streams: StreamRegistry | None = None
) -> tuple[Blueprint, ...]:
    """The API of a desk; without one, only to be described."""
    # An empty registry is false, hence the explicit name.
    registry = StreamRegistry(1) if streams is None else streams
    return hall_routes(cast(HallEvents, texts), registry), director, sheet


def hall_routes(texts: HallEvents, streams: StreamRegistry) -> Blueprint:
    """The public requests of the hall."""
    blueprint = Blueprint("desk", __name__, url_prefix="/api/v1/desk")

    @blueprint.get("/hall")
    @endpoint(answer=HallView)
    def hall() -> ResponseReturnValue:
        """The present round of the club's tournament."""
        return jsonify(hall_view(texts.desk))

    @blueprint.get("/standings")
    @endpoint(answer=StandingsView)
    def standings() -> ResponseReturnValue:
        """Everybody, best first."""
        return jsonify(standings_view(texts.desk.state.tournament))

    @blueprint.get("/events")
    @endpoint(
        answer=Media(
            ("text/event-stream",),
            {"hall": HallView, "tables": TablesView, "standings": StandingsView, "hb": Heartbeat},
        )
    )
    def events() -> ResponseReturnValue:
        """Round and standings, again whenever they change, as Server-Sent Events."""
        return stream_to_anybody(streams, lambda stream: hall_events(texts, stream), texts.desk.news, PAUSE_S)

    return blueprint


def hall_events(texts: HallEvents, stream: Stream) -> Iterator[str]:
    """Yield changes, and heartbeats in between."""
    yield f"retry: {RETRY_MS}\n\n"
    desk = texts.desk
    seen, shown, sent_s = NOTHING, "", monotonic()
    while not (desk.closed or stream.closed.is_set()):
        revision, text = texts.hall(seen)
        if revision != seen:
            seen, sent_s = revision, monotonic()
            yield text
        standings = texts.standings()
        if standings != shown:
            shown, sent_s = standings, monotonic()
            yield standings
        if monotonic() - sent_s >= HEARTBEAT_S:
            sent_s = monotonic()
            yield event_text("hb", {"revision": revision})
        yield ""
