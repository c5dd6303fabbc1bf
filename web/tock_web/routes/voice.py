"""`/api/v1/voice`: the host has the table speak through the machine's own loudspeaker, or be silent."""

from typing import Literal, Protocol, cast

from flask import Blueprint, abort, current_app, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.language import Language, Text
from tock_companion.schema import Schema
from tock_web.answers.people import Done, Refusal
from tock_web.answers.voice import VoiceState
from tock_web.gate import Who, endpoint

Speech = Literal["off", "fr", "en"]

voice = Blueprint("voice", __name__, url_prefix="/api/v1/voice")


class SpeechChoice(Schema):
    """Whether the table speaks, and in which language."""

    speech: Speech


class Trial(Schema):
    """The language of a sentence to hear."""

    lang: Language


class TableVoice(Protocol):
    """What the service gives as `VOICE`."""

    @property
    def speech(self) -> Speech:
        """What the host has chosen."""

    def choose(self, speech: Speech) -> None:
        """Take the host's decision; raises TockError when it cannot be kept."""

    def try_out(self, lang: Language) -> None:
        """Say a sentence."""

    def trouble(self) -> Text | None:
        """Why nothing can be heard here."""


def _voice() -> TableVoice:
    found = _found_voice()
    if found is None:
        abort(404, "this companion has no voice")
    return found


def _found_voice() -> TableVoice | None:
    return cast(TableVoice | None, current_app.config.get("VOICE"))


@voice.get("")
@endpoint(answer=VoiceState, who=Who.HOST)
def state() -> ResponseReturnValue:
    """Whether the table speaks, and whether this machine can."""
    found = _found_voice()
    answer: VoiceState = {"speech": None, "trouble": None}
    if found is not None:
        answer = {"speech": found.speech, "trouble": found.trouble()}
    return jsonify(answer)


@voice.post("")
@endpoint(body=SpeechChoice, answer=Done, who=Who.HOST)
def choose(asked: SpeechChoice) -> ResponseReturnValue:
    """Let the table speak, or be silent."""
    _voice().choose(asked.speech)
    return jsonify({"ok": True})


@voice.post("/try")
@endpoint(body=Trial, answer=Done, refusal=Refusal, who=Who.HOST)
def try_out(asked: Trial) -> ResponseReturnValue:
    """Say a sentence, so that the host hears whether all is well."""
    trouble = _voice().trouble()
    if trouble is not None:
        body: Refusal = {"ok": False, "code": "voice/trouble", "message": trouble}
        return jsonify(body), 409
    _voice().try_out(asked.lang)
    return jsonify({"ok": True})
