"""The user guide: reached from the menu of every page, also without the internet."""

from mimetypes import guess_type

from flask import Blueprint, Response, abort, redirect
from flask.typing import ResponseReturnValue

from tock_web.routes.pages import language, page

PICTURES_FOR = "public, max-age=3600"

guide = Blueprint("guide", __name__, url_prefix="/guide")


@guide.get("")
def begin() -> ResponseReturnValue:
    """The first chapter."""
    return redirect("/guide/start", 303)


@guide.get("/<name>")
def read(name: str) -> ResponseReturnValue:
    """A chapter in the phone's language."""
    # Its library costs every start some time and memory, and most evenings nobody reads it.
    from tock_web.guide import CHAPTERS, chapter, titles  # noqa: PLC0415

    if name not in CHAPTERS:
        abort(404)
    lang = language()
    return page(
        "guide",
        place=name,
        chapter=chapter(lang, name),
        titles=titles(lang),
    )


@guide.get("/images/<path:path>")
def image(path: str) -> ResponseReturnValue:
    """A picture of the documents."""
    from tock_web.guide import picture, pictures  # noqa: PLC0415

    if path not in pictures():
        abort(404)
    answer = Response(picture(path), mimetype=guess_type(path)[0])
    answer.headers["Cache-Control"] = PICTURES_FOR
    return answer
