"""`/api/v1/practice`: lessons on one phone alone, at any time; the companion keeps nothing of them."""

from typing import Annotated

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.practice_alone import practice_view
from tock_companion.schema import Schema
from tock_companion.views.schema import SeatView
from tock_web.answers.people import Refusal
from tock_web.context import caller, context, device
from tock_web.routes.pages import page
from tock_web.serving.gate import endpoint

MAX_TAPS = 30
practice = Blueprint("practice", __name__)


class Practised(Schema):
    """A lesson, from 1, and everything that the learner has tapped in it: the card, then moves."""

    lesson: Annotated[int, Field(ge=1, le=99)]
    taps: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=MAX_TAPS)]


@practice.get("/practice")
def document() -> ResponseReturnValue:
    """The page of the lessons."""
    return page("practice")


@practice.post("/api/v1/practice")
@endpoint(body=Practised, answer=SeatView, refusal=Refusal, says="practice/refused")
def view(asked: Practised) -> ResponseReturnValue:
    """The learner's view after these taps, as that of a seat."""
    here = context()
    here.quotas.moves.take(device() or "")
    table = here.table
    prepared, indices = table.game.started, table.names.indices
    return jsonify(
        practice_view(prepared, table.board_file, indices, caller().seat, asked.lesson, asked.taps)
    )
