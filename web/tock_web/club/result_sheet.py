"""`/api/v1/sheet`: at a table without sensors, one side enters the result on a phone and another side confirms it."""

import secrets
from collections.abc import Callable
from typing import Annotated, Literal

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field
from typing_extensions import TypedDict

from tock_companion.club.views import HallGame, ResultRow, game_row, result_row
from tock_companion.schema import Schema
from tock_companion.tournament.decisions import confirm, propose
from tock_companion.tournament.facts import Reporter, Result, SideScore
from tock_web.answers.people import Done, Refusal
from tock_web.club.access import CARD, Card, access
from tock_web.club.director import Homes, asked_desk
from tock_web.serving.faults import refusal
from tock_web.serving.gate import endpoint

sheet = Blueprint("sheet", __name__, url_prefix="/api/v1/sheet")

TableCode = Annotated[str, Field(pattern=r"^[A-Za-z2-7]{1,20}$")]


class OfTable(Schema):
    """The code on a side's card."""

    code: TableCode


class Entered(OfTable):
    """The end of a game: pawns at home of each side, and the index of the winning side."""

    homes: Homes
    winner: Annotated[int, Field(ge=0, le=7)] | None = None


class Confirmed(OfTable):
    """Whether the result shown is right."""

    result: Annotated[str, Field(max_length=80)]
    agrees: bool


class Sheet(TypedDict):
    """The game at a side's table, and its result while unconfirmed."""

    ok: Literal[True]
    round: int
    begun: bool
    game: HallGame
    side: int
    """The card's own, an index."""
    proposal: ResultRow | None
    entered_by: int | None
    """The side that has entered it."""


def _of_card(asked: OfTable, answer: Callable[[Card], ResponseReturnValue]) -> ResponseReturnValue:
    """Answer about the game at the table of this card; a caller who guesses codes has to wait."""
    match access().try_code(asked.code, request.remote_addr or ""):
        case Card() as card:
            return answer(card)
        case int(wait_s):
            return refusal(429, "club/wait", seconds=str(wait_s))
        case None:
            return refusal(403, "club/bad-code")


@sheet.post("")
@endpoint(body=OfTable, answer=Sheet, refusal=Refusal, who=CARD)
def show(asked: OfTable) -> ResponseReturnValue:
    """The present game of a table."""
    return _of_card(asked, _shown)


def _shown(card: Card) -> ResponseReturnValue:
    key = card.key
    state = access().desk.state
    now = state.tournament
    game = None if now is None else now.game(key)
    if now is None or game is None:
        return refusal(403, "club/bad-code")
    proposal = now.proposals.get(key)
    return jsonify(
        {
            "ok": True,
            "round": key.round,
            "begun": now.rounds[key.round - 1].has_begun,
            "game": game_row(state, now, game),
            "side": card.side,
            "proposal": None if proposal is None else result_row(proposal.result),
            "entered_by": None if proposal is None else proposal.side,
        }
    )


@sheet.post("/enter")
@endpoint(body=Entered, answer=Done, refusal=Refusal, who=CARD)
def enter(asked: Entered) -> ResponseReturnValue:
    """Enter a result for one side."""
    scores = tuple(SideScore(home) for home in asked.homes)
    found = Result(f"phone-{secrets.token_hex(6)}", scores, asked.winner, Reporter.PHONE)
    return _of_card(asked, lambda card: asked_desk(lambda now: propose(now, card.key, card.side, found)))


@sheet.post("/confirm")
@endpoint(body=Confirmed, answer=Done, refusal=Refusal, who=CARD)
def say(asked: Confirmed) -> ResponseReturnValue:
    """Confirm another side's, or take it back for any."""
    return _of_card(
        asked,
        lambda card: asked_desk(
            lambda now: confirm(now, card.key, card.side, asked.result, agrees=asked.agrees)
        ),
    )
