"""The one SQLite file behind the store: opened so that a commit is on the disk, shared under one lock."""

import logging
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from tock_companion.errors import TockError, printable
from tock_companion.storage.disk_space import Room
from tock_companion.storage.files import check_database, keep_aside

LOG = logging.getLogger(__name__)
RESTORE_HINT = "`tock game restore` puts a daily copy back"
PATIENCE_S = 2.0
"""A write waits at most this long for the one before: a worn-out card may take half a minute for one."""
JOURNAL_PAGES = 100
"""Length at which the journal is moved into the database: a longer one takes room that a full disk lacks."""
JOURNAL = "WAL" if sys.platform != "emscripten" else "DELETE"
"""Readers beside a writer share memory, which a browser does not have."""
Work = Callable[[sqlite3.Connection], object]
"""The work inside a transaction; it may run again from the start."""


class Database:
    """Reads and transactions of several threads on one connection; SQLite's errors become TockError."""

    def __init__(self, path: Path, room: Room, *, set_aside: bool) -> None:
        """Open or make the file; raises TockError with a remedy.

        With `set_aside`, a damaged file is first moved aside unchanged: only for the holder of the folder's lock.
        """
        self.path = path
        self.is_ours: Callable[[sqlite3.Connection], bool] = lambda _connection: False
        """Whether a database in the place of ours is ours: the card was pulled out and is back."""
        self.take_folder: Callable[[], None] = lambda: None
        """Takes the lock of the folder again; raises TockError when another program has it."""
        self._room = room
        self._lock = threading.Lock()
        self.was_gone = set_aside and _journal_alone(path)
        """Whether only the journal of a database was left, which is kept aside."""
        self._connection = _opened(path, set_aside, room)
        # Readers do not wait for a slow disk to write.
        self._reading = threading.Lock()
        self._reader = _connected(path)
        self._file = _identity(path)

    def close(self) -> None:
        """Close it; everything written is already on the disk."""
        if not self._lock.acquire(timeout=PATIENCE_S):
            # A thread that still waits for the disk has the connections until the process ends.
            return
        try:
            with self._reading:
                self._reader.close()
                self._connection.close()
        finally:
            self._lock.release()

    def ask(self, question: Callable[[sqlite3.Connection], None]) -> None:
        """Check the database with a function that raises its own refusal; SQLite's errors become TockError."""
        try:
            with self._reading:
                question(self._reader)
        except sqlite3.Error as error:
            raise TockError(unread(self.path, error)) from None

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Read all rows of a query; raises TockError when the disk fails."""
        try:
            return self._rows(query, parameters)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            refusal = TockError(unread(self.path, error))
        if _identity(self.path) == self._file:
            raise refusal
        self._find_again()
        try:
            return self._rows(query, parameters)
        except (sqlite3.Error, UnicodeDecodeError):
            raise refusal from None

    def _rows(self, query: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._reading:
            return self._reader.execute(query, parameters).fetchall()

    def write(self, work: Work, *, gives_way: bool = False) -> None:
        """Do some work in one transaction: all of it is on the disk, or nothing. Raises TockError on failure.

        On a full disk all expendable data is deleted first, unless the work itself `gives_way`.
        """
        if _identity(self.path) != self._file:
            self._find_again()
        try:
            self._transact(work)
        except sqlite3.Error as error:
            refusal = self._write_in_room(work) if _says_full(error) and not gives_way else error
            if refusal is not None:
                # A write refused while it was being synced may be whole in the journal, and a power cut now would
                # bring it back; moved into the database, the journal holds only granted writes.
                self._shorten_journal()
                raise self._not_written(refusal) from None
        self._room.keep_reserve()

    def erase(self, work: Work) -> None:
        """Do some work as above, and leave nothing of deleted rows in the file and its journal."""
        self.write(work)
        try:
            with self._lock, self._reading:
                self._connection.execute("VACUUM")
        except sqlite3.Error as error:
            LOG.warning(
                "%s keeps unused pages of deleted rows until they are used again: %s", self.path, error
            )
        self._shorten_journal()

    def _write_in_room(self, work: Work) -> sqlite3.Error | None:
        """Make room step by step until the work is done; raises the last refusal if it never is."""
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
        """Move the journal into the database, where deleted pictures have left free pages."""
        with self._lock, self._reading, suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _not_written(self, error: sqlite3.Error) -> TockError:
        return TockError(f"{self.path} cannot be written ({_line(error)}); {_remedy(error)}")

    def _transact(self, work: Work) -> None:
        if not self._lock.acquire(timeout=PATIENCE_S):
            raise sqlite3.OperationalError("the disk is very slow and still writing; try again soon")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                work(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        finally:
            self._lock.release()

    def _find_again(self) -> None:
        """Go on with the file that is there now, if it is ours: a card was pulled out and is back.

        A file that was deleted while open takes every write and loses all of them at the end; raises TockError.
        """
        with self._lock, self._reading:
            file = _identity(self.path)
            if file == self._file:
                return
            if file is None:
                raise TockError(
                    f"{self.path} was deleted, or its memory card was pulled out; "
                    f"put the same card back, or start the companion again ({RESTORE_HINT})"
                )
            connection = _open(self.path, set_aside=False)
            try:
                if not self.is_ours(connection):
                    raise TockError(
                        f"{self.path} is another one than this game was begun in; put the same card back, "
                        f"or start the companion again ({RESTORE_HINT})"
                    )
                self.take_folder()
                reader = _connected(self.path)
            except BaseException:
                connection.close()
                raise
            for old in (self._reader, self._connection):
                with suppress(sqlite3.Error):
                    old.close()
            self._connection, self._reader, self._file = connection, reader, file
        LOG.warning("%s is back", self.path)


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


def _journal_alone(path: Path) -> bool:
    journal = path.with_name(f"{path.name}-wal")
    if path.exists() or not journal.exists() or not journal.stat().st_size:
        return False
    aside = keep_aside(path)
    LOG.error("%s is gone, its journal was left; it is kept as %s-wal (%s)", path, aside.name, RESTORE_HINT)
    return True


def _open(path: Path, set_aside: bool) -> sqlite3.Connection:
    try:
        if path.exists():
            check_database(path)
        connection = _connected(path)
        try:
            connection.execute(f"PRAGMA journal_mode={JOURNAL}").fetchone()
            connection.execute(f"PRAGMA wal_autocheckpoint={JOURNAL_PAGES}").fetchone()
        except BaseException:
            connection.close()
            raise
    except sqlite3.OperationalError as error:
        raise TockError(f"database {path} cannot be opened ({_line(error)}); {_remedy(error)}") from None
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
        # Otherwise Debian's SQLite overwrites deleted data, for which a full disk has no room.
        connection.execute("PRAGMA secure_delete=FAST").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def unread(path: Path, error: Exception) -> str:
    """Report that a database could not be read, and the remedy for this fault."""
    return f"{path} cannot be read ({_line(error)}); {_remedy(error)}"


_REMEDIES = {
    "SQLITE_FULL": "free disk space",
    "SQLITE_IOERR": "check the disk",
    "SQLITE_CANTOPEN": "check the disk and permissions",
    "SQLITE_READONLY": "mend the permissions of the file and its folder",
    "SQLITE_PERM": "mend the permissions of the file and its folder",
    "SQLITE_AUTH": "mend the permissions of the file and its folder",
    "SQLITE_BUSY": "another program has it open; end that, or try again soon",
    "SQLITE_LOCKED": "another program has it open; end that, or try again soon",
    "SQLITE_CORRUPT": f"the file is damaged: {RESTORE_HINT}",
    "SQLITE_NOTADB": f"the file is damaged: {RESTORE_HINT}",
    "SQLITE_CONSTRAINT": "the disk is well: report this with `tock report`",
}
"""Remedies, by the beginning of SQLite's name for a fault."""
_ANOTHER_FORM = f"the disk is well, the file is none of this version's: {RESTORE_HINT}"


def _remedy(error: Exception) -> str:
    """The remedy; only a fault of the disk points to the disk."""
    if isinstance(error, UnicodeDecodeError):
        return _REMEDIES["SQLITE_CORRUPT"]
    name = getattr(error, "sqlite_errorname", "")
    if not name:
        return "check the disk"
    return next((remedy for begin, remedy in _REMEDIES.items() if name.startswith(begin)), _ANOTHER_FORM)


def is_of_disk(error: sqlite3.Error) -> bool:
    """Whether the disk has refused, and not the content."""
    return getattr(error, "sqlite_errorname", "").startswith(
        ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN")
    )


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
