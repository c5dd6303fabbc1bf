"""`/api/v1/hand/photo`: a seat's photo of its hand is read, judged by the rules, and forgotten.

Only where the host records photos for a report is it kept with that recording, and the page says so.
"""

from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from tock_companion.core.requests import Reply, Role, parse_request
from tock_rules import Card, Seat
from tock_web.answers.people import Refusal, TableReply
from tock_web.context import answer_of, caller, context
from tock_web.hand_photos import NoHandError, Reading
from tock_web.limits.bodies import PHOTO_BYTES
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Media, Who, endpoint

PHOTO = Media(("image/jpeg", "image/png", "image/webp"))

photo = Blueprint("photo", __name__, url_prefix="/api/v1/hand")


@photo.post("/photo")
@endpoint(
    body=PHOTO, answer=TableReply, refusal=Refusal | TableReply, who=Who.SEATED, limit_bytes=PHOTO_BYTES
)
def hand_photo() -> ResponseReturnValue:
    """Read the caller's own hand from a photo, which is held in memory meanwhile."""
    seat = caller().seat
    assert seat is not None
    picture = request.get_data(cache=False)
    context().table.keep_photo(seat, request.mimetype.removeprefix("image/"), picture)
    try:
        kept, unread = readings_of(picture, seat)
    except NoHandError as error:
        return refusal(error.status, error.code)
    letters = {_card(one): str(one["letter"]) for one in kept if "letter" in one}
    if letters:
        context().table.see_letters(letters)
    reply = judged(kept, seat)
    return answer_of(replace(reply, data={**reply.data, "unread": unread}))


def readings_of(picture: bytes, seat: Seat) -> tuple[Sequence[Reading], int]:
    """Read the hand of a seat within its quota; 404 where nothing reads photos. Raises NoHandError."""
    photos = context().hand_photos
    if photos is None:
        abort(404, "this companion reads no photos")
    context().quotas.photos.take(seat.name)
    return photos.readings(picture)


def judged(readings: Sequence[Reading], seat: Seat) -> Reply:
    """The readings of a seat's hand as the rules judge them."""
    plain = [{name: one[name] for name in ("likely", "confidence")} for one in readings]
    return context().table.request(parse_request("hand_check", {"readings": plain}, Role.SEAT, seat))


def _card(reading: Reading) -> Card:
    """The likeliest card of a reading."""
    likely = reading["likely"]
    assert isinstance(likely, list)
    return Card.parse(str(likely[0]))
