"""`/api/v1/host`: becoming the host, with a PIN once there is one, and what only a host may do to the companion."""

import logging
from typing import Annotated

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.errors import TockError
from tock_companion.schema import Schema
from tock_web.answers.people import Done, HostGranted, Refusal, ShutDown
from tock_web.context import caller, context
from tock_web.faults import refusal
from tock_web.gate import Who, endpoint
from tock_web.people import DEVICE_COOKIE, HOST_COOKIE, device_secret, drop_cookie, keep_cookie, secrets_of
from tock_web.pin import PIN_PATTERN

log = logging.getLogger(__name__)
hosting = Blueprint("hosting", __name__, url_prefix="/api/v1/host")


class BecomeHost(Schema):
    """The PIN, where hosts need one."""

    pin: Annotated[str, Field(max_length=12)] = ""


class NewPin(Schema):
    """The PIN that hosts need from now on; null for none."""

    pin: Annotated[str, Field(pattern=PIN_PATTERN)] | None = None


@hosting.post("")
@endpoint(body=BecomeHost, answer=HostGranted, refusal=Refusal)
def become_host(asked: BecomeHost) -> ResponseReturnValue:
    """Take the host's rights: with the PIN from any device, without one only while nobody else has them."""
    here, token_before, device = context(), secrets_of(request).host, device_secret(request)
    if here.pin.is_set:
        # A device that has been the host must get in although others guess as fast as they may.
        known = here.host.was_host(token_before) or here.pin.knows(device)
        who = f"{token_before} {device}" if known else request.remote_addr or ""
        wait_s = here.pin_attempts.take(who, alone=known)
        if wait_s:
            return refusal(429, "host/wait", seconds=str(wait_s))
        if not here.pin.is_right(asked.pin):
            return refusal(403, "host/pin")
        here.pin_attempts.give_back(who)
        _remember(device)
        token: str | None = here.host.take_over(device)
    else:
        token = here.host.claim(device)
    if token is None:
        return refusal(409, "host/taken")
    here.table.hand_host(caller().seat)
    answer = jsonify({"ok": True, "pin": here.pin.is_set})
    keep_cookie(answer, HOST_COOKIE, token)
    keep_cookie(answer, DEVICE_COOKIE, device)
    return answer


def _remember(device: str) -> None:
    try:
        context().pin.remember(device)
    except TockError as error:
        # The host is the host all the same; only after a restart others' guesses may hold this device up.
        log.error("%s", error)


@hosting.post("/release")
@endpoint(answer=Done)
def release_host() -> ResponseReturnValue:
    """Give the host's rights back."""
    known = secrets_of(request)
    here, seat = context(), caller().seat
    here.host.release(known.host, known.device)
    if seat is not None and seat is here.table.host_seat:
        here.table.hand_host(None)
    answer = jsonify({"ok": True})
    drop_cookie(answer, HOST_COOKIE)
    return answer


@hosting.post("/pin")
@endpoint(body=NewPin, answer=HostGranted, who=Who.HOST)
def set_pin(asked: NewPin) -> ResponseReturnValue:
    """Choose the PIN that hosts need from now on, or that they need none."""
    context().pin.set(asked.pin)
    if asked.pin is not None:
        _remember(secrets_of(request).device)
    return jsonify({"ok": True, "pin": asked.pin is not None})


@hosting.post("/shutdown")
@endpoint(answer=ShutDown, who=Who.HOST)
def shut_down() -> ResponseReturnValue:
    """End the companion, and the machine where it is its own; every event is on the disk already."""
    end = context().services.shut_down
    if end is None:
        abort(404, "this companion is ended where it was started")
    return jsonify({"ok": True, "machine": end()})
