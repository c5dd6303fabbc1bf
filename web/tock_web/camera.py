"""`/api/v1/camera`: the host shows a camera where the board is and what its pawns look like."""

from collections.abc import Mapping

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.sources.base import TeachableSource
from tock_web.context import body, context
from tock_web.hosting import must_be_host

Sentence = Mapping[str, str]
LEAST_TOUCHES = 4
NO_CAMERA: Sentence = {
    "fr": "Aucune caméra à régler ici.",
    "en": "There is no camera to set up here.",
}
NO_PICTURE: Sentence = {
    "fr": "La caméra n'a pas encore d'image. Attends qu'elle en montre une.",
    "en": "The camera has no picture yet. Wait until it shows one.",
}
TOO_FEW: Sentence = {
    "fr": "Il faut toucher au moins quatre trous, loin les uns des autres.",
    "en": "Touch at least four holes, far from each other.",
}
TOO_CLOSE: Sentence = {
    "fr": "Les trous touchés sont trop proches. Touche des trous de tous les côtés du plateau.",
    "en": "The touched holes lie too close together. Touch holes on all sides of the board.",
}
NOT_THERE: Sentence = {
    "fr": "Le plateau n'est pas trouvé à ces endroits. Recommence, en touchant le milieu de chaque trou demandé.",
    "en": "The board is not found at these places. Once more: touch the middle of each hole asked for.",
}
NOT_SEEN: Sentence = {
    "fr": "La caméra ne voit pas le plateau. Montre-le en entier, ou touche ses quatre coins à l'étape de la caméra.",
    "en": "The camera does not see the board. Show all of it, or touch its four corners in the camera's step.",
}
SHOWS: Sentence = {
    "fr": "`shows` est `empty` (plateau vide) ou `camps` (tous les pions dans leurs camps).",
    "en": "`shows` is `empty` (no pawn on the board) or `camps` (all pawns in their camps).",
}

camera = Blueprint("camera", __name__, url_prefix="/api/v1/camera")


def teachable() -> TeachableSource | None:
    """Return the first source that can be shown the board."""
    return next((source for source in context().table.sources if isinstance(source, TeachableSource)), None)


@camera.get("/overlay")
def overlay() -> ResponseReturnValue:
    """Return the newest picture with what is seen drawn onto it; 204 while there is none."""
    must_be_host()
    source = teachable()
    picture = None if source is None else source.overlay()
    return Response(status=204) if picture is None else Response(picture, mimetype="image/jpeg")


@camera.post("/touch")
def touch() -> ResponseReturnValue:
    """Find the board from the places of holes in the picture, in shares of its width and height."""
    must_be_host()
    touches, wrong = _touches(body().get("touches"), context().table.board_file)
    if wrong is not None:
        return _refusal(400, "camera/touches", wrong)
    source = teachable()
    if source is None:
        return _refusal(409, "camera/none", NO_CAMERA)
    size = source.size_px()
    if size is None:
        return _refusal(409, "camera/no_picture", NO_PICTURE)
    try:
        found = source.touch({hole: (x * size[0], y * size[1]) for hole, (x, y) in touches.items()})
    except BadInputError:
        return _refusal(400, "camera/touches", TOO_CLOSE)
    if not found["registered"]:
        return _refusal(409, str(found["reason"]), NOT_THERE)
    return _granted({})


@camera.post("/learn")
def learn() -> ResponseReturnValue:
    """Learn what the empty board, or the pawns in their camps, look like in this light."""
    must_be_host()
    shows = body().get("shows")
    if shows not in ("empty", "camps"):
        return _refusal(400, "camera/shows", SHOWS)
    source = teachable()
    if source is None:
        return _refusal(409, "camera/none", NO_CAMERA)
    if source.size_px() is None:
        return _refusal(409, "camera/no_picture", NO_PICTURE)
    found = source.learn("empty" if shows == "empty" else "camps")
    if not found["learned"]:
        return _refusal(409, str(found["reason"]), NOT_SEEN)
    return _granted({"score": found["score"], "weak": found["weak_points"], "kept": found["kept"]})


def _touches(data: object, board: BoardFile) -> tuple[Mapping[str, tuple[float, float]], Sentence | None]:
    """Return the touches of a body, and what is wrong with them if anything is."""
    if not isinstance(data, dict) or len(data) < LEAST_TOUCHES:
        return {}, TOO_FEW
    for hole, place in data.items():
        if hole not in board.by_id:
            return {}, {
                "fr": f"Ce plateau n'a pas de trou « {hole} ».",
                "en": f"This board has no hole '{hole}'.",
            }
        if not isinstance(place, list) or len(place) != 2 or not all(map(_is_share, place)):
            return {}, {
                "fr": f"L'endroit du trou {hole} n'est pas dans l'image : deux nombres de 0 à 1.",
                "en": f"The place of hole {hole} is not in the picture: two numbers from 0 to 1.",
            }
    return {hole: (float(place[0]), float(place[1])) for hole, place in data.items()}, None


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _granted(data: Mapping[str, object]) -> ResponseReturnValue:
    return jsonify({"ok": True, "code": "", "message": {}, "data": data})


def _refusal(status: int, code: str, message: Sentence) -> ResponseReturnValue:
    return jsonify({"ok": False, "code": code, "message": message, "data": {}}), status
