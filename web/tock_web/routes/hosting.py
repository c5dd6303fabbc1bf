"""`/api/v1/host`: becoming the host, with a PIN once there is one, and the host's power over the companion."""

from typing import Annotated

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.schema import Schema
from tock_web.answers.people import Done, HostGranted, HostList, Refusal, ShutDown
from tock_web.context import context, require_proof
from tock_web.rights.cookies import (
    DEVICE_COOKIE,
    HOST_COOKIE,
    device_secret,
    drop_cookie,
    keep_cookie,
    secrets_of,
)
from tock_web.rights.host_rights import named
from tock_web.rights.proof import Proof
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

PIN_PATTERN = "^[0-9]{4,12}$"
hosting = Blueprint("hosting", __name__, url_prefix="/api/v1/host")


class BecomeHost(Schema):
    """The PIN, or the code that only the machine shows, where hosts need one."""

    pin: Proof = ""


class NewPin(Schema):
    """The PIN that hosts need from now on; null for none."""

    pin: Annotated[str, Field(pattern=PIN_PATTERN)] | None = None
    proof: Proof = ""
    """The current PIN, or the code that only the machine shows."""


class EndHost(Schema):
    """The key of another host, as in the list of hosts."""

    key: Annotated[str, Field(max_length=20)]
    proof: Proof = ""


@hosting.post("")
@endpoint(body=BecomeHost, answer=HostGranted, refusal=Refusal)
def become_host(asked: BecomeHost) -> ResponseReturnValue:
    """Become host: with the PIN or the machine's code beside present hosts, without one only while nobody is here."""
    here, known, device = context(), secrets_of(request), device_secret(request)
    proven = bool(asked.pin) or here.pin.is_set
    if proven:
        require_proof(asked.pin, device)
    else:
        here.quotas.comings.take(request.remote_addr or "")
    token = here.host_rights.become(known, device, proven=proven)
    if token is None:
        return refusal(409, "host/full" if proven else "host/taken")
    answer = jsonify({"ok": True, "pin": here.pin.is_set})
    keep_cookie(answer, HOST_COOKIE, token)
    keep_cookie(answer, DEVICE_COOKIE, device)
    return answer


@hosting.post("/release")
@endpoint(answer=Done, ends=True)
def release_host() -> ResponseReturnValue:
    """Give the host's rights back."""
    context().quotas.comings.take(request.remote_addr or "")
    context().host_rights.release(secrets_of(request))
    answer = jsonify({"ok": True})
    drop_cookie(answer, HOST_COOKIE)
    return answer


@hosting.post("/pin")
@endpoint(body=NewPin, answer=HostGranted, refusal=Refusal, who=Who.HOST, ends=True)
def set_pin(asked: NewPin) -> ResponseReturnValue:
    """Choose, change or remove the PIN, with the current one or the machine's code; all other hosts end."""
    here, known = context(), secrets_of(request)
    require_proof(asked.proof)
    here.proofs.change_pin(asked.pin, known.device)
    here.host_rights.take_from(known)
    return jsonify({"ok": True, "pin": asked.pin is not None})


@hosting.get("/others")
@endpoint(answer=HostList, who=Who.HOST)
def other_hosts() -> ResponseReturnValue:
    """The other hosts."""
    here = context()
    others = here.host_rights.others(secrets_of(request))
    names = named(here.table, [host.seat for host in others])
    rows = [
        {"key": host.key, "name": name, "here": host.is_here}
        for host, name in zip(others, names, strict=True)
    ]
    return jsonify({"hosts": rows})


@hosting.post("/others/end")
@endpoint(body=EndHost, answer=Done, refusal=Refusal, who=Who.HOST, ends=True)
def end_host(asked: EndHost) -> ResponseReturnValue:
    """Take the rights from another host, with the PIN or the code that only the machine shows."""
    require_proof(asked.proof)
    context().host_rights.take_from(secrets_of(request), {asked.key})
    return jsonify({"ok": True})


@hosting.post("/shutdown")
@endpoint(answer=ShutDown, who=Who.HOST, ends=True)
def shut_down() -> ResponseReturnValue:
    """End the companion, and switch its own machine off; every event is on the disk already."""
    end = context().services.shut_down
    if end is None:
        abort(404, "this companion is ended where it was started")
    return jsonify({"ok": True, "machine": end()})
