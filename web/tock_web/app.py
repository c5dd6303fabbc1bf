"""Making the web app of one table."""

from collections.abc import Mapping

from flask import Flask

from tock_companion.table.live import Table
from tock_web.assets import assets
from tock_web.context import Context, context, device, install
from tock_web.faults import handle_faults
from tock_web.gate import BODY_LIMIT_BYTES
from tock_web.people import HostSession
from tock_web.pin import PinKeeper
from tock_web.portal import show_the_way
from tock_web.quotas import limit_requests
from tock_web.renewal import renew_secrets
from tock_web.routes.board_maker import board_maker
from tock_web.routes.boards import boards
from tock_web.routes.camera import camera
from tock_web.routes.ending import ending
from tock_web.routes.games import games
from tock_web.routes.guide import guide
from tock_web.routes.hints import hints
from tock_web.routes.hosting import hosting
from tock_web.routes.live import live
from tock_web.routes.machine import machine, metrics
from tock_web.routes.membership import membership
from tock_web.routes.pages import pages
from tock_web.routes.phones import phones
from tock_web.routes.photo import ReadPhoto, photo
from tock_web.routes.rulebook import rulebook
from tock_web.routes.seats import seats
from tock_web.routes.sim import sim
from tock_web.routes.update import update
from tock_web.routes.voice import voice
from tock_web.routes.wifi import notice_phones, wifi
from tock_web.security import HostRule, protect
from tock_web.streams import StreamRegistry
from tock_web.tock_flask import TockFlask

THREADS = 36
"""Threads of the server at the start; each open stream adds one."""
STREAM_LIMIT = 300
BLUEPRINTS = (
    assets, pages, live, seats, games, hosting, machine, wifi, update, boards, board_maker, camera, sim, rulebook,
    hints, guide, ending, voice, phones, membership,
)  # fmt: skip


def create_app(
    table: Table, config: Mapping[str, object] | None = None, read_cards: ReadPhoto | None = None
) -> Flask:
    """The app for a table; `read_cards` reads photos of hands, without it phones offer none.

    `config` may hold `HOST_NAMES` (more names to answer to), `THREADS` of the server, `STREAM_LIMIT`, `METRICS` (given
    what counts the open streams it returns what makes the text of `/metrics`), `DATA` (the folder that keeps the PIN),
    `SHUTDOWN` (ends the companion), `RESTART` (the same where it is started again), `MACHINE` (settings and diagnosis),
    `BOARDS` (boards to choose from), `HOST_SESSION` (who was the host before the board was changed), `VOICE` (speaks
    aloud), `HELPER` (does what only the superuser may), `CAMERA_PORT` (tells the port of the camera's page),
    `PHONE_PLACES` (makes places for phones), `CLUB` (joins the club of a broker), and keys of Flask's own.
    """
    app = TockFlask(__name__, static_folder=None)
    app.jinja_env.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    app.config.update(
        MAX_CONTENT_LENGTH=BODY_LIMIT_BYTES, THREADS=THREADS, STREAM_LIMIT=STREAM_LIMIT, HOST_NAMES=()
    )
    app.config.update(config or {})
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    streams = StreamRegistry(int(app.config["STREAM_LIMIT"]))
    host = app.config.get("HOST_SESSION") or HostSession()
    install(app, Context(table, streams, host, PinKeeper(app.config.get("DATA"))))
    # Before the names are checked: phones ask in the names of others.
    show_the_way(app)
    protect(app, HostRule.of(app.config["HOST_NAMES"]))
    notice_phones(app, app.config.get("HELPER"))
    limit_requests(app, lambda: context().quotas, device)
    renew_secrets(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.config["PHOTOS"] = read_cards is not None
    if read_cards is not None:
        app.register_blueprint(photo(read_cards))
    if app.config.get("METRICS") is not None:
        app.register_blueprint(metrics(app.config["METRICS"](streams.__len__)))
    handle_faults(app)
    return app
