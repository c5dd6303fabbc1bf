"""Restores a copy of the games without losing the present ones: its rows only, in a database of our own making.

A copy is a file of others: it may have triggers, views and tables, and the rights of its maker's phones.
"""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tock_companion.errors import BadInputError, TockError, one_line
from tock_companion.files import require_file
from tock_companion.storage import forgetting, origin
from tock_companion.storage.backup import to_disk
from tock_companion.storage.files import DATABASE_NAME, check_database, keep_aside
from tock_companion.storage.lost_events import NewestNote
from tock_companion.storage.migrations import create, refuse_newer, tables_of_today
from tock_companion.storage.sqlite_file import is_of_disk

OF_THE_GAMES = ("events", "hands", "pictures", "withheld", "later_fields")
RIGHTS = ("seats", "devices")
"""Tables with the secrets of phones."""
CHOICES_OF_THE_GAMES = (
    "game_people",
    "results",
    "last_people",
    "indices",
    "indices_seen",
    "lobby",
    forgetting.KEPT_AS,
)
"""Choices that give no device a right; a copy from elsewhere brings no others."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A sound copy of the games."""

    path: Path
    made_at: datetime
    """By the clock of its maker."""
    games: int
    is_own: bool
    """Whether it was made in the data folder that it goes back to."""


def examine(copy: Path, folder: Path) -> Copy:
    """Look at a copy before it replaces anything; raises BadInputError when it is no database of games.

    Nothing in it is evaluated: its maker may have put an expression into any check, index or column.
    """
    require_file(copy, "copy of the games")
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            refuse_newer(connection, copy)
            _require_tables(connection)
            (games,) = connection.execute("SELECT count(DISTINCT game) FROM events").fetchone()
            is_own = _is_own(connection, copy, folder)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        raise _unsound(copy, error) from None
    return Copy(copy, datetime.fromtimestamp(copy.stat().st_mtime).astimezone(), int(games), is_own)


def restore(path: Path, folder: Path) -> Path | None:
    """Replace the database by a copy; return where the present one was moved, None when there was none.

    The caller holds the folder's lock. Raises BadInputError when the copy is not a sound database of games, TockError
    when the disk refuses.
    """
    copy = examine(path, folder)
    # A worn-out card has taken its list with it; another is beside the copies.
    deletions = (*forgetting.forgotten_in(folder), *forgetting.forgotten_in(path.parent))
    database = folder / DATABASE_NAME
    part = database.with_name(f"{DATABASE_NAME}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        _copy_rows(copy, part, deletions)
        check_database(part)
        to_disk(part)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, sqlite3.Error) and not is_of_disk(error):
            raise _unsound(path, error) from None
        raise TockError(
            f"{path} could not be copied to {folder} ({one_line(str(error))}); free space; nothing was changed"
        ) from None
    try:
        aside = keep_aside(database, "replaced") if database.exists() else None
        part.replace(database)
        NewestNote(folder).forget()
    except OSError as error:
        raise TockError(
            f"{database} could not be replaced ({error.strerror}); mend the folder's permissions; "
            f"the copy is ready as {part.name}"
        ) from None
    return aside


def _copy_rows(copy: Copy, target: Path, deletions: Iterable[forgetting.Forgotten]) -> None:
    """Make a new database and put the rows of the copy into it, as they are, but for the forgotten ones."""
    with closing(sqlite3.connect(target.absolute().as_uri(), uri=True, isolation_level=None)) as connection:
        create(connection)
        connection.execute("ATTACH ? AS given", (f"{copy.path.absolute().as_uri()}?mode=ro",))
        tables = "SELECT name FROM given.sqlite_master WHERE type = 'table'"
        given = {str(name) for (name,) in connection.execute(tables)}
        connection.execute("BEGIN")
        for table, columns in tables_of_today().items():
            if table in given and (table in OF_THE_GAMES or (copy.is_own and table in RIGHTS)):
                names = ", ".join(columns)
                connection.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM given.{table}")
        connection.execute("INSERT INTO main.choices (name, value) SELECT name, value FROM given.choices")
        if not copy.is_own:
            marks = ", ".join("?" * len(CHOICES_OF_THE_GAMES))
            connection.execute(f"DELETE FROM main.choices WHERE name NOT IN ({marks})", CHOICES_OF_THE_GAMES)
        forgetting.delete(connection, deletions)
        connection.execute("COMMIT")
        connection.execute("DETACH given")
        connection.execute("VACUUM")


def _require_tables(connection: sqlite3.Connection) -> None:
    """Refuse a copy in which another thing has the name of a table, or a column is computed."""
    found = {
        str(name): (str(kind), int(root or 0))
        for name, kind, root in connection.execute("SELECT name, type, rootpage FROM sqlite_master")
    }
    for table, columns in tables_of_today().items():
        kind, root = found.get(table, ("", 0))
        if not kind and table not in ("events", "choices"):
            continue
        hidden = {str(row[1]): int(row[6]) for row in connection.execute(f"PRAGMA table_xinfo({table})")}
        if kind != "table" or not root or any(hidden.get(column) for column in columns):
            raise sqlite3.DatabaseError(f"'{table}' is not the table that this program makes")


def _is_own(connection: sqlite3.Connection, copy: Path, folder: Path) -> bool:
    row = connection.execute(
        "SELECT CAST(value AS BLOB) FROM choices WHERE name = ?", (origin.KEPT_AS,)
    ).fetchone()
    if row is None:
        # Earlier releases marked none; their daily copies are in the folder, which only its user can write to.
        return copy.resolve().is_relative_to(folder.resolve())
    mark = origin.mark_of(folder)
    return bool(mark) and bytes(row[0]) == json.dumps(mark).encode()


def _unsound(copy: Path, error: Exception) -> BadInputError:
    return BadInputError(
        f"{copy} is no sound copy of the games ({one_line(str(error))}); nothing was changed"
    )
