"""`/api/v1/boards`: the host lists, chooses, renames, shares, imports and prints boards."""

from typing import Annotated, Literal

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.bodies import RulesetName
from tock_companion.core.requests import refused
from tock_companion.schema import A_NAME, A_SEEN_NAME, Schema
from tock_web.answers.boards import BoardKept, BoardRows
from tock_web.answers.people import Done, Fault, Refusal, TableReply
from tock_web.context import answer_of, context
from tock_web.services import Boards
from tock_web.serving.gate import Media, Who, endpoint

MAX_FILE_CHARS = 500_000
"""Ten times the size of the largest board."""

BOARD_FILE = "application/octet-stream"
"""To be saved as it is, and not shown."""

boards = Blueprint("boards", __name__, url_prefix="/api/v1/boards")

_Key = Annotated[str, Field(min_length=1, max_length=255), A_NAME]


class OneBoard(Schema):
    """A board by its key."""

    key: _Key


class ChosenBoard(OneBoard):
    """A board by its key, and the game to play on it."""

    game: RulesetName | None = None


class NewName(Schema):
    """A board and its new name."""

    key: _Key
    name: Annotated[str, Field(min_length=1, max_length=60), A_SEEN_NAME]


class BoardText(Schema):
    """The text of a board file."""

    file: Annotated[str, Field(max_length=MAX_FILE_CHARS)]


class Sheets(Schema):
    """A board, the kind of print (the board on `paper` to play on, or a template to `drill` by) and the sheets."""

    key: _Key
    drawing: Literal["paper", "drill"]
    size: Literal["a4", "letter"] = "a4"


def _boards() -> Boards:
    found = context().services.boards
    if found is None:
        abort(404, "this companion keeps no boards")
    return found


@boards.get("")
@endpoint(answer=BoardRows, who=Who.HOST)
def known() -> ResponseReturnValue:
    """The boards to choose from, and the one in use; none where the companion keeps none."""
    found = context().services.boards
    return jsonify({"boards": found.known() if found is not None else []})


@boards.post("/choose")
@endpoint(
    body=ChosenBoard, answer=Done, refusal=Refusal | TableReply, who=Who.HOST, says="board/choose", ends=True
)
def choose(asked: ChosenBoard) -> ResponseReturnValue:
    """End the present game and build the table with another board; every page comes back by itself."""
    places = _boards().places_on(asked.key)
    chairs = [to for to in places.values() if to is not None]
    if len(chairs) < len(places):
        return answer_of(refused("too_many_sit", sitting=str(len(places)), players=str(len(chairs))))
    _boards().choose(asked.key, asked.game or "")
    return jsonify({"ok": True})


@boards.post("/rename")
@endpoint(body=NewName, answer=Done, refusal=Refusal, who=Who.HOST, says="board/keep")
def rename(asked: NewName) -> ResponseReturnValue:
    """Rename a board."""
    _boards().rename(asked.key, asked.name)
    return jsonify({"ok": True})


@boards.post("/remove")
@endpoint(body=OneBoard, answer=Done, refusal=Refusal, who=Who.HOST, says="board/keep", ends=True)
def remove(asked: OneBoard) -> ResponseReturnValue:
    """Delete a board that is not in use."""
    _boards().remove(asked.key)
    return jsonify({"ok": True})


@boards.post("")
@endpoint(
    body=BoardText,
    answer=BoardKept,
    refusal=Refusal,
    who=Who.HOST,
    limit_bytes=2 * MAX_FILE_CHARS,
    says="board/file",
)
def take_in(asked: BoardText) -> ResponseReturnValue:
    """Save the board of a file that somebody shared."""
    context().quotas.uploads.take("")
    return jsonify({"ok": True, "key": _boards().take_in(asked.file)})


@boards.get("/file")
@endpoint(query=OneBoard, answer=Media((BOARD_FILE,)), refusal=Fault, who=Who.HOST)
def file(asked: OneBoard) -> ResponseReturnValue:
    """The board file of a board, to share it."""
    headers = {"Content-Disposition": "attachment; filename=tock-board.json"}
    return Response(_boards().file(asked.key), mimetype=BOARD_FILE, headers=headers)


@boards.get("/sheets")
@endpoint(query=Sheets, answer=Media(("application/pdf",)), refusal=Fault, who=Who.HOST)
def sheets(asked: Sheets) -> ResponseReturnValue:
    """A board at full size on sheets of A4 or Letter."""
    return Response(_boards().sheets(asked.key, asked.drawing, asked.size), mimetype="application/pdf")
