"""`tock board read`, `overlay` and `learn` with `--holes`: pictures of any board."""

from pathlib import Path

from tock_companion.errors import BadInputError
from tock_companion.observation import HoleReading, HoleState
from tock_vision.any_board.board import AnyBoard
from tock_vision.any_board.document import HoleList
from tock_vision.any_board.reading import AnyBoardReader, AnyTouches
from tock_vision.calibration_file import save_calibration
from tock_vision.holes.calibration import Shows
from tock_vision.images import load_scaled
from tock_vision.learning import learn
from tock_vision.overlay import draw_overlay, write_picture
from tock_vision.reader import Reading
from tock_vision.registration.results import Refusal
from tock_vision.stills import ImageReader, found_or_not, unreadable


def holes_reader(listed: HoleList, touches: AnyTouches, state: Path | None = None) -> ImageReader:
    """Make a function that reads picture files; raises BadInputError for unusable touches or state."""
    reader = AnyBoardReader(listed, touches, state)

    def answer(image: Path) -> dict[str, object]:
        try:
            frame, factor = load_scaled(image)
        except BadInputError as error:
            return unreadable(image, error)
        return _to_answer(image, reader.read(frame, factor), reader)

    return answer


def overlay(
    listed: HoleList, image: Path, out: Path, touches: AnyTouches, state: Path | None = None
) -> dict[str, object]:
    """Read a picture, draw the reading onto it, and return the answer of `tock board read`."""
    frame, factor = load_scaled(image)
    reader = AnyBoardReader(listed, touches, state)
    reading = reader.read(frame, factor)
    if reading.registered:
        write_picture(out, draw_overlay(frame, reading, reader.board))
    return _to_answer(image, reading, reader)


def _to_answer(image: Path, reading: Reading, reader: AnyBoardReader) -> dict[str, object]:
    answer = found_or_not(image, reading)
    if not reading.registered:
        return answer
    return answer | {
        "holes": {hole.id: _hole(reading.holes[hole.id], reader.board) for hole in reader.board.holes},
    }


def _hole(reading: HoleReading, board: AnyBoard) -> dict[str, object]:
    known = reading.state is not HoleState.UNKNOWN
    return {
        "state": reading.state.value,
        "color": board.color_of(reading),
        "confidence": reading.confidence if known else 0.0,
    }


def learn_holes(listed: HoleList, pictures: list[tuple[Path, Shows]], out: Path) -> dict[str, object]:
    """Learn the empty look and the colours of pawns in camps, and write the state file."""
    reader = AnyBoardReader(listed, {})
    loaded = [load_scaled(path) for path, _ in pictures]
    # The view on holes given in px, and with it the board, follows from the first picture.
    places = [reader.locate(frame, factor) for frame, factor in loaded]
    frames = [(frame, shows) for (frame, _), (_, shows) in zip(loaded, pictures, strict=True)]
    found = iter(places)
    calibration = learn(reader.board, frames, locate=lambda _: next(found))
    if isinstance(calibration, Refusal):
        return {"learned": False, "reason": calibration.code, "message": calibration.sentence}
    save_calibration(out, reader.board, calibration)
    return {"learned": True, "state": str(out), "rms_px": round(calibration.registration.rms_px, 3)}
