"""Calibration pictures named by a recording or a config, read and learned from."""

from collections.abc import Iterable
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.schema import Schema, check
from tock_vision.arrays import Frame
from tock_vision.images import load_image
from tock_vision.learned import Learned, Shows, learn
from tock_vision.register import Refusal
from tock_vision.settings import CalibrationPicture


class _Calibration(Schema):
    calibration: list[CalibrationPicture]


def learned_from_recording(board: BoardFile, pictures: object, folder: Path) -> Learned | None:
    """Learn from the `calibration` of a recording in this folder; None when its pictures show no such board."""
    where = f"recording {folder}"
    listed = check(_Calibration, {"calibration": pictures or []}, where).calibration
    return learned_from_pictures(board, listed, folder, needed=False)


def learned_from_pictures(
    board: BoardFile,
    pictures: Iterable[CalibrationPicture],
    folder: Path | None = None,
    *,
    needed: bool = True,
) -> Learned | None:
    """Learn from calibration pictures; None when there are none.

    Raises BadInputError for files that are no pictures, and, when `needed`, for pictures that show no such board.
    """
    loaded: list[tuple[Frame, Shows]] = [
        (load_image((folder or Path()) / picture.image), picture.what) for picture in pictures
    ]
    if not loaded:
        return None
    learned = learn(board, loaded)
    if isinstance(learned, Refusal):
        if needed:
            raise BadInputError(f"calibration pictures: {learned.sentence}")
        return None
    return learned
