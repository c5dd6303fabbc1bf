"""Limits the page's settings to the table's own files.

An error about any other file would reveal which files this machine has.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tock_app.config.load import PATH_SETTINGS
from tock_companion.errors import BadInputError, quoted
from tock_companion.storage.boards import FOLDER

Document = Mapping[str, object]


def refuse_foreign_board(board: object, now: Document, beside: Path, data: Path) -> None:
    """Refuse a board file outside the folder of boards, unless the settings of `now` name it.

    `beside` is the folder that paths of the settings start from, `data` the data folder.
    """
    if not board or not isinstance(board, str) or board == now.get("board"):
        return
    place = _resolved(beside / board)
    if place is None or place.parent != (data / FOLDER).resolve():
        raise BadInputError(
            f"'board': {quoted(board)} is none of the table's boards; take the file in under \"Boards\", "
            "or write it into the settings on the machine"
        )


def refuse_foreign_pictures(written: Document, now: Document, beside: Path, data: Path) -> None:
    """Refuse a source's files outside the data folder, unless the settings of `now` name them."""
    known = {file for _, file in _files_of_sources(now)}
    for key, file in _files_of_sources(written):
        place = _resolved(beside / file)
        if file not in known and (place is None or not place.is_relative_to(data.resolve())):
            raise BadInputError(
                f"'{key}': {quoted(file)} lies outside the table's data folder; put the file there, "
                "or write it into the settings on the machine"
            )


def _files_of_sources(document: Document) -> Iterator[tuple[str, str]]:
    """Keys and paths, from settings that may have any form."""
    for name, source in _items(document.get("sources")):
        for key, value in _items(source):
            if key in PATH_SETTINGS and isinstance(value, str):
                yield f"sources.{name}.{key}", value
            elif key == "calibration" and isinstance(value, list):
                for picture in value:
                    image = dict(_items(picture)).get("image")
                    if isinstance(image, str):
                        yield f"sources.{name}.calibration", image


def _items(table: object) -> Iterator[tuple[str, object]]:
    if isinstance(table, Mapping):
        yield from ((str(key), value) for key, value in table.items())


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None
