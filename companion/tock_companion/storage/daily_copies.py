"""The daily copies of the games in their order: by a number in each, for a clock that was wrong once dates for ever."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

PREFIX = "games-"
PATTERN = f"{PREFIX}????-??-??.sqlite"
_NUMBER_AT = 68
"""Place of SQLite's application id in a file, four bytes, which is the number of a copy."""


def daily_copies(folder: Path) -> list[Path]:
    """The daily copies in a folder, the one made last first."""
    return sorted(
        folder.glob(PATTERN), key=lambda path: (number_of(path), _newest_event(path), path.name), reverse=True
    )


def number_of(copy: Path) -> int:
    """The number of a copy; 0 for one of a release that did not count them."""
    try:
        with copy.open("rb") as file:
            file.seek(_NUMBER_AT)
            return int.from_bytes(file.read(4))
    except OSError:
        return 0


def give_number(copy: sqlite3.Connection, number: int) -> None:
    """Number a copy that is being made."""
    copy.execute(f"PRAGMA application_id = {number}")


def _newest_event(copy: Path) -> tuple[int, int]:
    """How far the games of a copy without a number had come."""
    if not number_of(copy):
        with (
            suppress(sqlite3.Error, ValueError, TypeError),
            closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection,
        ):
            row = connection.execute(
                "SELECT game, seq FROM events ORDER BY game DESC, seq DESC LIMIT 1"
            ).fetchone()
            return (int(row[0]), int(row[1])) if row is not None else (0, 0)
    return (0, 0)
