"""`/api/v1/voice`: the host switches the table's voice on its own loudspeaker on or off."""

from typing import Annotated

from flask import Blueprint, abort, jsonify
from flask.typing import ResponseReturnValue
from pydantic import AfterValidator

from tock_companion.language import Language, installed
from tock_companion.schema import Schema
from tock_companion.voice.table_voice import SILENT, TableVoice
from tock_web.answers.machine import VoiceState
from tock_web.answers.people import Done, Refusal
from tock_web.context import context
from tock_web.serving.gate import Who, endpoint

voice = Blueprint("voice", __name__, url_prefix="/api/v1/voice")


def _silent_or_installed(speech: str) -> str:
    return speech if speech == SILENT else installed(speech)


class SpeechChoice(Schema):
    """Whether the table speaks, and in which language."""

    speech: Annotated[str, AfterValidator(_silent_or_installed)]


class SpeechSample(Schema):
    """The language of a sample sentence."""

    lang: Language


def _voice() -> TableVoice:
    found = context().services.voice
    if found is None:
        abort(404, "this companion has no voice")
    return found


@voice.get("")
@endpoint(answer=VoiceState, who=Who.HOST)
def state() -> ResponseReturnValue:
    """Whether the table speaks, and whether this machine can."""
    found = context().services.voice
    answer: VoiceState = {"speech": None, "trouble": None}
    if found is not None:
        answer = {"speech": found.speech, "trouble": found.trouble()}
    return jsonify(answer)


@voice.post("")
@endpoint(body=SpeechChoice, answer=Done, who=Who.HOST)
def choose(asked: SpeechChoice) -> ResponseReturnValue:
    """Switch the table's voice on or off."""
    _voice().choose(asked.speech)
    return jsonify({"ok": True})


@voice.post("/try")
@endpoint(body=SpeechSample, answer=Done, refusal=Refusal, who=Who.HOST)
def try_out(asked: SpeechSample) -> ResponseReturnValue:
    """Say a sample sentence, so that the host can check the sound."""
    trouble = _voice().trouble()
    if trouble is not None:
        body: Refusal = {"ok": False, "code": "voice/trouble", "message": trouble}
        return jsonify(body), 409
    _voice().try_out(asked.lang)
    return jsonify({"ok": True})
