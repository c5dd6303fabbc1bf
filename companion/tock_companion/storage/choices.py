"""What the host has chosen for this table and need not choose again after a restart."""

import json
import sqlite3
import threading

SCHEMA = """
CREATE TABLE IF NOT EXISTS choices (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class Choices:
    """Values that fit into JSON, by name; a call returns when the disk has it."""

    def __init__(self, connection: sqlite3.Connection, lock: threading.Lock) -> None:
        """Share the store's connection and its lock."""
        self._connection, self._lock = connection, lock

    def get(self, name: str) -> object:
        """Return what was chosen, None when nothing was."""
        with self._lock:
            row = self._connection.execute("SELECT value FROM choices WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def keep(self, name: str, value: object) -> None:
        """Replace what was chosen."""
        with self._lock:
            self._connection.execute(
                "INSERT OR REPLACE INTO choices VALUES (?, ?)", (name, json.dumps(value))
            )
