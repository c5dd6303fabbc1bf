"""`/api/v1/camera`: the host shows a camera where the board is and what its pawns look like."""

from typing import Annotated, Literal

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue
from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from tock_companion.errors import BadInputError
from tock_companion.language import Text
from tock_companion.schema import Schema
from tock_companion.views.parts import HoleId
from tock_companion.views.phrases import phrase
from tock_rules import Hole
from tock_web.answers.devices import CameraRefusal, CameraTaught, Learned
from tock_web.context import context, teachable_source
from tock_web.routes.live import Picture
from tock_web.serving.faults import InputError
from tock_web.serving.gate import Media, Who, endpoint

MIN_TOUCHES = 4
MAX_TOUCHES = 200

camera = Blueprint("camera", __name__, url_prefix="/api/v1/camera")


def _enough(touches: object) -> object:
    if not isinstance(touches, dict) or len(touches) < MIN_TOUCHES:
        raise PydanticCustomError("input/touches", "needs at least four holes")
    return touches


_Share = Annotated[float, Field(ge=0, le=1)]
_Place = Annotated[list[_Share], Field(min_length=2, max_length=2)]
_Places = Annotated[dict[HoleId, _Place], Field(min_length=MIN_TOUCHES, max_length=MAX_TOUCHES)]


class Touches(Schema):
    """Touched holes by their ids: places in shares of the picture's width and height."""

    touches: Annotated[_Places, BeforeValidator(_enough, json_schema_input_type=_Places)]


class Lesson(Schema):
    """The present scene: the empty board, or all pawns in their camps."""

    shows: Literal["empty", "camps"]


@camera.get("/overlay")
@endpoint(query=Picture, answer=Media(("image/jpeg",)), who=Who.HOST)
def overlay(_asked: Picture) -> ResponseReturnValue:
    """The newest picture with the detections drawn onto it; 204 while there is none."""
    source = teachable_source()
    picture = None if source is None else source.overlay()
    return Response(status=204) if picture is None else Response(picture, mimetype="image/jpeg")


@camera.post("/touch")
@endpoint(body=Touches, answer=CameraTaught, refusal=CameraRefusal, who=Who.HOST)
def touch(asked: Touches) -> ResponseReturnValue:
    """Find the board from the places of four or more holes in the picture."""
    board = context().table.board_file
    for hole in asked.touches:
        if hole not in board.by_id:
            raise InputError(("touches", hole), "hole", hole=hole)
    source = teachable_source()
    if source is None:
        return _refused("camera/none")
    size = source.size_px()
    if size is None:
        return _refused("camera/no_picture")
    try:
        found = source.touch(
            {Hole.parse(hole): (x * size[0], y * size[1]) for hole, (x, y) in asked.touches.items()}
        )
    except BadInputError:
        raise InputError("touches", "touches_close") from None
    if not found["registered"]:
        return _refused(str(found["reason"]), phrase("camera/not_there"))
    return _taught({})


@camera.post("/learn")
@endpoint(body=Lesson, answer=CameraTaught, refusal=CameraRefusal, who=Who.HOST)
def learn(asked: Lesson) -> ResponseReturnValue:
    """Learn the appearance of the empty board, or of the pawns in their camps, in this light."""
    source = teachable_source()
    if source is None:
        return _refused("camera/none")
    if source.size_px() is None:
        return _refused("camera/no_picture")
    found = source.learn(asked.shows)
    if not found["learned"]:
        return _refused(str(found["reason"]), phrase("camera/not_seen"))
    return _taught({"score": found["score"], "weak": found["weak_points"], "kept": found["kept"]})  # type: ignore[typeddict-item]


def _taught(data: Learned) -> ResponseReturnValue:
    return jsonify({"ok": True, "code": "", "message": {}, "data": data})


def _refused(code: str, message: Text | None = None) -> ResponseReturnValue:
    body: CameraRefusal = {"ok": False, "code": code, "message": message or phrase(code), "data": {}}
    return jsonify(body), 409
