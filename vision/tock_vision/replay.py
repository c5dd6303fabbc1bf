"""Frames of a recording, read again in the order and at the times in which they were taken."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError, quoted
from tock_companion.files import MB, read_bounded
from tock_companion.observation import SourceCondition, SourceMessage, SourceReport
from tock_companion.sources.recording_lines import FrameRow, read_rows
from tock_vision.images import decode_image
from tock_vision.learning import calibration_from_recording
from tock_vision.reader import BoardReader

LOG_NAME = "frames.jsonl"
MAX_FRAME_BYTES = 50 * MB


def open_frames(
    recording_dir: Path,
    board_file: BoardFile,
    calibration: Sequence[Mapping[str, object]] = (),
    name: str = "camera",
) -> Iterator[SourceMessage]:
    """Yield observations, and reports where the camera could not see, of a recording's frames.

    The same folder gives the same messages every time. Raises BadInputError for a log that cannot be used; a
    frame that does not decode is reported as it would be at the table.
    """
    known = calibration_from_recording(board_file, calibration, recording_dir)
    reader = BoardReader(board_file, known)
    reported: str | None = None
    for t_ms, path in _log(recording_dir):
        code, sentence = "", ""
        try:
            reading = reader.read_frame(
                decode_image(read_bounded(path, MAX_FRAME_BYTES, "frame"), str(path)), t_ms
            )
            code, sentence = reading.reason, reading.sentence
        except BadInputError as error:
            reading, code, sentence = None, "camera/bad_frame", str(error)
        if code != reported:
            reported = code
            condition = SourceCondition.BLIND if code else SourceCondition.OK
            yield SourceReport(t_ms, name, condition, code, sentence)
        if reading is not None and reading.registered:
            yield reading.observation(name)


def _log(folder: Path) -> Iterator[tuple[int, Path]]:
    log = folder / LOG_NAME
    root = Path(os.path.realpath(folder))
    for row in read_rows(log, FrameRow):
        path = Path(os.path.realpath(root / row.file))
        if not path.is_relative_to(root):
            raise BadInputError(f"{log}: {quoted(row.file)} lies outside the recording; keep frames inside")
        yield row.t_ms, path
