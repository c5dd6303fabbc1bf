"""The workbench as the page asks for it: plain values in and out."""

from collections.abc import Sequence
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_rules import PAWNS_PER_SEAT, Seat
from tock_vision.board_points import hole_points_mm
from tock_vision.mending.checking import Checked
from tock_vision.mending.edits import Add, Edit, Mistake, Move, Own, Question, Remove, Start
from tock_vision.mending.sketch import Place, Sketch, SketchHole, sketch_hole
from tock_vision.mending.workbench import Bench, Workbench, photo_places, plane_place


class BoardMaker:
    """Makes one board file at a time from photographs; any thread may ask."""

    def __init__(self, bench: Workbench | None = None) -> None:
        """Work on a bench; a new one unless one is given."""
        self._bench = bench or Workbench()

    def state(self) -> dict[str, object]:
        """The state of the board in the making: `BoardMade` of the page's answers."""
        bench = self._bench.bench
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

    def clear(self) -> None:
        """Start over."""
        self._bench.clear()

    def add_photo(self, data: bytes) -> None:
        """Add a photograph; raises BadInputError."""
        self._bench.add_photo(data)

    def picture(self, number: int) -> bytes | None:
        """A photograph as JPEG."""
        return self._bench.picture(number)

    def checked_picture(self) -> bytes | None:
        """The photograph that was checked last, as JPEG."""
        return self._bench.checked_picture()

    def find(self, zones: int | None, starts: Sequence[Place], middle: bool | None = None) -> None:
        """Begin to search; `middle` is whether a hole is there. Raises BadInputError."""
        self._bench.find(zones, starts, middle)

    def draw(self, starts: Sequence[Place]) -> None:
        """Begin a board of which only the start holes are known; raises BadInputError."""
        self._bench.draw(starts)

    def edit(self, kind: str, hole: str, photo: int, at: Place | None, color: str, everywhere: bool) -> str:
        """Change the board; says in a word why that cannot be, or nothing. Raises BadInputError."""
        named = sketch_hole(hole)
        if named is None:
            return Mistake.NO_HOLE.value
        mistake = self._bench.edit(lambda bench: _edit(bench, kind, named, photo, at, color, everywhere))
        return "" if mistake is None else mistake.value

    def answer(self, code: str, *, yes: bool) -> None:
        """Answer a question by its code; raises BadInputError while there is no board."""
        self._bench.answer(Question(code), yes=yes)

    def undo(self) -> None:
        """Take the last edit or answer back."""
        self._bench.undo()

    def check(self, data: bytes, patience_s: float) -> None:
        """Look for all pawns in their camps; raises BadInputError, TimeoutError."""
        self._bench.check(data, patience_s)

    def board(self, name: str) -> BoardFile:
        """The board file; raises BadInputError."""
        return self._bench.board(name)

    def learn(self, board: BoardFile, state: Path) -> bool:
        """Calibrate the camera from the photographs."""
        return self._bench.learn(board, state)


def board_maker() -> BoardMaker:
    """The board maker that the service hands to the page."""
    return BoardMaker()


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
        "of": PAWNS_PER_SEAT * checked.sketch.zones,
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
