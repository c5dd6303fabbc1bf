"""The present game to step through; for the host, all games, to save and resume, and the evidence for their moves."""

from dataclasses import asdict
from typing import Annotated, cast

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.fields import Number, SeatValue
from tock_companion.core.requests import bad_request
from tock_companion.errors import MAX_NAME_CHARS, BadInputError
from tock_companion.files import text_of
from tock_companion.schema import Schema
from tock_companion.views.names import Names
from tock_companion.views.schema import ReplayView
from tock_web.answers.game import Evidence, Games, Journal, KeptGameInfo
from tock_web.answers.people import Fault, TableReply
from tock_web.context import answer_of, context
from tock_web.serving.gate import Media, QueryNumber, Who, endpoint

LOG_LIMIT_BYTES = 4_000_000
"""Ten times the length of a long game of eight players."""

PICTURE_PX = 192
"""Twice the size on the page, for fine screens."""

games = Blueprint("games", __name__, url_prefix="/api/v1")


class GameQuery(Schema):
    """A game of the archive."""

    number: QueryNumber


class KeptGame(Schema):
    """The log of a game, one event a line, or the number of one that is kept here."""

    log: Annotated[str, Field(max_length=LOG_LIMIT_BYTES)] = ""
    number: Number | None = None


class KeptGameWith(KeptGame):
    """The present seats of those who play on, by their seats in that game; without them names decide."""

    people: dict[SeatValue, SeatValue] | None = None


class Forget(Schema):
    """A kept game, the pictures of one of its moves, or a name: deleted for ever, from copies too."""

    game: Annotated[int, Field(ge=1)] | None = None
    """The game; with `seq` only the pictures of that event, of the running game if none is named."""
    seq: Annotated[int, Field(ge=1)] | None = None
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)] | None = None


class EvidenceQuery(Schema):
    """The event of an accepted move, of the running game if none is named."""

    seq: QueryNumber
    game: QueryNumber | None = None


class PictureQuery(EvidenceQuery):
    """One of its pictures, by the name that the evidence gives it."""

    name: Annotated[str, Field(pattern="^[A-Za-z0-9/._-]{0,40}$")] = ""


@games.get("/replay")
@endpoint(answer=ReplayView)
def replay() -> ResponseReturnValue:
    """The present game step by step, without anyone's hand."""
    return jsonify(context().table.replay())


@games.get("/record.txt")
@endpoint(answer=Media(("text/plain",)))
def record() -> ResponseReturnValue:
    """The present game as text for people."""
    text = context().table.record()
    return Response(text, mimetype="text/plain", headers=_as_file("tock.txt"))


@games.get("/games")
@endpoint(answer=Games, who=Who.HOST)
def all_games() -> ResponseReturnValue:
    """All games, the newest first."""
    here = context()
    games = here.table.archive.games()
    drawn = here.services.draw_board is not None
    return jsonify({"games": games, "pictures": drawn, "names": here.table.kept_names})


@games.get("/game.jsonl")
@endpoint(query=GameQuery, answer=Media(("application/x-ndjson",)), refusal=Fault, who=Who.HOST)
def log(asked: GameQuery) -> ResponseReturnValue:
    """The log of one game, to save it."""
    text = context().table.archive.log(asked.number)
    return Response(text, mimetype="application/x-ndjson", headers=_as_file(f"tock-{asked.number}.jsonl"))


@games.get("/games/picture.png")
@endpoint(query=GameQuery, answer=Media(("image/png",)), refusal=Fault, who=Who.HOST)
def picture(asked: GameQuery) -> ResponseReturnValue:
    """A picture of a game's pawns on its own board."""
    here = context()
    if here.services.draw_board is None:
        abort(404)
    board, holes = here.table.archive.standing(asked.number)
    return Response(here.services.draw_board(board, holes, PICTURE_PX), mimetype="image/png")


@games.get("/journal")
@endpoint(answer=Journal, who=Who.HOST)
def journal() -> ResponseReturnValue:
    """The referee's decisions in the present game, the newest first, with the evidence."""
    table = context().table
    return jsonify({"events": table.journal(), "position": table.position_text()})


@games.post("/games/look")
@endpoint(body=KeptGame, answer=KeptGameInfo, refusal=TableReply, who=Who.HOST, limit_bytes=LOG_LIMIT_BYTES)
def look_at(asked: KeptGame) -> ResponseReturnValue:
    """A preview of a game's log before it goes on; nothing changes."""
    here = context()
    here.quotas.uploads.take("")
    try:
        found = here.table.look_at(_lines(asked), asked.number)
    except BadInputError as error:
        return answer_of(bad_request(error))
    chairs = [
        {"seat": seat.name, "name": name, "now": None if now is None else now.name}
        for seat, name, now in found.chairs
    ]
    return jsonify({**asdict(found), "chairs": chairs})


@games.post("/games")
@endpoint(
    body=KeptGameWith,
    answer=TableReply,
    refusal=TableReply,
    who=Who.HOST,
    limit_bytes=LOG_LIMIT_BYTES,
    ends=True,
)
def take_up(asked: KeptGameWith) -> ResponseReturnValue:
    """End the present game and go on with the one of a log."""
    here = context()
    here.quotas.uploads.take("")
    try:
        lines = _lines(asked)
    except BadInputError as error:
        return answer_of(bad_request(error))
    return answer_of(here.table.take_up(lines, asked.number, asked.people))


def _lines(asked: KeptGame) -> list[str]:
    """The log of the game that was asked for; raises BadInputError."""
    text = asked.log if asked.number is None else context().table.archive.log(asked.number)
    return text_of(text, "log").split("\n")


@games.post("/games/forget")
@endpoint(body=Forget, answer=TableReply, refusal=TableReply, who=Who.HOST, ends=True)
def forget(asked: Forget) -> ResponseReturnValue:
    """Delete a kept game, the pictures of a move, or a name; copies follow within a minute."""
    table = context().table
    if asked.name is not None and (asked.game, asked.seq) == (None, None):
        return answer_of(table.forget_name(asked.name))
    if asked.name is None and asked.seq is not None:
        return answer_of(table.forget_pictures(asked.game, asked.seq))
    if asked.name is None and asked.game is not None:
        return answer_of(table.forget_game(asked.game))
    return answer_of(bad_request(BadInputError("name a game, the pictures of a move, or a name")))


@games.get("/evidence")
@endpoint(query=EvidenceQuery, answer=Evidence, refusal=Fault, who=Who.HOST)
def evidence(asked: EvidenceQuery) -> ResponseReturnValue:
    """The evidence for a move that the referee accepted, for when players dispute it."""
    here = context()
    found = here.table.evidence.of(asked.seq, asked.game)
    board = here.table.board_file
    names = Names(board.shape, board.colors, {})
    holes = {name.rpartition("/")[2] for name in cast(list[str], found["pictures"])} & board.by_id.keys()
    return jsonify({**found, "places": {hole: names.place(hole) for hole in sorted(holes)}})


@games.get("/evidence/picture")
@endpoint(query=PictureQuery, answer=Media(("image/png",)), refusal=Fault, who=Who.HOST)
def evidence_picture(asked: PictureQuery) -> ResponseReturnValue:
    """One of the pictures of that evidence."""
    png = context().table.evidence.png(asked.seq, asked.name, asked.game)
    if png is None:
        abort(404)
    return Response(png, mimetype="image/png")


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename={name}"}
