"""`/api/v1/far/hand`: the real hand of a far seat is photographed at home; only its own phone shows the cards."""

from collections.abc import Sequence
from typing import Annotated, cast

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.requests import Role, parse_request
from tock_companion.schema import Schema
from tock_rules import Seat
from tock_web.answers.people import PhotographedCard, Refusal, TableReply
from tock_web.context import answer_of, context
from tock_web.far.answers import FarHand
from tock_web.hand_photos import NoHandError
from tock_web.limits.bodies import PHOTO_BYTES
from tock_web.routes.photo import PHOTO, judged, readings_of
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

hand_photo = Blueprint("far_hand", __name__, url_prefix="/api/v1/far")


class HandOf(Schema):
    """The far seat of the hand."""

    seat: Annotated[str, Field(pattern="^P[0-7]$")]


@hand_photo.post("/hand")
@endpoint(
    query=HandOf,
    body=PHOTO,
    answer=FarHand,
    refusal=Refusal | TableReply,
    who=Who.SEATED,
    limit_bytes=PHOTO_BYTES,
)
def far_hand(asked: HandOf) -> ResponseReturnValue:
    """Read the real hand of a seat far away from a photo; that phone alone shows which cards."""
    table, seat = context().table, Seat[asked.seat]
    if table.names.far.get(seat) != "real":
        return refusal(409, "far/hand-drawn")
    try:
        kept, unread = readings_of(request.get_data(cache=False), seat)
    except NoHandError as error:
        return refusal(error.status, error.code)
    reply = judged(kept, seat)
    if not reply.ok:
        return answer_of(reply)
    cards = cast(Sequence[PhotographedCard], reply.data["cards"])
    sure = [card["card"] for card in cards if not card["reason"]]
    unread += len(cards) - len(sure)
    hand = {"cards": sure, "count": len(sure) + unread}
    entered = table.request(parse_request("hand_set", hand, Role.SEAT, seat))
    if not entered.ok:
        return answer_of(entered)
    return jsonify({"ok": True, "read": len(sure), "unread": unread})
