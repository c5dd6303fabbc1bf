"""`/api/v1/host`: becoming the host, with a PIN once there is one, and what only a host may do to the companion."""

from collections.abc import Mapping

from flask import Blueprint, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from tock_web.context import body, caller, context, text_of
from tock_web.people import HOST_COOKIE, drop_cookie, keep_cookie
from tock_web.pin import PIN_FORM

Sentence = Mapping[str, str]
TAKEN: Sentence = {
    "fr": "Un autre appareil est déjà l'hôte. S'il n'est plus là, attends deux minutes.",
    "en": "Another device is the host already. If it has gone, wait two minutes.",
}
WRONG: Sentence = {"fr": "Ce n'est pas le bon code.", "en": "That is not the right PIN."}

hosting = Blueprint("hosting", __name__, url_prefix="/api/v1/host")


def must_be_host() -> None:
    """Refuse everybody but the host."""
    if not caller().is_host:
        abort(403)


@hosting.post("")
def become_host() -> ResponseReturnValue:
    """Take the host's rights: with the PIN from any device, without one only while nobody else has them."""
    here = context()
    data = request.get_json(silent=True) or {}
    if here.pin.is_set:
        address = request.remote_addr or ""
        wait_s = here.guesses.wait_s(address)
        if wait_s:
            return _refusal(429, "host/wait", _wait(wait_s))
        if not here.pin.is_right(str(data.get("pin", "")) if isinstance(data, dict) else ""):
            here.guesses.wrong(address)
            return _refusal(403, "host/pin", WRONG)
        here.guesses.right(address)
        token: str | None = here.host_desk.take_over()
    else:
        token = here.host_desk.claim()
    if token is None:
        return _refusal(409, "host/taken", TAKEN)
    answer = jsonify({"ok": True, "pin": here.pin.is_set})
    keep_cookie(answer, HOST_COOKIE, token)
    return answer


@hosting.post("/release")
def release_host() -> ResponseReturnValue:
    """Give the host's rights back."""
    context().host_desk.release(request.cookies.get(HOST_COOKIE))
    answer = jsonify({"ok": True})
    drop_cookie(answer, HOST_COOKIE)
    return answer


@hosting.post("/pin")
def set_pin() -> ResponseReturnValue:
    """Choose the PIN that hosts need from now on; null for none."""
    must_be_host()
    data = body()
    pin = None if data.get("pin") is None else text_of(data, "pin", 12)
    if pin is not None and not PIN_FORM.fullmatch(pin):
        abort(400, "a PIN has 4 to 12 digits")
    context().pin.set(pin)
    return jsonify({"ok": True, "pin": pin is not None})


@hosting.post("/shutdown")
def shut_down() -> ResponseReturnValue:
    """End the companion, and the machine where it is its own; every event is on the disk already."""
    must_be_host()
    end = current_app.config.get("SHUTDOWN")
    if end is None:
        abort(404, "this companion is ended where it was started")
    return jsonify({"ok": True, "machine": end()})


def _refusal(status: int, code: str, message: Sentence) -> ResponseReturnValue:
    return jsonify({"ok": False, "code": code, "message": message}), status


def _wait(seconds: int) -> Sentence:
    return {
        "fr": f"Trop d'essais. Attends {seconds} secondes.",
        "en": f"Too many tries. Wait {seconds} seconds.",
    }
