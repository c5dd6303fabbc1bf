"""`/api/v1/machine/update`: a new signed release, uploaded or from a USB stick, installed only with the PIN.

The superuser's helper has apt check it; nothing here is trusted with that.
"""

import shutil
from pathlib import Path
from typing import Annotated

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.machine.client import MAX_PACKAGE_BYTES
from tock_companion.machine.refusals import RefusedError
from tock_companion.schema import Schema
from tock_web.answers.machine import Received, StickPackages, UpdateState
from tock_web.answers.people import Refusal
from tock_web.context import context, require_proof
from tock_web.routes.wifi import has_helper, helper, refused
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Media, QueryNumber, Who, endpoint

PIECE_BYTES = 4_000_000
"""A package comes in pieces, none larger than the server accepts anyway."""
FOLDER, UPLOAD = "update", "upload.tar"
PACKAGE = "application/octet-stream"

update = Blueprint("update", __name__, url_prefix="/api/v1/machine/update")


class Piece(Schema):
    """Offset of a piece in the package; 0 starts again."""

    offset: Annotated[QueryNumber, Field(ge=0, le=MAX_PACKAGE_BYTES)]


class Take(Schema):
    """The name of a package on a USB stick."""

    name: Annotated[str, Field(min_length=1, max_length=200)]


class Install(Schema):
    """The package shown to the host, and the host's PIN once more."""

    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    pin: Annotated[str, Field(max_length=12)] = ""


@update.get("")
@endpoint(answer=UpdateState, who=Who.HOST)
def state() -> ResponseReturnValue:
    """The package that waits for approval, and the outcome of the last update."""
    here = has_helper()
    known = helper().ask("update-status") if here else {"candidate": None, "progress": None}
    return jsonify({**known, "here": here, "pin": context().pin.is_set})


@update.post("/piece")
@endpoint(
    query=Piece,
    body=Media((PACKAGE,)),
    answer=Received,
    refusal=Refusal,
    who=Who.HOST,
    limit_bytes=PIECE_BYTES,
)
def piece(asked: Piece) -> ResponseReturnValue:
    """Take in the next piece of a package."""
    helper()
    if not context().pin.is_set:
        return refusal(409, "update/pin")
    data = request.get_data(cache=False)
    if asked.offset + len(data) > MAX_PACKAGE_BYTES:
        return refusal(409, "update/large", most=str(MAX_PACKAGE_BYTES // 1_000_000))
    path = _upload()
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if shutil.disk_usage(path.parent).free < MAX_PACKAGE_BYTES:
        return refusal(409, "update/full", needed=str(MAX_PACKAGE_BYTES // 1_000_000))
    with path.open("ab" if asked.offset else "wb") as file:
        if file.tell() != asked.offset:
            return refusal(409, "update/gap")
        file.write(data)
        return jsonify({"ok": True, "size": file.tell()})


@update.post("/check")
@endpoint(answer=UpdateState, refusal=Refusal, who=Who.HOST)
def check() -> ResponseReturnValue:
    """Check the uploaded package."""
    try:
        return _answer("update-check")
    finally:
        _upload().unlink(missing_ok=True)


@update.post("/sticks")
@endpoint(answer=StickPackages, refusal=Refusal, who=Who.HOST)
def sticks() -> ResponseReturnValue:
    """Look for packages on USB sticks."""
    try:
        return jsonify(helper().ask("update-sticks"))
    except RefusedError as error:
        return refused(error)


@update.post("/take")
@endpoint(body=Take, answer=UpdateState, refusal=Refusal, who=Who.HOST)
def take(asked: Take) -> ResponseReturnValue:
    """Check a package on a USB stick."""
    return _answer("update-take", name=asked.name)


@update.post("/forget")
@endpoint(answer=UpdateState, refusal=Refusal, who=Who.HOST)
def forget() -> ResponseReturnValue:
    """Discard the waiting package, and the news of the last update."""
    return _answer("update-forget")


@update.post("/install")
@endpoint(body=Install, answer=UpdateState, refusal=Refusal, who=Who.HOST, ends=True)
def install(asked: Install) -> ResponseReturnValue:
    """Try the package; its code gets the superuser's rights, so the PIN is asked for once more."""
    here = context()
    if not here.pin.is_set:
        return refusal(409, "update/pin")
    require_proof(asked.pin, pin_alone=True)
    return _answer("update-install", sha256=asked.sha256)


def _answer(verb: str, **values: str) -> ResponseReturnValue:
    try:
        return jsonify({**helper().ask(verb, **values), "here": True, "pin": context().pin.is_set})
    except RefusedError as error:
        return refused(error)


def _upload() -> Path:
    folder = context().services.data
    if folder is None:
        abort(404, "this companion keeps nothing")
    return folder / FOLDER / UPLOAD
