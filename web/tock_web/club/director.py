"""`/api/v1/director`: requests of a club tournament's director to the desk."""

import secrets
from collections.abc import Callable
from typing import Annotated

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.club.people_list import MAX_BYTES, as_text, decoded, entries
from tock_companion.club.views import DirectorView, director_view, hall_view, standings_csv, standings_view
from tock_companion.errors import BadInputError
from tock_companion.schema import A_NAME, A_SEEN_NAME, Schema
from tock_companion.tournament.decisions import (
    Decision,
    Refused,
    begin_round,
    close,
    come_back,
    correct,
    drop_round,
    pair,
    report,
    withdraw,
)
from tock_companion.tournament.facts import GameKey, Reporter, Result, SideScore
from tock_companion.tournament.plan import Form, Plan, System
from tock_companion.tournament.state import Tournament
from tock_web.answers.people import Done, Refusal
from tock_web.club.access import DIRECTOR, access
from tock_web.club.answers import ReadList
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Media, endpoint

director = Blueprint("director", __name__, url_prefix="/api/v1/director")

ShortText = Annotated[str, Field(min_length=1, max_length=60), A_SEEN_NAME]
Reason = Annotated[str, Field(max_length=200), A_NAME]
Homes = Annotated[list[Annotated[int, Field(ge=0, le=32)]], Field(min_length=2, max_length=8)]


class Code(Schema):
    """The code printed where the desk was started."""

    pin: Annotated[str, Field(max_length=20)]


class NewTournament(Schema):
    """A tournament to announce."""

    name: ShortText
    form: Annotated[Form, Field(strict=False)] = Form.SINGLES
    system: Annotated[System, Field(strict=False)] = System.SWISS
    seats: Annotated[int, Field(ge=2, le=8)] = 4
    rounds: Annotated[int, Field(ge=1, le=30)] = 5
    minutes: Annotated[int, Field(ge=1, le=600)] | None = None
    group_entrants: Annotated[int, Field(ge=2, le=64)] = 4
    ruleset: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")] = "mjc"


class PeopleList(Schema):
    """Names, a line for each entry, typed or pasted."""

    text: Annotated[str, Field(max_length=MAX_BYTES)]


class One(Schema):
    """An entrant, by number."""

    entrant: Annotated[int, Field(ge=1, le=1_000_000)]


class TableResult(Schema):
    """The end of a game: pawns at home of each side, the index of the winning side, and the reason for a correction."""

    round: Annotated[int, Field(ge=1, le=999)]
    table: Annotated[int, Field(ge=1, le=9999)]
    homes: Homes
    winner: Annotated[int, Field(ge=0, le=7)] | None = None
    why: Reason = ""


def outcome(refused: Refused | None) -> ResponseReturnValue:
    """Success, or a refusal with its sentence."""
    if refused is None:
        return jsonify({"ok": True})
    return refusal(409, refused.code, **refused.params)


def asked_desk(decide: Callable[[Tournament], Decision]) -> ResponseReturnValue:
    """The desk's answers to a question about the present tournament."""
    return outcome(access().desk.ask(decide))


@director.post("/login")
@endpoint(body=Code, answer=Done, refusal=Refusal)
def login(asked: Code) -> ResponseReturnValue:
    """Become the director, with the code that the desk printed."""
    wait_s = access().try_pin(asked.pin, request.remote_addr or "")
    if wait_s is None:
        return refusal(403, "club/pin")
    if wait_s:
        return refusal(429, "club/wait", seconds=str(wait_s))
    answer = jsonify({"ok": True})
    access().let_in(answer)
    return answer


@director.post("/logout")
@endpoint(answer=Done, who=DIRECTOR)
def logout() -> ResponseReturnValue:
    """Stop being the director on this device."""
    answer = jsonify({"ok": True})
    access().let_out(answer)
    return answer


@director.get("")
@endpoint(answer=DirectorView, who=DIRECTOR)
def now() -> ResponseReturnValue:
    """The director's own information."""
    return jsonify(director_view(access().desk.state))


@director.post("/open")
@endpoint(body=NewTournament, answer=Done, refusal=Refusal, who=DIRECTOR, ends=True)
def open_tournament(asked: NewTournament) -> ResponseReturnValue:
    """Announce a tournament; the previous one is kept."""
    return outcome(access().desk.open(Plan(**dict(asked))))


