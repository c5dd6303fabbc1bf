"""The machine behind the table: settings, diagnosis and a restart for the host, figures for Prometheus."""

from collections.abc import Callable
from typing import Annotated

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field, PlainValidator, model_validator

from tock_companion.errors import BadInputError
from tock_companion.schema import Schema
from tock_companion.views.terminal import in_languages
from tock_web.answers.devices import Findings, Settings
from tock_web.answers.people import Done, Refusal
from tock_web.context import context, require_proof
from tock_web.rights.proof import Proof
from tock_web.routes.pages import page
from tock_web.services import MachineAdmin
from tock_web.serving.gate import Who, endpoint

CONFIG_LENGTH = 50_000
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

machine = Blueprint("machine", __name__)

_Scalar = bool | int | float | str
_MAX_VALUE_LENGTH = 1000


def _setting_value(value: object) -> object:
    """Accept plain values and lists of them; the schema of settings decides which a key takes."""
    items = value if isinstance(value, list) else [value]
    if len(items) > _MAX_VALUE_LENGTH or not all(isinstance(item, _Scalar) for item in items):
        raise ValueError("it is a text, a number, true or false, or a list of these")
    if any(isinstance(item, str) and len(item) > _MAX_VALUE_LENGTH for item in items):
        raise ValueError(f"it has more than {_MAX_VALUE_LENGTH} characters")
    return value


_Value = _Scalar | list[_Scalar]


class SettingChange(Schema):
    """One key and its value, null for the default; or the whole text of the file."""

    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    value: Annotated[_Value, PlainValidator(_setting_value, json_schema_input_type=_Value)] | None = None
    text: Annotated[str, Field(max_length=CONFIG_LENGTH)] | None = None
    proof: Proof = ""
    """The PIN or the machine's code, for settings that open doors."""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> "SettingChange":
        if (self.name is None) == (self.text is None):
            raise ValueError("send either name and value or text")
        return self


def _admin() -> MachineAdmin:
    admin = context().services.machine
    if admin is None:
        abort(404, "this companion is set up where it was started")
    return admin


@machine.get("/host/machine")
def machine_page() -> ResponseReturnValue:
    """The host's page with diagnosis and settings."""
    return page("machine")


@machine.get("/api/v1/machine/doctor")
@endpoint(answer=Findings, who=Who.HOST)
def doctor() -> ResponseReturnValue:
    """The state of this machine, with a remedy for each fault."""
    return jsonify({"findings": _admin().diagnosis()})


@machine.get("/api/v1/machine/settings")
@endpoint(answer=Settings, who=Who.HOST)
def settings() -> ResponseReturnValue:
    """The configuration: its text, and every plain key with its sentences."""
    return jsonify({**_admin().settings(), "restarts": context().services.restart is not None})


@machine.post("/api/v1/machine/settings")
@endpoint(body=SettingChange, answer=Done, refusal=Refusal, who=Who.HOST)
def change(asked: SettingChange) -> ResponseReturnValue:
    """Write one key or the whole text, from the next start on; addresses, folders and copies need the proof."""
    admin = _admin()

    def prove() -> None:
        require_proof(asked.proof)

    try:
        if asked.text is not None:
            admin.replace(asked.text, prove)
        else:
            admin.change(str(asked.name), asked.value, prove)
    except BadInputError as error:
        body: Refusal = {"ok": False, "code": "settings/refused", "message": in_languages(str(error))}
        return jsonify(body), 409
    return jsonify({"ok": True})


@machine.post("/api/v1/machine/restart")
@endpoint(answer=Done, who=Who.HOST, ends=True)
def restart() -> ResponseReturnValue:
    """End the companion so that its supervisor starts it with the new settings."""
    end = context().services.restart
    if end is None:
        abort(404, "nobody would start this companion again; end it and start it where it was started")
    end()
    return jsonify({"ok": True})


def metrics(text: Callable[[], bytes]) -> Blueprint:
    """The route `/metrics`, where the configuration enables it; each answer calls `text`."""
    blueprint = Blueprint("metrics", __name__)

    @blueprint.get("/metrics")
    def answer() -> Response:
        return Response(text(), content_type=METRICS_TYPE)

    return blueprint
