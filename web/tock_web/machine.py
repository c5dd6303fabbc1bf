"""The machine behind the table, for the host: settings, diagnosis, a restart."""

from collections.abc import Callable
from typing import Protocol, cast

from flask import Blueprint, abort, current_app, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.errors import BadInputError
from tock_web.context import body, text_of
from tock_web.hosting import must_be_host
from tock_web.pages import page

CONFIG_LENGTH = 50_000

machine = Blueprint("machine", __name__)


class Desk(Protocol):
    """What the composition root gives as `MACHINE`."""

    def settings(self) -> dict[str, object]:
        """Return the file, its text and its keys."""

    def change(self, name: str, value: object) -> None:
        """Write one key; raises BadInputError."""

    def replace(self, text: str) -> None:
        """Write the whole file; raises BadInputError."""

    def diagnosis(self) -> list[dict[str, object]]:
        """Return what the doctor finds."""


def _desk() -> Desk:
    must_be_host()
    desk = current_app.config.get("MACHINE")
    if desk is None:
        abort(404, "this companion is set up where it was started")
    return cast(Desk, desk)


@machine.get("/host/machine")
def machine_page() -> ResponseReturnValue:
    """The page of the host with diagnosis and settings."""
    return page("machine")


@machine.get("/api/v1/machine/doctor")
def doctor() -> ResponseReturnValue:
    """Return what is well with this machine and what is not, with remedies."""
    return jsonify({"findings": _desk().diagnosis()})


@machine.get("/api/v1/machine/settings")
def settings() -> ResponseReturnValue:
    """Return the configuration: its text, and every plain key with its sentences."""
    return jsonify({**_desk().settings(), "restarts": _restart() is not None})


@machine.post("/api/v1/machine/settings")
def change() -> ResponseReturnValue:
    """Write one key (`name`, `value`) or the whole `text`; it counts from the next start."""
    desk, data = _desk(), body()
    try:
        if "text" in data:
            desk.replace(text_of(data, "text", CONFIG_LENGTH))
        else:
            desk.change(text_of(data, "name"), data.get("value"))
    except BadInputError as error:
        reason = str(error)
        return jsonify(
            {"ok": False, "code": "settings/refused", "message": {"fr": reason, "en": reason}}
        ), 409
    return jsonify({"ok": True})


@machine.post("/api/v1/machine/restart")
def restart() -> ResponseReturnValue:
    """End the companion so that its supervisor starts it with the new settings."""
    must_be_host()
    end = _restart()
    if end is None:
        abort(404, "nobody would start this companion again; end it and start it where it was started")
    end()
    return jsonify({"ok": True})


def _restart() -> Callable[[], object] | None:
    return cast(Callable[[], object] | None, current_app.config.get("RESTART"))
