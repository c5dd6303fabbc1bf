"""The private pictures of a game: what holes and cards looked like when a move was accepted."""

from collections.abc import Mapping

from tock_companion.storage.database import Database

SCHEMA = """
CREATE TABLE IF NOT EXISTS pictures (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, png BLOB NOT NULL, PRIMARY KEY (game, seq, name)
) WITHOUT ROWID;
"""


class Pictures:
    """PNG pictures by game, event and name (`before/T20`, `after/T26`, `card`); calls raise TockError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, game: int, seq: int, pictures: Mapping[str, bytes]) -> None:
        """Write the pictures of one event in one transaction."""
        rows = [(game, seq, name, png) for name, png in pictures.items()]
        with self._database.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO pictures VALUES (?, ?, ?, ?)", rows)

    def names(self, game: int, seq: int) -> tuple[str, ...]:
        """The names of an event's pictures."""
        query = "SELECT name FROM pictures WHERE game = ? AND seq = ? ORDER BY name"
        return tuple(name for (name,) in self._database.rows(query, (game, seq)))

    def png(self, game: int, seq: int, name: str) -> bytes | None:
        """Read one picture, None when there is none."""
        query = "SELECT png FROM pictures WHERE game = ? AND seq = ? AND name = ?"
        rows = self._database.rows(query, (game, seq, name))
        return bytes(rows[0][0]) if rows else None
