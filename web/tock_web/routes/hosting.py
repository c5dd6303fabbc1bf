"""`/api/v1/host`: becoming the host, with a PIN once there is one, and the host's power over the companion."""

import logging
from typing import Annotated

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.errors import TockError
from tock_companion.schema import Schema
from tock_web.answers.people import Done, HostGranted, Refusal, ShutDown
from tock_web.context import context
from tock_web.rights.cookies import (
    DEVICE_COOKIE,
    HOST_COOKIE,
    device_secret,
    drop_cookie,
    keep_cookie,
    secrets_of,
)
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

log = logging.getLogger(__name__)
PIN_PATTERN = "^[0-9]{4,12}$"
Proof = Annotated[str, Field(max_length=12)]
hosting = Blueprint("hosting", __name__, url_prefix="/api/v1/host")


class BecomeHost(Schema):
    """The PIN, or the code that only the machine shows, where hosts need one."""

    pin: Proof = ""


class NewPin(Schema):
    """The PIN that hosts need from now on; null for none."""

    pin: Annotated[str, Field(pattern=PIN_PATTERN)] | None = None
    proof: Proof = ""
    """The current PIN, or the code that only the machine shows."""


@hosting.post("")
@endpoint(body=BecomeHost, answer=HostGranted, refusal=Refusal)
def become_host(asked: BecomeHost) -> ResponseReturnValue:
    """Become host: with the PIN or the machine's code beside present hosts, without one only while nobody is here."""
    here, known, device = context(), secrets_of(request), device_secret(request)
    proven = bool(asked.pin) or here.pin.is_set
    wrong = _disproved(asked.pin, device) if proven else None
    if wrong is not None:
        return wrong
    token = here.host_rights.become(known, device, proven=proven)
    if token is None:
        return refusal(409, "host/full" if proven else "host/taken")
    answer = jsonify({"ok": True, "pin": here.pin.is_set})
    keep_cookie(answer, HOST_COOKIE, token)
    keep_cookie(answer, DEVICE_COOKIE, device)
    return answer


def _disproved(given: str, device: str) -> ResponseReturnValue | None:
    """Refuse a caller without the PIN or the machine's code; the attempt counts before it is checked."""
    here, known = context(), secrets_of(request)
    # A device that has been host must get in although others guess as fast as they may.
    is_known = here.hosts.was_host(known.host) or here.pin.knows(device)
    who = f"{known.host} {device}" if is_known else request.remote_addr or ""
    wait_s = here.pin_attempts.take(who, alone=is_known)
    if wait_s:
        return refusal(429, "host/wait", seconds=str(wait_s))
    says_pin = here.pin.is_right(given)
    if not says_pin and not here.machine_code.is_right(given, device):
        return refusal(403, "host/pin" if here.pin.is_set else "host/code")
    here.pin_attempts.give_back(who)
    if says_pin:
        _remember(device)
    return None


def _remember(device: str) -> None:
    try:
        context().pin.remember(device)
    except TockError as error:
        # The caller is host all the same; only after a restart can others' guesses delay this device.
        log.error("%s", error)


@hosting.post("/release")
@endpoint(answer=Done)
def release_host() -> ResponseReturnValue:
    """Give the host's rights back."""
    context().host_rights.release(secrets_of(request))
    answer = jsonify({"ok": True})
    drop_cookie(answer, HOST_COOKIE)
    return answer


@hosting.post("/pin")
@endpoint(body=NewPin, answer=HostGranted, refusal=Refusal, who=Who.HOST)
def set_pin(asked: NewPin) -> ResponseReturnValue:
    """Choose, change or remove the PIN, with the current one or the code that only the machine shows."""
    wrong = _disproved(asked.proof, secrets_of(request).device)
    if wrong is not None:
        return wrong
    context().pin.set(asked.pin)
    if asked.pin is not None:
        _remember(secrets_of(request).device)
    return jsonify({"ok": True, "pin": asked.pin is not None})


@hosting.post("/shutdown")
@endpoint(answer=ShutDown, who=Who.HOST)
def shut_down() -> ResponseReturnValue:
    """End the companion, and switch its own machine off; every event is on the disk already."""
    end = context().services.shut_down
    if end is None:
        abort(404, "this companion is ended where it was started")
    return jsonify({"ok": True, "machine": end()})
