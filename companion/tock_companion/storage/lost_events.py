"""Detects events that the disk has lost: a missing or damaged journal takes the newest events with it.

SQLite itself cannot tell: without its journal, or with one whose head is damaged, a database is whole and simply older.
So the number of the newest event is noted beside it, after the event is on the disk.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from tock_companion.operating_system import BINARY
from tock_companion.storage.files import free_name

NAME = ".newest"
DIGITS = 10
EventPlace = tuple[int, int]
"""The number of a game, and of an event in it."""


class NewestNote:
    """The note. It is not waited for, so a power cut may leave an older one; it is never ahead of the database."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def read(self) -> EventPlace | None:
        """The newest event known to have been on the disk."""
        with suppress(OSError, ValueError):
            game, seq = self._path.read_text(encoding="ascii").split()
            return int(game), int(seq)
        return None

    def write(self, newest: EventPlace) -> None:
        """Note it, always in the same number of bytes, so that a full disk has room for it; ignores a disk that
        refuses."""
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | BINARY, 0o600)
            try:
                os.write(descriptor, " ".join(f"{number:0{DIGITS}}" for number in newest).encode())
            finally:
                os.close(descriptor)

    def forget(self) -> None:
        """Another database has replaced the one before."""
        with suppress(OSError):
            self._path.unlink()


def keep_journal(database: Path) -> None:
    """Copy a journal that SQLite ignores and will overwrite, for later repair by hand."""
    journal = database.with_name(f"{database.name}-wal")
    with suppress(OSError):
        if journal.stat().st_size:
            aside = free_name(database, "damaged")
            shutil.copyfile(journal, aside.with_name(f"{aside.name}-wal"))
