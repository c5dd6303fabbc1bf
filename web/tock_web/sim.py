"""`/api/v1/sim`: the hands of whoever sits at the simulated table, and the picture its camera takes."""

from collections.abc import Mapping

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.errors import BadInputError
from tock_companion.rules import Card
from tock_web.context import body, context, number_of, seat_of, text_of
from tock_web.door import SceneDoor

sim = Blueprint("sim", __name__, url_prefix="/api/v1/sim")


def scene() -> SceneDoor:
    """Return the simulated table; 404 where the table is a real one."""
    found = context().table.scene
    if found is None:
        abort(404, "this table is a real one")
    return found


@sim.get("/scene")
def look() -> ResponseReturnValue:
    """Return where the physical pawns, the hand and the card are."""
    return jsonify(scene().to_json())


@sim.get("/frame")
def frame() -> ResponseReturnValue:
    """Return the newest picture of the simulated camera; 204 while there is none."""
    # Only the simulated table shows its camera to everybody: no living room is in that picture.
    scene()
    picture = context().table.preview()
    return Response(status=204) if picture is None else Response(picture, mimetype="image/jpeg")


@sim.post("/pawn")
def move_pawn() -> ResponseReturnValue:
    """Put a pawn somewhere on or beside the board."""
    data = body()
    try:
        scene().move_pawn(text_of(data, "id"), number_of(data, "x_mm"), number_of(data, "y_mm"))
    except BadInputError as error:
        abort(400, str(error))
    return look()


@sim.post("/card")
def lay_card() -> ResponseReturnValue:
    """Lay a card for a seat; a null card takes the laid one away."""
    data: Mapping[str, object] = body()
    if data.get("card") is None:
        scene().clear_card()
        return look()
    try:
        card = Card.parse(data["card"])
    except BadInputError as error:
        abort(400, str(error))
    scene().lay_card(card, seat_of(data))
    return look()


@sim.post("/hand")
def hold_hand() -> ResponseReturnValue:
    """Hold a hand over a place of the board, or take it away when no place is given."""
    data = body()
    if data.get("x_mm") is None:
        scene().hide_hand()
        return look()
    try:
        scene().show_hand(number_of(data, "x_mm"), number_of(data, "y_mm"))
    except BadInputError as error:
        abort(400, str(error))
    return look()
