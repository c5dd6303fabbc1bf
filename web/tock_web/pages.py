"""The pages themselves: small documents that load the modules which draw views."""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tock_web.address import phone_url
from tock_web.context import caller, context

LANGUAGES = ("fr", "en")
LANGUAGE_COOKIE = "tock_lang"
"""Written by the page when a language is chosen; not a secret."""

pages = Blueprint("pages", __name__)


@cache
def catalog(lang: str) -> Mapping[str, str]:
    """Return the words of the page in a language; the browser reads the same file."""
    text = files("tock_web").joinpath("static", "i18n", f"{lang}.json").read_text(encoding="utf-8")
    words: Mapping[str, str] = json.loads(text)
    return words


@cache
def modules(page_name: str) -> tuple[str, ...]:
    """Return the paths of all modules that a page needs, so that phones ask for them all at once."""
    root = files("tock_web").joinpath("static", "js")
    found = [f"pages/{page_name}.js"]
    # The list grows while it is walked.
    for path in found:
        text = root.joinpath(*path.split("/")).read_text(encoding="utf-8")
        for wanted in re.findall(r'^(?:import|export) .*from "([^"]+)"', text, re.MULTILINE):
            full = normpath(join(dirname(path), wanted))
            if full not in found:
                found.append(full)
    return tuple(f"/static/js/{path}" for path in found)


def language() -> str:
    """Return the language of this phone: chosen, else what its browser asks for, else French."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def page(name: str, **values: str) -> str:
    """Render one page with its words in the phone's language."""
    lang = language()
    return render_template(
        f"{name}.html", page=name, lang=lang, words=catalog(lang), modules=modules(name), **values
    )


@pages.get("/")
def table() -> ResponseReturnValue:
    """The table's own page: who has sat down already goes on to the seat."""
    if caller().seat is not None:
        return redirect("/seat", 303)
    return page("table")


@pages.get("/seat")
def seat() -> ResponseReturnValue:
    """A player's page; without a seat it leads to where one sits down."""
    if caller().seat is None:
        return redirect("/", 303)
    return page("seat")


@pages.get("/watch")
def watch() -> ResponseReturnValue:
    """The board for people who only look on."""
    return page("watch")


@pages.get("/host")
def host() -> ResponseReturnValue:
    """Where a game is started, stopped and mended."""
    return page("host")


@pages.get("/card")
def card() -> ResponseReturnValue:
    """The address for phones, to print and to lay on the table."""
    return page("card", url=phone_url(request.host))


@pages.get("/sim")
def sim() -> ResponseReturnValue:
    """The simulated table; the start page where the table is a real one."""
    if context().table.scene is None:
        return redirect("/", 303)
    return page("sim")
