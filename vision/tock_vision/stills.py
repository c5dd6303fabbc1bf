"""Single pictures of boards: `tock board read`, `learn` and `overlay`."""

from collections.abc import Callable
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import HoleReading, HoleState
from tock_vision.arrays import Frame
from tock_vision.calibration_file import load_calibration, save_calibration, weak_points
from tock_vision.holes.calibration import Shows
from tock_vision.images import load_image, load_scaled
from tock_vision.learning import learn
from tock_vision.overlay import draw_overlay, write_picture
from tock_vision.reader import BoardReader, Reading
from tock_vision.registration.registrar import SearchPlan
from tock_vision.registration.results import Refusal
from tock_vision.registration.touches import Touches, check_touches, scaled

UNREADABLE = "image/unreadable"
ImageReader = Callable[[Path], dict[str, object]]


def image_reader(board: BoardFile, touches: Touches, state: Path | None = None) -> ImageReader:
    """Make a function that reads picture files; raises BadInputError for unusable touches or state."""
    readers = {1.0: frame_reader(board, touches, state)}

    def answer(image: Path) -> dict[str, object]:
        try:
            frame, factor = load_scaled(image)
        except BadInputError as error:
            return unreadable(image, error)
        if factor not in readers:
            readers[factor] = frame_reader(board, scaled(touches, factor), state)
        return to_answer(image, readers[factor](frame), board)

    return answer


def unreadable(image: Path, error: BadInputError) -> dict[str, object]:
    """The answer for a file that holds no picture."""
    return {"image": str(image), "registered": False, "reason": UNREADABLE, "message": str(error)}


def frame_reader(board: BoardFile, touches: Touches, state: Path | None = None) -> Callable[[Frame], Reading]:
    """Make a function that reads each frame independently of those before."""
    if touches:
        check_touches(board, touches)
    calibration = load_calibration(state, board) if state is not None else None
    plan = SearchPlan(touches=touches, pattern=False) if touches else SearchPlan()
    reader = BoardReader(board, calibration, plan=plan)

    def read(frame: Frame) -> Reading:
        # Every picture may be of another table: nothing is carried over.
        reader.reset()
        return reader.read_frame(frame)

    return read


def learn_state(board: BoardFile, pictures: list[tuple[Path, Shows]], out: Path) -> dict[str, object]:
    """Learn from pictures, write the state file, and return its score and its weak points."""
    calibration = learn(board, [(load_image(path), shows) for path, shows in pictures])
    if isinstance(calibration, Refusal):
        return {"learned": False, "reason": calibration.code, "message": calibration.sentence}
    save_calibration(out, board, calibration)
    score, weak = weak_points(board, calibration)
    return {
        "learned": True,
        "state": str(out),
        "rms_px": round(calibration.registration.rms_px, 3),
        "orientation": calibration.registration.orientation,
        "score": score,
        "weak": weak,
    }


def overlay(
    board: BoardFile, image: Path, out: Path, touches: Touches, state: Path | None = None
) -> dict[str, object]:
    """Read a picture, draw the reading onto it, and return the answer of `tock board read`."""
    frame, factor = load_scaled(image)
    reading = frame_reader(board, scaled(touches, factor), state)(frame)
    write_picture(out, draw_overlay(frame, reading, board))
    return to_answer(image, reading, board)


def to_answer(image: Path, reading: Reading, board: BoardFile) -> dict[str, object]:
    """Put a reading in the form that `tock board read` prints, colours by name."""
    answer = found_or_not(image, reading)
    if not reading.registered:
        return answer
    return answer | {
        "holes": {hole.id: _hole(reading.holes[hole.id], board) for hole in board.holes},
        "loose": [
            {
                "x_mm": pawn.x_mm,
                "y_mm": pawn.y_mm,
                "color": board.colors[pawn.seat] if pawn.seat is not None else None,
                "confidence": pawn.confidence,
                "nearest": pawn.nearest,
            }
            for pawn in reading.loose
        ],
    }


def found_or_not(image: Path, reading: Reading) -> dict[str, object]:
    """Say of any board whether it was found and how it lies, or why it was not."""
    answer: dict[str, object] = {"image": str(image), "registered": reading.registered}
    if not reading.registered:
        return answer | {"reason": reading.reason, "message": reading.sentence, "ms": reading.ms}
    return answer | {"rms_px": reading.rms_px, "ms": reading.ms, "orientation": reading.orientation}


def _hole(reading: HoleReading, board: BoardFile) -> dict[str, object]:
    color = board.colors[reading.seat] if reading.seat is not None else None
    known = reading.state is not HoleState.UNKNOWN
    return {
        "state": reading.state.value,
        "color": color,
        "confidence": reading.confidence if known else 0.0,
    }
