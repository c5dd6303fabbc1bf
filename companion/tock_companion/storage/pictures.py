"""Private pictures of a game: holes and cards at the moment when a move was accepted."""

import logging
from collections.abc import Mapping

from tock_companion.errors import TockError
from tock_companion.storage.disk_space import has_room
from tock_companion.storage.sqlite_file import Database

LOG = logging.getLogger(__name__)


class Pictures:
    """PNG pictures by game, event and name (`before/T20`, `after/T26`, `card`); calls raise TockError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, game: int, seq: int, pictures: Mapping[str, bytes]) -> None:
        """Write the pictures of one event in one transaction; nothing while the disk is nearly full."""
        rows = [(game, seq, name, png) for name, png in pictures.items()]
        if has_room(self._database.path.parent, sum(map(len, pictures.values()))):
            self._database.write(
                lambda connection: connection.executemany(
                    "INSERT OR REPLACE INTO pictures VALUES (?, ?, ?, ?)", rows
                ),
                gives_way=True,
            )

    def delete_all(self) -> None:
        """Free their space, so that the log can grow; if the disk refuses even this, they stay."""
        try:
            self._database.write(
                lambda connection: connection.execute("DELETE FROM pictures"), gives_way=True
            )
        except TockError as error:
            LOG.warning("%s", error)

    def names(self, game: int, seq: int) -> tuple[str, ...]:
        query = "SELECT name FROM pictures WHERE game = ? AND seq = ? ORDER BY name"
        return tuple(name for (name,) in self._database.rows(query, (game, seq)))

    def png(self, game: int, seq: int, name: str) -> bytes | None:
        """Read one picture, None when there is none."""
        query = "SELECT png FROM pictures WHERE game = ? AND seq = ? AND name = ?"
        rows = self._database.rows(query, (game, seq, name))
        return bytes(rows[0][0]) if rows else None
