"""`/api/v1/board-maker`: the host makes a board from photographs, mends it by finger, checks it and keeps it."""

from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Annotated, Literal

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import AfterValidator, Field

from tock_companion.boardfile import COLOR_NAMES
from tock_companion.schema import A_SEEN_NAME, Schema
from tock_web.answers.boards import BoardKept
from tock_web.answers.people import Refusal
from tock_web.context import context
from tock_web.feature import Feature
from tock_web.limits.bodies import PHOTO_BYTES
from tock_web.routes.live import Picture
from tock_web.routes.photo import PHOTO
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Media, QueryNumber, Who, endpoint
from tock_web.workshop.answers import MADE_HOLE_PATTERN, BoardMade
from tock_web.workshop.services import BoardMaker, WorkshopServices

PATIENCE_S = 35.0
"""Time limit for reading a photo with pawns; the page waits a little longer."""
MAX_STARTS = 8
REFUSED = "board/make"

board_maker = Blueprint("board_maker", __name__, url_prefix="/api/v1/board-maker")
WORKSHOP = Feature("workshop", (board_maker,), host_words=("maker.", "corner-"))
_decoding = BoundedSemaphore(1)
"""One photo at a time: a large one takes 200 MB for a moment."""


def _color(value: str) -> str:
    if value and value not in COLOR_NAMES:
        raise ValueError(f"it is one of {', '.join(COLOR_NAMES)}")
    return value


_Share = Annotated[float, Field(ge=0, le=1)]
_At = Annotated[list[_Share], Field(min_length=2, max_length=2)]


class Search(Schema):
    """The number of zones, null to find it out; all start holes, clockwise, in the first photo; and the middle."""

    zones: Literal[4, 6, 8] | None = None
    starts: Annotated[list[_At], Field(max_length=MAX_STARTS)] = Field(default_factory=list)
    middle: bool | None = None
    """Whether there is a hole in the middle, null to find it out; heard with the starts alone."""


class BoardStarts(Schema):
    """All start holes of a board, clockwise, in the first photo."""

    starts: Annotated[list[_At], Field(min_length=4, max_length=MAX_STARTS)]


class PictureNumber(Schema):
    """A photograph by its number, from 0."""

    number: QueryNumber


class BoardEdit(Schema):
    """A finger's edit: `add`, `remove` or `move` a hole, or name the colour whose `start` or `own` hole it is."""

    kind: Literal["add", "remove", "move", "start", "own"]
    hole: Annotated[str, Field(pattern=MADE_HOLE_PATTERN)] = "C"
    photo: Annotated[int, Field(ge=0, le=9)] = 0
    at: _At | None = None
    """The place in the photo, in shares of its width and height."""
    color: Annotated[str, AfterValidator(_color)] = ""
    everywhere: bool = True
    """In all zones alike."""


class BoardAnswer(Schema):
    """Yes or no to a question of the search, by its code."""

    code: Literal[
        "discover/ask_start",
        "discover/ask_holes",
        "discover/ask_camp",
        "discover/ask_centre",
        "discover/ask_colors",
    ]
    yes: bool


class BoardName(Schema):
    """The name under which to save the board."""

    name: Annotated[str, Field(min_length=1, max_length=60), A_SEEN_NAME]


def _maker() -> BoardMaker:
    found = context().services.of_feature(WorkshopServices)
    if found is None:
        abort(404, "this companion makes no boards")
    return found.board_maker


@board_maker.get("")
@endpoint(answer=BoardMade, who=Who.HOST)
def state() -> ResponseReturnValue:
    """Progress of the board."""
    return jsonify(_maker().state())


@board_maker.post("/clear")
@endpoint(answer=BoardMade, who=Who.HOST, says=REFUSED, ends=True)
def clear() -> ResponseReturnValue:
    """Forget the photographs, and start again."""
    return _after(lambda maker: maker.clear())


@board_maker.post("/photo")
@endpoint(body=PHOTO, answer=BoardMade, refusal=Refusal, who=Who.HOST, limit_bytes=PHOTO_BYTES, says=REFUSED)
def photo() -> ResponseReturnValue:
    """Add a photograph of the board; three at most."""
    return _with_photo(lambda maker, data: maker.add_photo(data), request.get_data(cache=False))


@board_maker.post("/frame")
@endpoint(answer=BoardMade, refusal=Refusal, who=Who.HOST, says=REFUSED)
def frame() -> ResponseReturnValue:
    """Add the present picture of the table's camera."""
    return _with_photo(lambda maker, data: maker.add_photo(data), context().table.preview())


