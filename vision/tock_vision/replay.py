"""Frames of a recording, read again in the order and at the times in which they were taken."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import SourceCondition, SourceMessage, SourceReport
from tock_vision.images import decode_image
from tock_vision.reader import BoardReader
from tock_vision.stored import learned_from_recording

LOG_NAME = "frames.jsonl"


def open_frames(
    recording_dir: Path, board_file: BoardFile, recording: Mapping[str, object], name: str = "camera"
) -> Iterator[SourceMessage]:
    """Yield observations, and reports where the camera could not see, of a recording's frames.

    The same folder gives the same messages every time. Raises BadInputError for a log that cannot be used; a
    frame that does not decode is reported as it would be at the table.
    """
    learned = learned_from_recording(board_file, recording.get("calibration"), recording_dir)
    reader = BoardReader(board_file, learned)
    told: str | None = None
    for t_ms, path in _log(recording_dir):
        code, sentence = "", ""
        try:
            reading = reader.read(decode_image(path.read_bytes(), str(path)), t_ms)
            code, sentence = reading.reason, reading.sentence
        except (BadInputError, OSError) as error:
            reading, code, sentence = None, "camera/bad_frame", str(error)
        if code != told:
            told = code
            condition = SourceCondition.BLIND if code else SourceCondition.OK
            yield SourceReport(t_ms, name, condition, code, sentence)
        if reading is not None and reading.registered:
            yield reading.observation(name)


def _log(folder: Path) -> Iterator[tuple[int, Path]]:
    log = folder / LOG_NAME
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(
            f"recording {folder}: {LOG_NAME} cannot be read ({error}); check the folder"
        ) from error
    root = folder.resolve()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"recording {folder}: line {number} of {LOG_NAME}"
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInputError(f"{where} is not JSON ({error})") from error
        if not isinstance(entry, dict):
            raise BadInputError(f'{where} must be {{"t_ms": …, "file": …}}')
        t_ms, file = entry.get("t_ms"), entry.get("file")
        if isinstance(t_ms, bool) or not isinstance(t_ms, int) or not isinstance(file, str):
            raise BadInputError(f'{where} must be {{"t_ms": whole number, "file": path}}')
        path = (root / file).resolve()
        if not path.is_relative_to(root):
            raise BadInputError(f"{where} names a file outside the recording; keep frames inside")
        yield t_ms, path
