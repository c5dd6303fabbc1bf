"""The page of far phones: the player's page of this version behind a door of its own.

It is the same for everybody and knows of no table: the secret of a link stands behind `#`, which browsers send nobody.
"""

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue

from tock_companion import __version__
from tock_companion.core.requests import Role
from tock_companion.views.schema import VIEW_FORM
from tock_web.assets import asset_url, script_of
from tock_web.bootstrap import words_of
from tock_web.far.invitations import FAR
from tock_web.features import FEATURES
from tock_web.routes.pages import document, language
from tock_web.serving.security import CONTENT_SECURITY_POLICY

SHEETS = ("players", "history", "rules", "words", "settings", "leave")
"""Of the menu: a guest elsewhere invites nobody into this network."""

far_page = Blueprint("far_page", __name__)


@far_page.get("/")
def start() -> ResponseReturnValue:
    """Lead to the page, which goes on with the phone's newest link: the player's page knows no other start."""
    return redirect("/far", 303)


@far_page.get("/far")
def far() -> ResponseReturnValue:
    """The page of a far phone."""
    return _document("far", Role.SEAT)


@far_page.get("/far/watch")
def watch() -> ResponseReturnValue:
    """The page of somebody far away who only looks on."""
    return _document("far_watch", Role.WATCH)


def _document(name: str, role: Role) -> Response:
    bootstrap = {
        "words": words_of(language(), role, FAR.name, FEATURES),
        "far": {"version": __version__, "views": VIEW_FORM},
    }
    behind, script = role.value, asset_url(script_of("far"))
    return document(name, page=behind, line=FAR.name, script=script, own_sheets=SHEETS, bootstrap=bootstrap)


@far_page.after_request
def let_it_connect(answer: Response) -> Response:
    """Name the broker's door beside this page: older browsers do not count it as the page's own."""
    scheme = "wss" if request.is_secure else "ws"
    own = f"connect-src 'self' {scheme}://{request.host}"
    answer.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.replace("connect-src 'self'", own)
    return answer
