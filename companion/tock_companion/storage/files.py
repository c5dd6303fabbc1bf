"""The data folder and the database file: found usable, or said in one line why not."""

import os
import sqlite3
from pathlib import Path

from tock_companion.errors import TockError

DATABASE_NAME = "games.sqlite"
_COMPANIONS = ("", "-wal", "-shm", "-journal")


def prepare_folder(folder: Path) -> Path:
    """Make the data folder if needed and return it; raises TockError when it cannot be written."""
    remedy = "choose another folder with TOCK_DATA or mend its permissions"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".write-test-{os.getpid()}"
        # A folder marked read-only is meant to stay untouched, even where the superuser could write.
        if not folder.stat().st_mode & 0o222:
            raise PermissionError("the folder is marked read-only")
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise TockError(f"data folder {folder} cannot be written ({error}); {remedy}") from None
    return folder


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database so that a commit is on the disk when it returns.

    Raises TockError when the file is damaged; it is then moved aside unchanged.
    """
    try:
        if path.exists():
            check_database(path)
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.OperationalError as error:
        raise TockError(
            f"database {path} cannot be opened ({error}); check the disk and permissions"
        ) from None
    except sqlite3.DatabaseError as error:
        raise _damaged(path, " ".join(str(error).split())) from None
    return connection


def check_database(path: Path) -> None:
    """Read the whole database without the right to write, so that a damaged one stays as it is.

    Raises sqlite3.DatabaseError when it is not sound.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    finally:
        connection.close()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def _damaged(path: Path, reason: str) -> TockError:
    aside = keep_aside(path)
    return TockError(
        f"database {path} is damaged ({reason}); it is kept untouched as {aside.name}; "
        "start again to begin with an empty one"
    )


def keep_aside(path: Path, why: str = "damaged") -> Path:
    """Rename a database and its journal files, unchanged, to a free name that says why; return the new path."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.{why}-{number}{path.suffix}")).exists():
        number += 1
    for suffix in _COMPANIONS:
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside
