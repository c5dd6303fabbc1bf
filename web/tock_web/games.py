"""`/api/v1/games`: the present game to step through, and for the host all games, to keep and to take up again."""

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from tock_web.context import answer_of, body, context, text_of
from tock_web.hosting import must_be_host

LOG_LIMIT_BYTES = 4_000_000
"""A long game of eight players is a tenth of this."""

games = Blueprint("games", __name__, url_prefix="/api/v1")


@games.get("/replay")
def replay() -> ResponseReturnValue:
    """Return the present game step by step; it has nobody's hand."""
    return jsonify(context().table.replay())


@games.get("/record.txt")
def record() -> ResponseReturnValue:
    """Return the present game as text for people."""
    text = context().table.record()
    return Response(text, mimetype="text/plain", headers=_as_file("tock.txt"))


@games.get("/games")
def all_games() -> ResponseReturnValue:
    """Return all games, newest first."""
    must_be_host()
    return jsonify({"games": context().table.archive.games()})


@games.get("/game.jsonl")
def log() -> ResponseReturnValue:
    """Return the log of one game, to keep it."""
    must_be_host()
    number = request.args.get("number", "")
    if not number.isdecimal() or len(number) > 9:
        abort(400, "number is the number of a game")
    text = context().table.archive.log(int(number))
    return Response(text, mimetype="application/x-ndjson", headers=_as_file(f"tock-{number}.jsonl"))


@games.get("/journal")
def journal() -> ResponseReturnValue:
    """Return what the referee decided in the present game, newest first, with the evidence."""
    must_be_host()
    return jsonify({"events": context().table.journal()})


@games.post("/games")
def take_up() -> ResponseReturnValue:
    """Go on with the game of a log that was kept."""
    request.max_content_length = LOG_LIMIT_BYTES
    must_be_host()
    return answer_of(context().table.take_up(text_of(body(), "log", LOG_LIMIT_BYTES).splitlines()))


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename={name}"}
