"""`/api/v1/machine/wifi`: the table's own Wi-Fi or the house's, for the host; and the page that proves a change."""

import logging
from ipaddress import ip_address, ip_network
from typing import Annotated

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.background import run_once
from tock_companion.errors import TockError
from tock_companion.machine.client import Helper
from tock_companion.machine.network import OWN_NAME, OWN_NETWORK, new_password
from tock_companion.machine.refusals import RefusedError
from tock_companion.schema import Schema
from tock_web.answers.machine import WifiState
from tock_web.answers.people import Done, Refusal
from tock_web.context import context
from tock_web.qr import qr_data
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

log = logging.getLogger(__name__)
wifi = Blueprint("wifi", __name__, url_prefix="/api/v1/machine/wifi")
OWN_ADDRESSES = ip_network(OWN_NETWORK, strict=False)
_TRYING = "tock.wifi-trying"
"""Whether a network may be on trial."""


class OpenOwn(Schema):
    """The name and password of the own Wi-Fi; the default for each is the present one, else the usual name and a new
    password."""

    name: Annotated[str, Field(max_length=32)] = ""
    password: Annotated[str, Field(max_length=63)] = ""


class JoinHouse(Schema):
    """A known Wi-Fi by its id."""

    id: Annotated[str, Field(min_length=1, max_length=64)]


class JoinNew(Schema):
    """A Wi-Fi that the machine does not know yet."""

    name: Annotated[str, Field(min_length=1, max_length=32)]
    password: Annotated[str, Field(min_length=1, max_length=63)]


def has_helper() -> bool:
    """Whether a helper with the superuser's rights is available."""
    found = context().services.helper
    return found is not None and found.is_here


def helper() -> Helper:
    """The machine's helper; 404 where it has none."""
    found = context().services.helper
    if found is None or not found.is_here:
        abort(404, "this machine has nobody to do that; install the companion as a service")
    return found


def refused(error: RefusedError) -> Response:
    """A refusal of the helper as an answer."""
    return refusal(409, error.code, **error.values)


@wifi.get("")
@endpoint(answer=WifiState, who=Who.HOST)
def state() -> ResponseReturnValue:
    """The state of the Wi-Fi, the known networks, and the one on trial."""
    if not has_helper():
        return jsonify({"radio": False})
    known = helper().ask("wifi-status")
    own = known.get("own")
    if isinstance(own, dict):
        known["own"] = {"name": own["name"], "password": own["password"], "image": qr_data(str(own["code"]))}
    return jsonify(known)


@wifi.post("/own")
@endpoint(body=OpenOwn, answer=Done, refusal=Refusal, who=Who.HOST)
def open_own(asked: OpenOwn) -> ResponseReturnValue:
    """Open the table's own Wi-Fi, and go back automatically unless a phone arrives through it."""
    known = helper().ask("wifi-status").get("own")
    old = known if isinstance(known, dict) else {"name": OWN_NAME, "password": new_password()}
    return _try("wifi-own", name=asked.name or old["name"], password=asked.password or old["password"])


@wifi.post("/house")
@endpoint(body=JoinHouse, answer=Done, refusal=Refusal, who=Who.HOST)
def join_house(asked: JoinHouse) -> ResponseReturnValue:
    """Join a known Wi-Fi, and go back automatically unless a phone arrives through it."""
    return _try("wifi-house", id=asked.id)


@wifi.post("/join")
@endpoint(body=JoinNew, answer=Done, refusal=Refusal, who=Who.HOST)
def join_new(asked: JoinNew) -> ResponseReturnValue:
    """Join a new Wi-Fi, and forget it and go back automatically unless a phone arrives through it."""
    return _try("wifi-join", name=asked.name, password=asked.password)


def _try(verb: str, **values: str) -> ResponseReturnValue:
    try:
        helper().ask(verb, **values)
    except RefusedError as error:
        return refused(error)
    current_app.extensions[_TRYING] = True
    return jsonify({"ok": True})


def is_on_own_wifi(address: str | None) -> bool:
    """Whether a phone is on the table's own Wi-Fi."""
    try:
        return ip_address(address or "") in OWN_ADDRESSES
    except ValueError:
        return False


def notice_phones(app: Flask, found: Helper | None) -> None:
    """Opening a page through the network on trial proves that it leads to the table."""
    if found is None:
        return
    # A restarted companion does not know whether a trial is under way.
    app.extensions[_TRYING] = True

    @app.before_request
    def notice() -> None:
        address = request.remote_addr or ""
        is_page = request.endpoint is not None and request.endpoint.startswith("pages.")
        if not app.extensions[_TRYING] or not is_page or address.startswith("127."):
            return
        by = "own" if is_on_own_wifi(address) else "house"
        run_once("wifi-keep", "keeps a network that was tried, once", lambda: _keep(app, found, by))


def _keep(app: Flask, found: Helper, by: str) -> None:
    try:
        app.extensions[_TRYING] = found.ask("wifi-keep", by=by)["pending"] is True
    except TockError as error:
        log.warning("the Wi-Fi that was tried cannot be kept: %s", error)
