"""`/api/v1/hand/photo`: a seat's photo of its hand is read, judged by the rules, and forgotten.

Only where the host records photos for a report is it kept with that recording, and the page says so.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Annotated, cast

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.fields import MAX_CARDS
from tock_companion.core.requests import Reply, Role, parse_request
from tock_companion.errors import BadInputError
from tock_companion.schema import Schema
from tock_rules import Card, Seat
from tock_web.answers.people import PhotographedCard, Refusal, TableReply
from tock_web.context import answer_of, caller, context
from tock_web.far.answers import FarHand
from tock_web.limits.bodies import PHOTO_BYTES
from tock_web.services import ReadPhoto
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Media, Who, endpoint

AT_ONCE = 3
"""Photos in progress: one is read, the others wait. A large one takes 200 MB for a moment."""
PATIENCE_S = 30.0
TYPES = ("image/jpeg", "image/png", "image/webp")


class HandOf(Schema):
    """The seat far away whose hand somebody at home holds."""

    seat: Annotated[str, Field(pattern="^P[0-7]$")]


class Photos:
    """Photos waiting to be read, one at a time."""

    def __init__(self, read: ReadPhoto) -> None:
        self._read = read
        self._places = BoundedSemaphore(AT_ONCE)
        # One thread for all photos: each thread that reads one loads the networks for itself.
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="photos")

    def readings(self, picture: bytes, seat: Seat) -> tuple[list[dict[str, object]], int] | Response:
        """The surest readings and the number of cards that cannot be read; a refusal where there are none."""
        context().quotas.photos.take(seat.name)
        if not self._places.acquire(blocking=False):
            return refusal(503, "photo/busy")
        try:
            readings = self._reader.submit(self._read, picture).result(PATIENCE_S)
        except BadInputError:
            return refusal(422, "photo/unreadable")
        finally:
            self._places.release()
        named = [reading for reading in readings if reading["likely"]]
        if not named:
            return refusal(422, "photo/nothing")
        surest = sorted(named, key=lambda reading: -float(str(reading["confidence"])))[:MAX_CARDS]
        return [reading for reading in named if reading in surest], len(readings) - len(named)


def photo(read: ReadPhoto) -> Blueprint:
    """The routes. A photo is held in memory while it is read."""
    blueprint = Blueprint("photo", __name__, url_prefix="/api/v1")
    photos = Photos(read)

    @blueprint.post("/hand/photo")
    @endpoint(
        body=Media(TYPES),
        answer=TableReply,
        refusal=Refusal | TableReply,
        who=Who.SEATED,
        limit_bytes=PHOTO_BYTES,
    )
    def hand_photo() -> ResponseReturnValue:
        """Read the caller's own hand from a photo."""
        return _own_hand(photos)

    @blueprint.post("/far/hand")
    @endpoint(
        query=HandOf,
        body=Media(TYPES),
        answer=FarHand,
        refusal=Refusal | TableReply,
        who=Who.SEATED,
        limit_bytes=PHOTO_BYTES,
    )
    def far_hand(asked: HandOf) -> ResponseReturnValue:
        """Read the real hand of a seat far away from a photo; that phone alone shows which cards."""
        return _far_hand(photos, Seat[asked.seat])

    return blueprint


def _own_hand(photos: Photos) -> ResponseReturnValue:
    seat = caller().seat
    assert seat is not None
    picture = request.get_data(cache=False)
    context().table.keep_photo(seat, request.mimetype.removeprefix("image/"), picture)
    found = photos.readings(picture, seat)
    if isinstance(found, Response):
        return found
    kept, unread = found
    letters = {_card(one): str(one["letter"]) for one in kept if "letter" in one}
    if letters:
        context().table.see_letters(letters)
    reply = _judged(kept, seat)
    return answer_of(replace(reply, data={**reply.data, "unread": unread}))


def _far_hand(photos: Photos, seat: Seat) -> ResponseReturnValue:
    table = context().table
    if table.names.far.get(seat) != "real":
        return refusal(409, "far/hand-drawn")
    found = photos.readings(request.get_data(cache=False), seat)
    if isinstance(found, Response):
        return found
    kept, unread = found
    judged = _judged(kept, seat)
    if not judged.ok:
        return answer_of(judged)
    cards = cast(Sequence[PhotographedCard], judged.data["cards"])
    sure = [card["card"] for card in cards if not card["reason"]]
    unread += len(cards) - len(sure)
    entered = table.request(
        parse_request("hand_set", {"cards": sure, "count": len(sure) + unread}, Role.SEAT, seat)
    )
    if not entered.ok:
        return answer_of(entered)
    return jsonify({"ok": True, "read": len(sure), "unread": unread})


def _judged(readings: Sequence[dict[str, object]], seat: Seat) -> Reply:
    """The readings of a seat's hand as the rules judge them."""
    plain = [{name: one[name] for name in ("likely", "confidence")} for one in readings]
    return context().table.request(parse_request("hand_check", {"readings": plain}, Role.SEAT, seat))


def _card(reading: dict[str, object]) -> Card:
    """The likeliest card of a reading."""
    likely = reading["likely"]
    assert isinstance(likely, list)
    return Card.parse(str(likely[0]))
