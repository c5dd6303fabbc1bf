"""`/api/v1/evidence`: what speaks for a move that the referee accepted; for the host alone, when players dispute it."""

from typing import cast

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.rules import BoardShape
from tock_companion.views.names import Names
from tock_web.context import context
from tock_web.hosting import must_be_host

evidence = Blueprint("evidence", __name__, url_prefix="/api/v1/evidence")


def _number(name: str) -> int | None:
    """Return a number of the query; 400 for anything else."""
    text = request.args.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        abort(400, f"{name} is a number")
    return int(text)


def _seq() -> int:
    seq = _number("seq")
    if seq is None:
        abort(400, "seq is the number of an event")
    return seq


@evidence.get("")
def told() -> ResponseReturnValue:
    """Return move, probability, rule and the names of the pictures, with the places that they show in words."""
    must_be_host()
    here = context()
    found = here.table.witness.of(_seq(), _number("game"))
    board = here.table.board_file
    names = Names(BoardShape(board.zones), board.colors, {})
    holes = {name.rpartition("/")[2] for name in cast(list[str], found["pictures"])} & board.by_id.keys()
    return jsonify({**found, "places": {hole: names.place(hole) for hole in sorted(holes)}})


@evidence.get("/picture")
def picture() -> ResponseReturnValue:
    """Return one of the pictures; 404 when there is none of that name."""
    must_be_host()
    png = context().table.witness.png(_seq(), request.args.get("name", ""), _number("game"))
    if png is None:
        abort(404)
    return Response(png, mimetype="image/png")
