"""`/api/v1/sim`: the hands of people at the simulated table, and its camera's picture."""

from typing import Annotated

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.fields import CardValue, SeatValue
from tock_companion.errors import BadInputError
from tock_companion.schema import Schema
from tock_companion.sources.scene import Scene
from tock_rules import MAX_PAWNS
from tock_web.answers.devices import SceneInfo
from tock_web.answers.people import Fault
from tock_web.context import context
from tock_web.routes.live import Picture
from tock_web.serving.faults import InputError
from tock_web.serving.gate import Media, endpoint

sim = Blueprint("sim", __name__, url_prefix="/api/v1/sim")

_Millimetres = Annotated[float, Field(ge=-1e6, le=1e6)]


class MovedPawn(Schema):
    """A physical pawn and where it goes, in millimetres of the board file; null lays it into the tray."""

    id: Annotated[str, Field(pattern=f"^P[0-7]-[1-{MAX_PAWNS}]$")]
    x_mm: _Millimetres | None = None
    y_mm: _Millimetres | None = None


class PutBack(Schema):
    """Nothing more is said with it."""


class LaidCard(Schema):
    """A card beside the board and its owner; null takes the laid one away."""

    card: CardValue | None = None
    seat: SeatValue | None = None


class HeldHand(Schema):
    """A place to hold a hand over; null takes it away."""

    x_mm: _Millimetres | None = None
    y_mm: _Millimetres | None = None


def scene() -> Scene:
    """The simulated table; 404 where the table is a real one."""
    found = context().table.scene
    if found is None:
        abort(404, "this table is a real one")
    return found


@sim.get("/scene")
@endpoint(answer=SceneInfo, refusal=Fault)
def show() -> ResponseReturnValue:
    """The places of the physical pawns, the hand and the card."""
    return jsonify(scene().to_json())


@sim.get("/frame")
@endpoint(query=Picture, answer=Media(("image/jpeg",)), refusal=Fault)
def frame(_asked: Picture) -> ResponseReturnValue:
    """The newest picture of the simulated camera; 204 while there is none."""
    # Only the simulated table shows its camera to everybody: its picture contains no living room.
    scene()
    picture = context().table.preview()
    return Response(status=204) if picture is None else Response(picture, mimetype="image/jpeg")


@sim.post("/pawn")
@endpoint(body=MovedPawn, answer=SceneInfo, refusal=Fault)
def move_pawn(asked: MovedPawn) -> ResponseReturnValue:
    """Put a pawn somewhere on or beside the board, or into the tray."""
    if asked.x_mm is not None and asked.y_mm is None:
        raise InputError("y_mm", "missing")
    try:
        if asked.x_mm is None or asked.y_mm is None:
            scene().set_aside(asked.id)
        else:
            scene().move_pawn(asked.id, asked.x_mm, asked.y_mm)
    except BadInputError as error:
        raise InputError("", "value", reason=str(error)) from None
    return jsonify(scene().to_json())


@sim.post("/put-back")
@endpoint(body=PutBack, answer=SceneInfo, refusal=Fault)
def put_back(_asked: PutBack) -> ResponseReturnValue:
    """Put all pawns where the game has them."""
    scene().put_back(context().table.position.board.to_pawns())
    return jsonify(scene().to_json())


@sim.post("/card")
@endpoint(body=LaidCard, answer=SceneInfo, refusal=Fault)
def lay_card(asked: LaidCard) -> ResponseReturnValue:
    """Lay a card for a seat, or take the laid one away."""
    if asked.card is None:
        scene().clear_card()
    elif asked.seat is None:
        raise InputError("seat", "missing")
    else:
        scene().lay_card(asked.card, asked.seat)
    return jsonify(scene().to_json())


@sim.post("/hand")
@endpoint(body=HeldHand, answer=SceneInfo, refusal=Fault)
def hold_hand(asked: HeldHand) -> ResponseReturnValue:
    """Hold a hand over a place of the board, or take it away."""
    if asked.x_mm is None:
        scene().hide_hand()
    elif asked.y_mm is None:
        raise InputError("y_mm", "missing")
    else:
        try:
            scene().show_hand(asked.x_mm, asked.y_mm)
        except BadInputError as error:
            raise InputError("", "value", reason=str(error)) from None
    return jsonify(scene().to_json())
