"""The one SQLite file behind the store: opened so that a commit is on the disk, shared under one lock."""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from tock_companion.errors import TockError, printable
from tock_companion.storage.files import check_database, keep_aside
from tock_companion.storage.room import Room

LOG = logging.getLogger(__name__)
RESTORE_HINT = "`tock game restore` puts a daily copy back"
JOURNAL_PAGES = 100
"""Length at which the journal is moved into the database: a longer one is room that a full disk does not have."""
Work = Callable[[sqlite3.Connection], object]
"""What is done inside a transaction; it may be done again from the start."""


class Database:
    """Reads and transactions of several threads on one connection; SQLite's faults come as TockError."""

    def __init__(self, path: Path, room: Room, *, set_aside: bool) -> None:
        """Open or make the file; raises TockError with a remedy.

        With `set_aside` a damaged file is moved aside unchanged first: only for whoever holds the folder's lock.
        """
        self.path = path
        self._room = room
        self._lock = threading.Lock()
        self._connection = _opened(path, set_aside, room)
        # Whoever only reads does not wait for a slow disk to write.
        self._reading = threading.Lock()
        self._reader = _connected(path)
        self._file = _identity(path)

    def close(self) -> None:
        """Close it; everything written is already on the disk."""
        with self._lock, self._reading:
            self._reader.close()
            self._connection.close()

    def script(self, text: str) -> None:
        """Run statements that make tables or set a property; raises TockError when the disk refuses."""
        try:
            with self._lock:
                self._connection.executescript(text)
        except sqlite3.Error as error:
            raise self._not_written(error) from None

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Read all rows of a query; raises TockError when the disk does not give them."""
        try:
            with self._reading:
                return self._reader.execute(query, parameters).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise TockError(f"{self.path} cannot be read ({_line(error)}); check the disk") from None

    def write(self, work: Work, *, gives_way: bool = False) -> None:
        """Do some work in one transaction: all of it is on the disk, or nothing. Raises TockError when it cannot be.

        On a full disk all that can be done without is deleted first, unless the work itself `gives_way`.
        """
        self._check_still_there()
        try:
            self._transact(work)
        except sqlite3.Error as error:
            refusal = self._write_in_room(work) if _says_full(error) and not gives_way else error
            if refusal is not None:
                # What was refused while it was being synced may lie whole in the journal, and a power cut now would
                # bring it back; moved into the database, the journal holds only what was granted.
                self._shorten_journal()
                raise self._not_written(refusal) from None
        self._room.keep_reserve()

    def _write_in_room(self, work: Work) -> sqlite3.Error | None:
        """Make room step by step until the work is done; the last refusal if it never is."""
        refusal: sqlite3.Error | None = sqlite3.OperationalError("database or disk is full")
        for freed in chain(["the journal"], self._room.freed()):
            self._shorten_journal()
            try:
                self._transact(work)
            except sqlite3.Error as error:
                refusal = error
                continue
            LOG.warning("the disk is full; %s made room for the game", freed)
            return None
        return refusal

    def _shorten_journal(self) -> None:
        """Move what is in the journal into the database, where deleted pictures have left pages free."""
        with self._lock, self._reading, suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _not_written(self, error: sqlite3.Error) -> TockError:
        return TockError(f"{self.path} cannot be written ({_line(error)}); free disk space or check the disk")

    def _transact(self, work: Work) -> None:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                work(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _check_still_there(self) -> None:
        """A file that was deleted while open takes every write and loses all of them at the end."""
        if _identity(self.path) != self._file:
            raise TockError(
                f"{self.path} was deleted or replaced while the companion runs; "
                f"put it back, or start the companion again ({RESTORE_HINT})"
            )


def _opened(path: Path, set_aside: bool, room: Room) -> sqlite3.Connection:
    """Open it, on a full disk after making room: SQLite needs some beside the database even to read it."""
    try:
        return _open(path, set_aside)
    except TockError:
        if not room.is_full():
            raise
        for freed in room.freed():
            LOG.warning("the disk is full; %s made room to open the games", freed)
            if not room.is_full():
                break
    return _open(path, set_aside)


def _open(path: Path, set_aside: bool) -> sqlite3.Connection:
    try:
        if path.exists():
            check_database(path)
        connection = _connected(path)
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute(f"PRAGMA wal_autocheckpoint={JOURNAL_PAGES}").fetchone()
        except BaseException:
            connection.close()
            raise
    except sqlite3.OperationalError as error:
        raise TockError(
            f"database {path} cannot be opened ({_line(error)}); check the disk and permissions"
        ) from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        damage = f"database {path} is damaged ({_line(error)})"
        if not set_aside:
            raise TockError(f"{damage}; {RESTORE_HINT}") from None
        aside = keep_aside(path)
        raise TockError(
            f"{damage}; it is kept untouched as {aside.name}; "
            f"start again to begin with an empty one ({RESTORE_HINT})"
        ) from None
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        # Otherwise Debian's SQLite overwrites what is deleted, for which a full disk has no room.
        connection.execute("PRAGMA secure_delete=FAST").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _says_full(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        stat = os.stat(path)  # noqa: PTH116 - called before every write, twice as quick as Path.stat
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _line(error: Exception) -> str:
    return printable(" ".join(str(error).split()))
