"""Sweeps copies and recordings: nothing that was forgotten stays in one, and no picture of a move past its age."""

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tock_companion.errors import TockError
from tock_companion.storage import forgetting
from tock_companion.storage.backup import back_up
from tock_companion.storage.daily_copies import number_of
from tock_companion.storage.disk_space import has_room
from tock_companion.storage.files import DATABASE_NAME

LOG = logging.getLogger(__name__)
MAX_LINE_BYTES = 1_000_000
Look = tuple[int, int, int, str]
"""Time and size of a copy, length of the list and day, when nothing was left to do."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where games are kept beside the database."""

    data: Path
    backups: tuple[Path, ...]
    recordings: Path

    def copies(self) -> Iterator[Path]:
        """All copies, those kept aside too."""
        yield from (path for path in self.data.glob("games*.sqlite") if path.name != DATABASE_NAME)
        for folder in self.backups:
            yield from folder.glob("*.sqlite")


class Sweep:
    """Looks at all copies, and rewrites those with something to delete; run by one thread."""

    def __init__(self, places: Places, pictures_days: int) -> None:
        self._places, self._pictures_days = places, pictures_days
        self._clean: dict[Path, Look] = {}
        self._drop_parts()

    def _drop_parts(self) -> None:
        """Delete halves of copies that a power cut has left."""
        for folder in self._places.backups:
            for part in folder.glob("*.sqlite.part"):
                part.unlink(missing_ok=True)

    def run(self, now: datetime) -> None:
        """Sweep; a copy that cannot be changed is tried again the next time. Raises TockError, OSError."""
        deletions = forgetting.forgotten_in(self._places.data)
        if deletions:
            for folder in self._places.backups:
                if folder.is_dir():
                    forgetting.note(folder, deletions)
            self._drop_recordings(deletions)
        spared = self._newest()
        for copy in self._places.copies():
            try:
                self._sweep(copy, deletions, now, spared)
            except (TockError, OSError, sqlite3.Error) as error:
                LOG.warning(
                    "forgotten games, names or pictures may still be in %s: %s; delete it", copy, error
                )
                self._clean[copy] = _look(copy, deletions, now)

    def _newest(self) -> str:
        with suppress(sqlite3.Error), closing(_read_only(self._places.data / DATABASE_NAME)) as connection:
            return forgetting.newest_game(connection)
        return ""

    def _sweep(
        self, copy: Path, deletions: tuple[forgetting.Forgotten, ...], now: datetime, spared: str
    ) -> None:
        look = _look(copy, deletions, now)
        if self._clean.get(copy) == look:
            return

        def old(connection: sqlite3.Connection) -> tuple[int, ...]:
            return forgetting.games_with_old_pictures(connection, self._pictures_days, now, spared)

        with closing(_read_only(copy)) as connection:
            is_clean = not forgetting.pending(connection, deletions) and not old(connection)
        if not is_clean:
            if not has_room(copy.parent, copy.stat().st_size):
                raise TockError("there is no room to rewrite it")
            times = copy.stat()
            # What a journal beside it holds goes into the copy first.
            with closing(sqlite3.connect(copy)) as connection:
                connection.execute("PRAGMA journal_mode=DELETE").fetchall()

            def change(rows: sqlite3.Connection) -> None:
                forgetting.delete(rows, deletions)
                forgetting.delete_pictures(rows, old(rows))

            back_up(copy, copy, number_of(copy), change)
            # People know a copy by its time.
            os.utime(copy, ns=(times.st_atime_ns, times.st_mtime_ns))
        self._clean[copy] = _look(copy, deletions, now)

    def _drop_recordings(self, deletions: Iterable[forgetting.Forgotten]) -> None:
        games = [one for one in deletions if one.kind == forgetting.GAME]
        for log in self._places.recordings.glob("*/events.jsonl") if games else ():
            with log.open("rb") as file:
                key = forgetting.key_of_game(file.readline(MAX_LINE_BYTES).rstrip(b"\n"))
            if any(one.means(key) for one in games):
                shutil.rmtree(log.parent)


def _read_only(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)


def _look(copy: Path, deletions: tuple[forgetting.Forgotten, ...], now: datetime) -> Look:
    with suppress(OSError):
        stat = copy.stat()
        return stat.st_mtime_ns, stat.st_size, len(deletions), f"{now:%Y-%m-%d}"
    return 0, 0, 0, ""
