"""`/api/v1/phones`: the host sees the phones that want to be cameras, and admits or removes them."""

from collections.abc import Callable
from typing import Annotated

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.errors import TockError, one_line
from tock_companion.schema import Schema
from tock_web.address import camera_url
from tock_web.answers.people import Done, Refusal
from tock_web.answers.phones import Phones
from tock_web.context import context
from tock_web.qr import qr_data
from tock_web.services import PhonePlaces
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

phones = Blueprint("phones", __name__, url_prefix="/api/v1/phones")


class ChosenPhone(Schema):
    """A phone by its number in the list."""

    number: Annotated[int, Field(ge=1, le=1_000_000)]


@phones.get("")
@endpoint(answer=Phones, who=Who.HOST)
def listed() -> ResponseReturnValue:
    """The waiting and admitted phones, and the address of the page for cameras."""
    return jsonify(_listed())


@phones.post("/let-in")
@endpoint(body=ChosenPhone, answer=Phones, refusal=Refusal, who=Who.HOST)
def let_in(asked: ChosenPhone) -> ResponseReturnValue:
    """Admit a phone as a camera; where no slot is free, in place of an absent one."""
    if not context().phones.let_in(asked.number):
        return refusal(409, "phone/no_place")
    return jsonify(_listed())


@phones.post("/send-away")
@endpoint(body=ChosenPhone, answer=Phones, who=Who.HOST, ends=True)
def send_away(asked: ChosenPhone) -> ResponseReturnValue:
    """Remove a phone, or refuse one that is waiting."""
    if not context().phones.send_away(asked.number):
        abort(404)
    return jsonify(_listed())


@phones.post("/begin")
@endpoint(answer=Done, refusal=Refusal, who=Who.HOST)
def begin() -> ResponseReturnValue:
    """Add a slot for a phone: the table is built again with it, the game goes on, and every page comes back."""
    return _with_places(lambda places: places.begin())


@phones.post("/end")
@endpoint(answer=Done, refusal=Refusal, who=Who.HOST, ends=True)
def end() -> ResponseReturnValue:
    """Stop using phones as cameras: the table is built again without them, and the game goes on."""
    return _with_places(lambda places: places.end())


def _with_places(change: Callable[[PhonePlaces], None]) -> ResponseReturnValue:
    places = context().services.phone_places
    if places is None:
        abort(404, "this companion keeps no settings")
    try:
        change(places)
    except TockError as error:
        return refusal(409, "phone/settings", reason=one_line(str(error)))
    return jsonify({"ok": True})


def _listed() -> Phones:
    known, port = context().phones, context().services.camera_port()
    url = camera_url(request.host, port) if port else None
    return {
        "url": url,
        "code": qr_data(url) if url else None,
        "places": len(known.places),
        "may_change": context().services.phone_places is not None,
        "phones": [
            {
                "number": phone.number,
                "kind": phone.kind,
                "source": phone.source,
                "here": known.is_here(phone),
            }
            for phone in known.listed()
        ],
    }
