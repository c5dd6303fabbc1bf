"""Where a database comes from: a secret mark of the data folder, which is in every database and copy made there."""

import secrets
from pathlib import Path

from tock_companion.errors import BadInputError
from tock_companion.files import read_text_bounded, replace_file

NAME = "games-origin"
KEPT_AS = "origin"
MAX_BYTES = 100


def mark_of(folder: Path) -> str:
    """The mark of a data folder, empty where it has none yet or the disk refuses to read it."""
    try:
        return read_text_bounded(folder / NAME, MAX_BYTES, "mark of the games").strip()
    except BadInputError:
        return ""


def make_mark(folder: Path) -> str:
    """The mark of a data folder, made if needed; raises OSError."""
    mark = mark_of(folder)
    if not mark:
        mark = secrets.token_hex(16)
        replace_file(folder / NAME, f"{mark}\n")
    return mark
