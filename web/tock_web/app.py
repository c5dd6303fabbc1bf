"""Making the web app of one table."""

from collections.abc import Sequence

from flask import Flask, Response, request

from tock_companion.table.runtime.live import Table
from tock_web.assets import assets
from tock_web.captive_portal import show_the_way
from tock_web.context import Context, context, device, install
from tock_web.feature import Feature
from tock_web.features import FEATURES
from tock_web.limits.bodies import JSON_BYTES
from tock_web.limits.quotas import limit_requests
from tock_web.rights.cookies import HOST_COOKIE, SEAT_COOKIE, keep_cookie, secrets_of
from tock_web.routes.boards import boards
from tock_web.routes.camera import camera
from tock_web.routes.camera_phones import phones
from tock_web.routes.ending import ending
from tock_web.routes.games import games
from tock_web.routes.guide import guide
from tock_web.routes.hints import hints
from tock_web.routes.home_screen import home_screen
from tock_web.routes.hosting import hosting
from tock_web.routes.live import live
from tock_web.routes.machine import machine, metrics
from tock_web.routes.own_games import own_games
from tock_web.routes.pages import pages
from tock_web.routes.photo import photo
from tock_web.routes.practice import practice
from tock_web.routes.rulebook import rulebook
from tock_web.routes.seats import seats
from tock_web.routes.sim import sim
from tock_web.routes.update import update
from tock_web.routes.voice import voice
from tock_web.routes.wifi import notice_phones, wifi
from tock_web.services import PageServices
from tock_web.serving.faults import handle_faults
from tock_web.serving.security import HostRule, protect
from tock_web.serving.tock_flask import TockFlask
from tock_web.streams import StreamRegistry

STREAM_LIMIT = 300
PAGE_BLUEPRINTS = (
    assets, pages, home_screen, live, seats, games, hosting, machine, wifi, update, boards, camera, sim, rulebook,
    own_games, practice, hints, guide, ending, voice, phones, photo,
)  # fmt: skip
BLUEPRINTS = (*PAGE_BLUEPRINTS, *(blueprint for feature in FEATURES for blueprint in feature.blueprints))


def create_app(
    table: Table,
    services: PageServices | None = None,
    features: Sequence[Feature] = FEATURES,
    *,
    stream_limit: int = STREAM_LIMIT,
) -> Flask:
    """Build the app for a table; `services` holds its optional parts."""
    services = services or PageServices()
    app = TockFlask(__name__, static_folder=None)
    app.jinja_env.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    app.config.update(MAX_CONTENT_LENGTH=JSON_BYTES)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    streams = StreamRegistry(stream_limit)
    install(app, Context(table, streams, services, features))
    # Before the host names are checked: phones probe under the names of others.
    show_the_way(app)
    protect(app, HostRule.of(services.host_names), table.note_network)
    notice_phones(app, services.helper)
    limit_requests(app, lambda: context().quotas, device)
    renew_secrets(app)
    of_features = (blueprint for feature in features for blueprint in feature.blueprints)
    for blueprint in (*PAGE_BLUEPRINTS, *of_features):
        app.register_blueprint(blueprint)
    if services.metrics is not None:
        app.register_blueprint(metrics(services.metrics(streams.__len__)))
    handle_faults(app)
    return app


def renew_secrets(app: Flask) -> None:
    """Replace every secret in use once it is old; never on a GET, which changes nothing."""

    @app.after_request
    def renew(response: Response) -> Response:
        if request.method != "POST" or response.status_code >= 400 or "Set-Cookie" in response.headers:
            return response
        here, known = context(), secrets_of(request)
        if known.is_program:
            return response
        if known.seat is not None:
            ticket = here.table.people.renew(known.seat, known.device)
            if ticket is not None:
                keep_cookie(response, SEAT_COOKIE, ticket.token)
        token = here.host_rights.renew(known)
        if token is not None:
            keep_cookie(response, HOST_COOKIE, token)
        return response