@board_maker.get("/picture")
@endpoint(query=PictureNumber, answer=Media(("image/jpeg",)), who=Who.HOST)
def picture(asked: PictureNumber) -> ResponseReturnValue:
    """A photograph of the board that is being made."""
    found = _maker().picture(asked.number)
    return Response(status=204) if found is None else Response(found, mimetype="image/jpeg")


@board_maker.get("/checked-picture")
@endpoint(query=Picture, answer=Media(("image/jpeg",)), who=Who.HOST)
def checked_picture(_asked: Picture) -> ResponseReturnValue:
    """The photograph that was checked last."""
    found = _maker().checked_picture()
    return Response(status=204) if found is None else Response(found, mimetype="image/jpeg")


@board_maker.post("/find")
@endpoint(body=Search, answer=BoardMade, refusal=Refusal, who=Who.HOST, says=REFUSED)
def find(asked: Search) -> ResponseReturnValue:
    """Start searching for the board; the state reports the progress."""
    return _after(lambda maker: maker.find(asked.zones, [(x, y) for x, y in asked.starts], asked.middle))


@board_maker.post("/draw")
@endpoint(body=BoardStarts, answer=BoardMade, refusal=Refusal, who=Who.HOST, says=REFUSED)
def draw(asked: BoardStarts) -> ResponseReturnValue:
    """Start from the start holes alone, where no board is found; all others are drawn by finger."""
    return _after(lambda maker: maker.draw([(x, y) for x, y in asked.starts]))


@board_maker.post("/edit")
@endpoint(body=BoardEdit, answer=BoardMade, refusal=Refusal, who=Who.HOST, says=REFUSED)
def edit(asked: BoardEdit) -> ResponseReturnValue:
    """Mend the board by finger."""
    at = None if asked.at is None else (asked.at[0], asked.at[1])
    mistake = _maker().edit(asked.kind, asked.hole, asked.photo, at, asked.color, asked.everywhere)
    return refusal(409, f"board/mend_{mistake}") if mistake else jsonify(_maker().state())


@board_maker.post("/answer")
@endpoint(body=BoardAnswer, answer=BoardMade, refusal=Refusal, who=Who.HOST, says=REFUSED)
def answer(asked: BoardAnswer) -> ResponseReturnValue:
    """Answer a question; a hole in the middle is put there, or taken away."""
    return _after(lambda maker: maker.answer(asked.code, yes=asked.yes))


@board_maker.post("/undo")
@endpoint(answer=BoardMade, who=Who.HOST, says=REFUSED)
def undo() -> ResponseReturnValue:
    """Undo the last change."""
    return _after(lambda maker: maker.undo())


@board_maker.post("/check")
@endpoint(body=PHOTO, answer=BoardMade, refusal=Refusal, who=Who.HOST, limit_bytes=PHOTO_BYTES, says=REFUSED)
def check() -> ResponseReturnValue:
    """Look for all pawns in their camps, in a photograph."""
    return _with_photo(lambda maker, data: maker.check(data, PATIENCE_S), request.get_data(cache=False))


@board_maker.post("/check-frame")
@endpoint(answer=BoardMade, refusal=Refusal, who=Who.HOST, says=REFUSED)
def check_frame() -> ResponseReturnValue:
    """Look for all pawns in their camps, in the camera's present picture."""
    return _with_photo(lambda maker, data: maker.check(data, PATIENCE_S), context().table.preview())


@board_maker.post("/save")
@endpoint(body=BoardName, answer=BoardKept, refusal=Refusal, who=Who.HOST, says=REFUSED)
def save(asked: BoardName) -> ResponseReturnValue:
    """Save the board under a name, with everything that a camera can learn from it."""
    maker, boards = _maker(), context().services.boards
    if boards is None:
        abort(404, "this companion keeps no boards")
    return jsonify({"ok": True, "key": boards.keep_made(maker.board(asked.name), maker.learn)})


def _after(change: Callable[[BoardMaker], None]) -> ResponseReturnValue:
    maker = _maker()
    change(maker)
    return jsonify(maker.state())


def _with_photo(use: Callable[[BoardMaker, bytes], object], data: bytes | None) -> ResponseReturnValue:
    maker = _maker()
    context().quotas.photos.take("board")
    if data is None:
        return refusal(409, "camera/no_picture")
    if not _decoding.acquire(blocking=False):
        return refusal(503, "photo/busy")
    try:
        use(maker, data)
    finally:
        _decoding.release()
    return jsonify(maker.state())
