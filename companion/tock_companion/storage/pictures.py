"""The private pictures of a game: what holes and cards looked like when a move was accepted."""

import sqlite3
import threading
from collections.abc import Mapping

from tock_companion.errors import TockError

SCHEMA = """
CREATE TABLE IF NOT EXISTS pictures (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, png BLOB NOT NULL, PRIMARY KEY (game, seq, name)
) WITHOUT ROWID;
"""


class Pictures:
    """PNG pictures by game, event and name (`before/T20`, `after/T26`, `card`)."""

    def __init__(self, connection: sqlite3.Connection, lock: threading.Lock) -> None:
        """Share the store's connection and its lock."""
        self._connection, self._lock = connection, lock

    def keep(self, game: int, seq: int, pictures: Mapping[str, bytes]) -> None:
        """Write the pictures of one event in one transaction; raises TockError when the disk refuses."""
        rows = [(game, seq, name, png) for name, png in pictures.items()]
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    self._connection.executemany("INSERT OR REPLACE INTO pictures VALUES (?, ?, ?, ?)", rows)
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise TockError(f"pictures cannot be kept ({error}); free disk space or mend the disk") from None

    def names(self, game: int, seq: int) -> tuple[str, ...]:
        """Return the names of an event's pictures."""
        query = "SELECT name FROM pictures WHERE game = ? AND seq = ? ORDER BY name"
        with self._lock:
            return tuple(name for (name,) in self._connection.execute(query, (game, seq)))

    def png(self, game: int, seq: int, name: str) -> bytes | None:
        """Return one picture, None when there is none."""
        query = "SELECT png FROM pictures WHERE game = ? AND seq = ? AND name = ?"
        with self._lock:
            row = self._connection.execute(query, (game, seq, name)).fetchone()
        return None if row is None else bytes(row[0])
