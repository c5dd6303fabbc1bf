"""The host's choices for this table, kept through restarts."""

import json
import logging
from sqlite3 import Connection

from tock_companion.storage.sqlite_file import Database
from tock_companion.strict_json import decode

LOG = logging.getLogger(__name__)


class Choices:
    """Values that fit into JSON, by name; a call returns once the disk has it, or raises TockError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> object:
        """Read a choice, None when there is none or it cannot be read."""
        rows = self._database.rows("SELECT CAST(value AS BLOB) FROM choices WHERE name = ?", (name,))
        if not rows:
            return None
        try:
            return decode(bytes(rows[0][0]))
        except ValueError as error:
            LOG.error("the choice '%s' in %s cannot be read (%s); left out", name, self._database.path, error)
            return None

    def keep(self, name: str, value: object) -> None:
        self._database.write(lambda connection: put(connection, name, value))


def put(connection: Connection, name: str, value: object) -> None:
    """Replace a choice, as a part of a larger transaction."""
    connection.execute("INSERT OR REPLACE INTO choices VALUES (?, ?)", (name, json.dumps(value)))
