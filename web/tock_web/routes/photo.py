"""`/api/v1/hand/photo`: a seat's photo of its hand is read, judged by the rules, and forgotten.

Only where the host records photos for a report is it kept with that recording, and the page says so.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import BoundedSemaphore

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from tock_companion.errors import BadInputError
from tock_companion.rules import Card
from tock_companion.table.core.fields import MAX_CARDS
from tock_companion.table.core.requests import Role, parse_request
from tock_web.answers.people import Refusal, TableReply
from tock_web.context import answer_of, caller, context
from tock_web.faults import refusal
from tock_web.gate import Media, Who, endpoint
from tock_web.services import ReadPhoto

MAX_PHOTO_BYTES = 12_000_000
"""Phones shrink a photo before they send it; this is for those that cannot."""
AT_ONCE = 3
"""Photos in progress: one is read, the others wait. A large one takes 200 MB for a moment."""
PATIENCE_S = 30.0
TYPES = ("image/jpeg", "image/png", "image/webp")


def photo(read: ReadPhoto) -> Blueprint:
    """The route. The photo is held in memory while it is read."""
    blueprint = Blueprint("photo", __name__, url_prefix="/api/v1")
    places = BoundedSemaphore(AT_ONCE)
    # One thread for all photos: each thread that reads one loads the networks for itself.
    reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="photos")

    @blueprint.post("/hand/photo")
    @endpoint(
        body=Media(TYPES),
        answer=TableReply,
        refusal=Refusal | TableReply,
        who=Who.SEATED,
        limit_bytes=MAX_PHOTO_BYTES,
    )
    def hand_photo() -> ResponseReturnValue:
        """Read the caller's own hand from a photo."""
        seat = caller().seat
        assert seat is not None
        context().quotas.photos.take(seat.name)
        if not places.acquire(blocking=False):
            return refusal(503, "photo/busy")
        try:
            picture = request.get_data(cache=False)
            context().table.keep_photo(seat, request.mimetype.removeprefix("image/"), picture)
            readings = reader.submit(read, picture).result(PATIENCE_S)
        except BadInputError:
            return refusal(422, "photo/unreadable")
        finally:
            places.release()
        named = [reading for reading in readings if reading["likely"]]
        if not named:
            return refusal(422, "photo/nothing")
        surest = sorted(named, key=lambda reading: -float(str(reading["confidence"])))[:MAX_CARDS]
        kept = [reading for reading in named if reading in surest]
        letters = {_card(one): str(one["letter"]) for one in kept if "letter" in one}
        if letters:
            context().table.see_letters(letters)
        plain = [{name: one[name] for name in ("likely", "confidence")} for one in kept]
        asked = parse_request("hand_check", {"readings": plain}, Role.SEAT, seat)
        reply = context().table.request(asked)
        return answer_of(replace(reply, data={**reply.data, "unread": len(readings) - len(named)}))

    return blueprint


def _card(reading: dict[str, object]) -> Card:
    """The likeliest card of a reading."""
    likely = reading["likely"]
    assert isinstance(likely, list)
    return Card.parse(str(likely[0]))
