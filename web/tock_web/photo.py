"""`/api/v1/hand/photo`: a seat's photo of its hand is read, judged by the rules, and forgotten.

Only where the host records photos for a report it is kept with that recording, and the page says so.
"""

from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Protocol

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from tock_companion.errors import BadInputError
from tock_companion.table.requests import Role, parse_request
from tock_web.context import answer_of, caller, context

LARGEST_PHOTO_BYTES = 12_000_000
"""Phones shrink a photo before they send it; this is for those that cannot."""
MOST_CARDS = 16
AT_ONCE = 2
"""Photos being read at the same time: a large one costs memory."""
TYPES = ("image/jpeg", "image/png", "image/webp")
UNREADABLE = {
    "fr": "Cette photo ne peut pas être lue. Reprenez-la, en JPEG.",
    "en": "This photo cannot be read. Take it again, as JPEG.",
}
NOTHING = {
    "fr": "Aucune carte reconnue. Posez les cartes côte à côte, sans reflet, et reprenez la photo.",
    "en": "No card recognised. Lay the cards side by side, without glare, and take the photo again.",
}
BUSY = {
    "fr": "D'autres photos sont en cours de lecture. Réessayez dans un instant.",
    "en": "Other photos are being read. Try again in a moment.",
}


class ReadPhoto(Protocol):
    """What reads photos; it belongs to the vision package and is handed in by the composition root."""

    def __call__(self, data: bytes) -> Sequence[dict[str, object]]:
        """Return a reading for each card (`likely`, `confidence`); BadInputError for no usable picture."""


def photo(read: ReadPhoto) -> Blueprint:
    """Return the route. The photo is held in memory while it is read."""
    blueprint = Blueprint("photo", __name__, url_prefix="/api/v1")
    places = BoundedSemaphore(AT_ONCE)

    @blueprint.post("/hand/photo")
    def hand_photo() -> ResponseReturnValue:
        request.max_content_length = LARGEST_PHOTO_BYTES
        seat = caller().seat
        if seat is None:
            abort(401)
        if request.mimetype not in TYPES:
            abort(415, "send a photo as image/jpeg, image/png or image/webp")
        if not places.acquire(blocking=False):
            return {"ok": False, "code": "photo/busy", "message": BUSY}, 503
        try:
            picture = request.get_data(cache=False)
            context().table.keep_photo(seat, request.mimetype.removeprefix("image/"), picture)
            readings = read(picture)
        except BadInputError:
            return {"ok": False, "code": "photo/unreadable", "message": UNREADABLE}, 422
        finally:
            places.release()
        if not readings:
            return {"ok": False, "code": "photo/nothing", "message": NOTHING}, 422
        surest = sorted(readings, key=lambda reading: -float(str(reading["confidence"])))[:MOST_CARDS]
        told = [reading for reading in readings if reading in surest]
        return answer_of(
            context().table.request(parse_request("hand_check", {"readings": told}, Role.SEAT, seat))
        )

    return blueprint
