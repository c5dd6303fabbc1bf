"""Restores a copy of the games without losing the present ones."""

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tock_companion.errors import BadInputError, TockError
from tock_companion.files import require_file
from tock_companion.storage.backup import to_disk
from tock_companion.storage.files import DATABASE_NAME, check_database, keep_aside
from tock_companion.storage.lost_events import NewestNote
from tock_companion.storage.migrations import refuse_newer, why_not


def restore(copy: Path, folder: Path) -> Path | None:
    """Replace the database by a copy; return where the present one was moved, None when there was none.

    The caller holds the folder's lock. Raises BadInputError when the copy is not a sound database of games, TockError
    when the disk refuses.
    """
    require_file(copy, "copy of the games")
    try:
        check_database(copy)
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            refuse_newer(connection, copy)
            connection.execute("SELECT game, seq, line FROM events LIMIT 1").fetchall()
        if reason := why_not(copy):
            raise sqlite3.DatabaseError(reason)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        raise BadInputError(f"{copy} is no sound copy of the games ({error}); nothing was changed") from None
    database = folder / DATABASE_NAME
    part = database.with_name(f"{DATABASE_NAME}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copy, part)
        to_disk(part)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise TockError(
            f"{copy} could not be copied to {folder} ({error.strerror}); free space; nothing was changed"
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
