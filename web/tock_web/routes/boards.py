"""`/api/v1/boards`: the host lists, chooses, renames, shares, imports and prints boards."""

from typing import Annotated, Literal

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.schema import A_NAME, A_SEEN_NAME, Schema
from tock_web.answers.boards import BoardKept, BoardRows
from tock_web.answers.people import Done, Fault, Refusal
from tock_web.context import context
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


class NewName(Schema):
    """A board and its new name."""

    key: _Key
    name: Annotated[str, Field(min_length=1, max_length=60), A_SEEN_NAME]


class BoardText(Schema):
    """The text of a board file."""

    file: Annotated[str, Field(max_length=MAX_FILE_CHARS)]


class Sheets(Schema):
    """A board and the kind of print: the board on `paper` to play on, or a template to `drill` by."""

    key: _Key
    drawing: Literal["paper", "drill"]


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
@endpoint(body=OneBoard, answer=Done, refusal=Refusal, who=Who.HOST, says="board/choose")
def choose(asked: OneBoard) -> ResponseReturnValue:
    """End the present game and build the table with another board; every page comes back by itself."""
    _boards().choose(asked.key)
    return jsonify({"ok": True})


@boards.post("/rename")
@endpoint(body=NewName, answer=Done, refusal=Refusal, who=Who.HOST, says="board/keep")
def rename(asked: NewName) -> ResponseReturnValue:
    """Rename a board."""
    _boards().rename(asked.key, asked.name)
    return jsonify({"ok": True})


@boards.post("/remove")
@endpoint(body=OneBoard, answer=Done, refusal=Refusal, who=Who.HOST, says="board/keep")
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
    """A board at full size on sheets of A4."""
    return Response(_boards().sheets(asked.key, asked.drawing), mimetype="application/pdf")
