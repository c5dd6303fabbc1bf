"""The workbench as the page asks for it: plain values in and out."""

from tock_companion.errors import BadInputError
from tock_rules import Seat
from tock_vision.board_points import hole_points_mm
from tock_vision.mending.checking import Checked
from tock_vision.mending.edits import Add, Edit, Mistake, Move, Own, Question, Remove, Start
from tock_vision.mending.sketch import Place, Sketch, SketchHole, sketch_hole
from tock_vision.mending.workbench import Bench, Workbench, photo_places, plane_place


class BoardMaker(Workbench):
    """The workbench with its state, edits and answers in the page's words."""

    def state(self) -> dict[str, object]:
        """The state of the board in the making: `BoardMade` of the page's answers."""
        bench = self.bench
        refused = bench.refusal
        return {
            "phase": bench.phase.value,
            "progress": bench.progress,
            "photos": [{"width": frame.shape[1], "height": frame.shape[0]} for frame in bench.frames],
            "reason": "" if refused is None else refused.reason,
            "message": None if refused is None else refused.message,
            "asks": list(bench.asks),
            "board": None if bench.sketch is None else _board(bench, bench.sketch),
            "checked": None if bench.checked is None else _checked(bench.checked),
        }

    def edit(self, kind: str, hole: str, photo: int, at: Place | None, color: str, everywhere: bool) -> str:
        """Change the board; says in a word why that cannot be, or nothing. Raises BadInputError."""
        named = sketch_hole(hole)
        if named is None:
            return Mistake.NO_HOLE.value
        mistake = self.apply(lambda bench: _edit(bench, kind, named, photo, at, color, everywhere))
        return "" if mistake is None else mistake.value

    def answer(self, code: str, *, yes: bool) -> None:
        """Answer a question by its code; raises BadInputError while there is no board."""
        self.settle(Question(code), yes=yes)


def _edit(
    bench: Bench, kind: str, hole: SketchHole, photo: int, at: Place | None, color: str, everywhere: bool
) -> Edit:
    match kind:
        case "add" if at is not None:
            return Add(plane_place(bench, photo, at), everywhere)
        case "move" if at is not None:
            return Move(hole, plane_place(bench, photo, at), everywhere)
        case "remove":
            return Remove(hole, everywhere)
        case "start":
            return Start(hole, color)
        case "own":
            return Own(hole, color)
    raise BadInputError(f"an edit '{kind}' needs a place in the photo")


def _board(bench: Bench, sketch: Sketch) -> dict[str, object]:
    known = sketch.places()
    seen = [photo_places(bench, photo, list(known.values())) if photo in bench.poses else None
            for photo in range(len(bench.frames))]  # fmt: skip
    return {
        "zones": sketch.zones,
        "zone_length": sketch.form.length,
        "holes": [
            {
                "id": str(hole),
                "doubtful": hole in sketch.doubtful,
                "places": [None if places is None else places[number] for places in seen],
            }
            for number, hole in enumerate(known)
        ],
        "missing": [str(hole) for hole in sketch.missing],
        "colors": {Seat(zone).name: color for zone, color in enumerate(sketch.colors)},
        "whole": sketch.is_whole,
        "undo": len(bench.before),
    }


def _checked(checked: Checked) -> dict[str, object]:
    height, width = checked.frame.shape[:2]
    return {
        "found": checked.registration is not None,
        "seen": {Seat(zone).name: count for zone, count in enumerate(checked.seen)},
        "count": sum(checked.seen),
        "of": checked.sketch.form.pawns * checked.sketch.zones,
        "photo": {"width": width, "height": height},
        "camps": _camps(checked),
    }


def _camps(checked: Checked) -> list[dict[str, object]]:
    if checked.registration is None:
        return []
    board = checked.sketch.board("board")
    places = checked.registration.pose.project(hole_points_mm(board)) / checked.frame.shape[1::-1]
    return [
        {"id": hole.id, "place": place.round(5).tolist(), "seen": checked.camps[hole.id]}
        for hole, place in zip(board.holes, places, strict=True)
        if hole.id in checked.camps
    ]
