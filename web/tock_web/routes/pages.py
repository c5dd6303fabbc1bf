"""The pages themselves: small documents that load the modules which draw views."""

import re

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tock_companion.core.requests import Role
from tock_companion.language import DEFAULT, LANGUAGES
from tock_companion.language import catalog as texts
from tock_web.address import camera_url, phone_url
from tock_web.assets import asset_url, catalog, compressed, script_of, style_of
from tock_web.bootstrap import bootstrap_of
from tock_web.context import caller, context, drop_lost_seat
from tock_web.serving.gate import Who, for_whom

LANGUAGE_COOKIE = "tock_lang"
"""Written by the page when a language is chosen; not a secret."""

INDENTATION = re.compile(r"\n\s+")

pages = Blueprint("pages", __name__)


def language() -> str:
    """The language of this phone: the chosen one, else its browser's preference, else the default."""
    preferred = (request.cookies.get(LANGUAGE_COOKIE), request.accept_languages.best_match(LANGUAGES))
    return next((known for lang in preferred for known in LANGUAGES if lang == known), DEFAULT)


def installed_languages() -> list[dict[str, str]]:
    """Code, own name and usual deck of each language."""
    things = texts("things")
    return [
        {"code": code, "name": things["language.name"][code], "deck": things["language.deck"][code]}
        for code in LANGUAGES
    ]


def page(name: str, role: Role | None = None, **values: object) -> ResponseReturnValue:
    """Render one page of a table in the phone's language, with the newest view of its role."""
    features = [feature.name for feature in context().features]
    answer = document(name, bootstrap=bootstrap_of(language(), role, name), features=features, **values)
    drop_lost_seat(answer)
    return answer


def document(name: str, **values: object) -> Response:
    """Render one page with its words in the phone's language."""
    lang = language()
    known: dict[str, object] = {
        "page": name,
        "lang": lang,
        "words": catalog(lang),
        "languages": installed_languages(),
        "next_language": texts("things")["language.name"][
            LANGUAGES[(LANGUAGES.index(lang) + 1) % len(LANGUAGES)]
        ],
        "style": asset_url(style_of(name)),
        "script": asset_url(script_of(name)),
        "icon": asset_url("icon.svg"),
    }
    text = render_template(f"{name}.html", **(known | values))
    # Indented for readers of the source; phones get it without.
    return compressed(Response(INDENTATION.sub("\n", text), mimetype="text/html"))


@pages.get("/")
def table() -> ResponseReturnValue:
    """The table's own page; somebody who has sat down goes on to the seat."""
    if caller().seat is not None:
        return redirect("/seat", 303)
    return page("table", Role.TABLE)


@pages.get("/table")
def screen() -> ResponseReturnValue:
    """The same for the table's screen, also on a phone that has a seat."""
    return page("table", Role.TABLE)


@pages.get("/seat")
@for_whom(Who.SEATED, else_to="/")
def seat() -> ResponseReturnValue:
    """A player's page; without a seat it leads to the page for sitting down."""
    return page("seat", Role.SEAT)


@pages.get("/watch")
def watch() -> ResponseReturnValue:
    """The board for spectators."""
    return page("watch", Role.WATCH)


@pages.get("/host")
def host() -> ResponseReturnValue:
    """The page where a game is started, stopped and corrected."""
    return page("host", Role.HOST)


@pages.get("/card")
def card() -> ResponseReturnValue:
    """The address for phones, to print and to lay on the table."""
    return page("card", url=phone_url(request.host), catalogs={lang: catalog(lang) for lang in LANGUAGES})


@pages.get("/sim")
def sim() -> ResponseReturnValue:
    """The simulated table; the start page where the table is a real one."""
    if context().table.scene is None:
        return redirect("/", 303)
    return page("sim", Role.TABLE)


@pages.get("/camera")
def camera() -> ResponseReturnValue:
    """Explain that the camera's page needs HTTPS: browsers give their cameras to nothing else."""
    port = context().services.camera_port()
    return redirect(camera_url(request.host, port) if port else "/", 303)
