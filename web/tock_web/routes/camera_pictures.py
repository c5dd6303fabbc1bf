"""`/camera` and `/api/v1/phone`, over HTTPS alone: a phone asks to be a camera, then sends its pictures."""

import re
from typing import Annotated

from flask import Blueprint, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from pydantic import BeforeValidator, Field

from tock_companion.errors import BadInputError
from tock_companion.schema import Schema
from tock_companion.sources.feed import Sight
from tock_companion.views.phrases import phrase
from tock_web.answers.people import Refusal
from tock_web.answers.phones import PhoneAsked, PictureSeen
from tock_web.assets import catalog
from tock_web.camera_phones import PhoneKind, PictureTimeError, new_secret
from tock_web.context import context
from tock_web.rights.cookies import COOKIE_AGE_S
from tock_web.routes.pages import document, language
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Media, Who, endpoint

CAMERA_COOKIE = "__Host-tock_camera"
"""The prefix keeps it to HTTPS: the page over plain HTTP can neither read nor set it."""
COOKIE_AGE = 52 * COOKIE_AGE_S
MAX_PICTURE_BYTES = 2_000_000
JPEG = Media(("image/jpeg",))
OF_CAMERAS = ("about", "camera-page.", "connection.", "language", "title.camera")
"""Prefixes of the words that the page uses."""
WAITING = Sight("camera/waiting")
KINDS: tuple[PhoneKind, ...] = ("iPhone", "iPad", "Android")
_SECRET = re.compile("[0-9a-f]{32}")
_DIGITS = re.compile("[0-9]{1,15}")

phone = Blueprint("phone", __name__)


def _number(text: object) -> object:
    return int(text) if isinstance(text, str) and _DIGITS.fullmatch(text) else text


class Taken(Schema):
    """Time of a picture on the table's clock."""

    taken_ms: Annotated[int, Field(ge=0), BeforeValidator(_number)]


def secret() -> str | None:
    """The secret of the asking phone; None for one without."""
    sent = request.cookies.get(CAMERA_COOKIE, "")
    return sent if _SECRET.fullmatch(sent) else None


@phone.get("/")
def start() -> ResponseReturnValue:
    """Lead to the only page here."""
    return redirect("/camera", 303)


@phone.get("/camera")
def camera() -> ResponseReturnValue:
    """The page that makes a phone a camera."""
    words = {key: text for key, text in catalog(language()).items() if key.startswith(OF_CAMERAS)}
    return document("camera", bootstrap={"words": words})


@phone.post("/api/v1/phone/ask")
@endpoint(answer=PhoneAsked)
def ask() -> ResponseReturnValue:
    """Ask to be a camera, and learn the host's decision; repeated while waiting."""
    own = secret() or new_secret()
    agent = request.headers.get("User-Agent", "")
    kind: PhoneKind = next((kind for kind in KINDS if kind in agent), "browser")
    here = context()
    state = here.phones.ask(own, kind, request.remote_addr or "")
    feed = here.phones.feed(own)
    answer: PhoneAsked = {
        "ok": True,
        "state": state.value,
        "now_ms": here.table.clock_ms(),
        "hold_still": feed is None or feed.hold_still,
    }
    response = jsonify(answer)
    response.set_cookie(
        CAMERA_COOKIE, own, max_age=COOKIE_AGE, secure=True, httponly=True, samesite="Strict", path="/"
    )
    return response


@phone.post("/api/v1/phone/picture")
@endpoint(
    query=Taken, body=JPEG, answer=PictureSeen, refusal=Refusal, who=Who.CAMERA, limit_bytes=MAX_PICTURE_BYTES
)
def picture(asked: Taken) -> ResponseReturnValue:
    """Take a picture from an admitted phone; answers with the newest reading."""
    here, own = context(), secret()
    feed = here.phones.feed(own) if own is not None else None
    if own is None or feed is None:
        return refusal(403, "phone/not_let_in")
    here.quotas.pictures.take(own)
    data = request.get_data(cache=False)
    try:
        feed.push(data, here.phones.take(own, asked.taken_ms, here.table.clock_ms()))
    except PictureTimeError as error:
        return refusal(409, error.code)
    except BadInputError:
        return refusal(422, "phone/no_picture")
    return _seen(feed.sight() or WAITING)


def _seen(sight: Sight) -> Response:
    table = context().table
    answer: PictureSeen = {
        "ok": True,
        "now_ms": table.clock_ms(),
        "code": sight.code,
        "message": phrase(sight.code) if sight.code else {},
        "outline": sight.outline,
        "pawns": [
            {
                "x": pawn.place[0],
                "y": pawn.place[1],
                "seat": pawn.seat.name if pawn.seat is not None else None,
            }
            for pawn in sight.pawns
        ],
        "recording": table.is_recording,
    }
    return jsonify(answer)
