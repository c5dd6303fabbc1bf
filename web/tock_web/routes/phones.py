"""`/api/v1/phones`: the host sees which phones want to be cameras, and lets them in or sends them away."""

from typing import Annotated

from flask import Blueprint, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.schema import Schema
from tock_web.address import camera_url, qr_data
from tock_web.answers.people import Refusal
from tock_web.answers.phones import Phones
from tock_web.context import context
from tock_web.faults import refusal
from tock_web.gate import Who, endpoint

CAMERA_PORT = "CAMERA_PORT"
"""Key of the app's configuration: what tells the port of the camera's page, 0 while there is none."""
phones = Blueprint("phones", __name__, url_prefix="/api/v1/phones")


class ChosenPhone(Schema):
    """A phone by its number in the list."""

    number: Annotated[int, Field(ge=1, le=1_000_000)]


def camera_port() -> int:
    """The port of the camera's page; 0 while there is none."""
    return int(current_app.config.get(CAMERA_PORT, lambda: 0)())


@phones.get("")
@endpoint(answer=Phones, who=Who.HOST)
def listed() -> ResponseReturnValue:
    """The phones that ask or are let in, and the address of the page for cameras."""
    return jsonify(_listed())


@phones.post("/let-in")
@endpoint(body=ChosenPhone, answer=Phones, refusal=Refusal, who=Who.HOST)
def let_in(asked: ChosenPhone) -> ResponseReturnValue:
    """Let a phone be a camera; where no place is free, in place of one that is away."""
    if not context().phones.let_in(asked.number):
        return refusal(409, "phone/no_place")
    return jsonify(_listed())


@phones.post("/send-away")
@endpoint(body=ChosenPhone, answer=Phones, who=Who.HOST)
def send_away(asked: ChosenPhone) -> ResponseReturnValue:
    """Let a phone no longer be a camera, or refuse one that asks."""
    if not context().phones.send_away(asked.number):
        abort(404)
    return jsonify(_listed())


def _listed() -> Phones:
    known, port = context().phones, camera_port()
    url = camera_url(request.host, port) if port else None
    return {
        "url": url,
        "code": qr_data(url) if url else None,
        "places": len(known.places),
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
