"""Calibration pictures named by a recording or a config, read and learned from."""

from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_vision.arrays import Frame
from tock_vision.images import load_image
from tock_vision.learned import Learned, Shows, learn
from tock_vision.register import Refusal


def learned_from_settings(
    board: BoardFile, pictures: object, folder: Path | None = None, *, needed: bool = True
) -> Learned | None:
    """Learn from `[{"image": path, "what": "empty" | "camps"}, …]`; None when there are no pictures.

    Raises BadInputError for a wrong form, and, when `needed`, for pictures that show no such board.
    """
    if pictures is None:
        return None
    if not isinstance(pictures, list | tuple):
        raise BadInputError('calibration must be a list of {"image": path, "what": "empty" or "camps"}')
    loaded: list[tuple[Frame, Shows]] = []
    for entry in pictures:
        if not isinstance(entry, dict) or set(entry) != {"image", "what"}:
            raise BadInputError(f'calibration {entry!r}: give {{"image": path, "what": "empty" or "camps"}}')
        image, what = entry["image"], entry["what"]
        if not isinstance(image, str) or what not in ("empty", "camps"):
            raise BadInputError(f'calibration {entry!r}: "image" is a path and "what" is "empty" or "camps"')
        loaded.append((load_image((folder or Path()) / image), what))
    if not loaded:
        return None
    learned = learn(board, loaded)
    if isinstance(learned, Refusal):
        if needed:
            raise BadInputError(f"calibration pictures: {learned.sentence}")
        return None
    return learned