@director.post("/enter")
@endpoint(body=PeopleList, answer=Done, refusal=Refusal, who=DIRECTOR)
def enter(asked: PeopleList) -> ResponseReturnValue:
    """Enter everybody on a list, or nobody."""
    return _of_list(lambda: asked.text, lambda found: outcome(access().desk.enter_all(found)))


@director.post("/list")
@endpoint(
    body=Media(("text/csv", "text/plain", "application/octet-stream", "application/vnd.ms-excel")),
    answer=ReadList,
    refusal=Refusal,
    who=DIRECTOR,
    limit_bytes=MAX_BYTES + 1,
)
def read_list() -> ResponseReturnValue:
    """The entrants of a list that a person typed or a spreadsheet saved, for a look before they are entered."""
    return _of_list(
        lambda: decoded(request.get_data(cache=False)),
        lambda found: jsonify({"ok": True, "text": as_text(found), "count": len(found)}),
    )


def _of_list(
    read: Callable[[], str], answer: Callable[[list[tuple[str, ...]]], ResponseReturnValue]
) -> ResponseReturnValue:
    tournament = access().desk.state.tournament
    people = 1 if tournament is None else tournament.plan.people_of_entrant
    try:
        return answer(entries(read(), people))
    except BadInputError as error:
        return refusal(409, "club/list", reason=str(error))


@director.post("/withdraw")
@endpoint(body=One, answer=Done, refusal=Refusal, who=DIRECTOR)
def take_out(asked: One) -> ResponseReturnValue:
    """Withdraw somebody from further rounds."""
    return asked_desk(lambda now: withdraw(now, asked.entrant))


@director.post("/return")
@endpoint(body=One, answer=Done, refusal=Refusal, who=DIRECTOR)
def take_back(asked: One) -> ResponseReturnValue:
    """Bring somebody back who had withdrawn."""
    return asked_desk(lambda now: come_back(now, asked.entrant))


@director.post("/pair")
@endpoint(answer=Done, refusal=Refusal, who=DIRECTOR)
def pair_round() -> ResponseReturnValue:
    """Pair the next round; it is announced only when it begins."""
    return asked_desk(pair)


@director.post("/drop")
@endpoint(answer=Done, refusal=Refusal, who=DIRECTOR, ends=True)
def drop() -> ResponseReturnValue:
    """Drop the pairings of a round that has not begun."""
    return asked_desk(drop_round)


@director.post("/begin")
@endpoint(answer=Done, refusal=Refusal, who=DIRECTOR)
def begin() -> ResponseReturnValue:
    """Have all tables begin the round."""
    return asked_desk(begin_round)


@director.post("/time")
@endpoint(answer=Done, refusal=Refusal, who=DIRECTOR, ends=True)
def end_time() -> ResponseReturnValue:
    """End the round's time now: the boards count as they stand."""
    access().desk.end_time()
    return outcome(None)


@director.post("/result")
@endpoint(body=TableResult, answer=Done, refusal=Refusal, who=DIRECTOR)
def result(asked: TableResult) -> ResponseReturnValue:
    """Enter a missing result, or correct one with a reason."""
    key = GameKey(asked.round, asked.table)
    scores = tuple(SideScore(home) for home in asked.homes)
    found = Result(f"director-{secrets.token_hex(6)}", scores, asked.winner, Reporter.DIRECTOR)
    return asked_desk(
        lambda now: correct(now, key, found, asked.why) if key in now.results else report(now, key, found)
    )


@director.post("/close")
@endpoint(answer=Done, refusal=Refusal, who=DIRECTOR, ends=True)
def end() -> ResponseReturnValue:
    """Close the tournament."""
    return asked_desk(close)


@director.post("/seen")
@endpoint(answer=Done, who=DIRECTOR)
def seen() -> ResponseReturnValue:
    """Note that the director has read about results that could not be counted."""
    access().desk.warn(None)
    return outcome(None)


@director.get("/standings.csv")
@endpoint(answer=Media(("text/csv",)), who=DIRECTOR)
def as_csv() -> ResponseReturnValue:
    """The standings for a spreadsheet."""
    tournament = access().desk.state.tournament
    if tournament is None:
        abort(404)
    # The byte order mark tells spreadsheets that it is UTF-8.
    return Response("\ufeff" + standings_csv(tournament), mimetype="text/csv")


@director.get("/evening.json")
@endpoint(answer=dict[str, object], who=DIRECTOR)
def as_json() -> ResponseReturnValue:
    """Round and standings for other programs."""
    desk = access().desk
    return jsonify({"hall": hall_view(desk), **standings_view(desk.state.tournament)})
