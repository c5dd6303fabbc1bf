"""Single pictures read for `tock board read`: one JSON object each, in the form of the contract."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import HoleReading, HoleState
from tock_vision.images import load_image
from tock_vision.reader import BoardReader, Reading
from tock_vision.search import check_touches, register_by_touches

UNREADABLE = "image/unreadable"
ImageReader = Callable[[Path], dict[str, object]]


def image_reader(
    board: BoardFile, touches: Mapping[str, tuple[float, float]], state: Path | None = None
) -> ImageReader:
    """Return what reads one picture after the other; raises BadInputError for touches or a state it cannot use."""
    if state is not None:
        raise BadInputError(f"--state {state}: what `tock board learn` learns is not read yet; leave it out")
    if touches:
        check_touches(board, touches)
    reader = BoardReader(board)

    def read(image: Path) -> dict[str, object]:
        try:
            frame = load_image(image)
        except BadInputError as error:
            return {"image": str(image), "registered": False, "reason": UNREADABLE, "message": str(error)}
        # Every picture may be of another table: nothing is carried over.
        reader.reset()
        if touches:
            reader.registrar.find = lambda gray: register_by_touches(gray, board, touches)
        return to_answer(image, reader.read(frame), board)

    return read


def to_answer(image: Path, reading: Reading, board: BoardFile) -> dict[str, object]:
    """Return a reading in the form of the contract, colours by their names."""
    answer: dict[str, object] = {"image": str(image), "registered": reading.registered}
    if not reading.registered:
        return answer | {"reason": reading.reason, "message": reading.sentence, "ms": reading.ms}
    return answer | {
        "rms_px": reading.rms_px,
        "ms": reading.ms,
        "orientation": reading.orientation,
        "holes": {hole.id: _hole(reading.holes[hole.id], board) for hole in board.holes},
    }


def _hole(reading: HoleReading, board: BoardFile) -> dict[str, object]:
    color = board.colors[reading.seat] if reading.seat is not None else None
    known = reading.state is not HoleState.UNKNOWN
    return {
        "state": reading.state.value,
        "color": color,
        "confidence": reading.confidence if known else 0.0,
    }
