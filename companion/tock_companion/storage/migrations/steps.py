"""The steps from the first database to today's, in their order. A step is never changed once a release has it.

Releases before 0.3.0 look at `user_version` alone and refuse a higher one, so a step raises it only when they could not
go on with its result: an update that fails goes back to them, and the game with it. They insert rows without naming
columns, so a column more in a table of theirs shuts them out; a table more does not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from sqlite3 import Connection

Work = Callable[[Connection], None]


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of the database; done inside the transaction of all steps."""

    number: int
    release: str
    """The first release that has it."""
    does: str
    work: Work
    user_version: int
    """The version that older releases check; raised when they could not read the result."""


def _tables(*statements: str) -> Work:
    def make(connection: Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    return make


MIGRATIONS = (
    Migration(
        1,
        "0.1.0",
        "Games, hands, seats, pictures of moves, choices of the host.",
        _tables(
            """CREATE TABLE IF NOT EXISTS events (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, seq)
) WITHOUT ROWID""",
            """CREATE TABLE IF NOT EXISTS hands (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, seat TEXT NOT NULL, cards TEXT NOT NULL, PRIMARY KEY (game, seq, seat)
) WITHOUT ROWID""",
            """CREATE TABLE IF NOT EXISTS seats (
    seat TEXT PRIMARY KEY, name TEXT NOT NULL, lang TEXT NOT NULL, token_hash TEXT NOT NULL
)""",
            """CREATE TABLE IF NOT EXISTS pictures (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, png BLOB NOT NULL, PRIMARY KEY (game, seq, name)
) WITHOUT ROWID""",
            "CREATE TABLE IF NOT EXISTS choices (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        ),
        user_version=1,
    ),
    Migration(
        2,
        "0.3.0",
        "The device behind each seat's token, and cards withheld from those who hold a seat later.",
        _tables(
            """CREATE TABLE IF NOT EXISTS devices (
    seat TEXT PRIMARY KEY, token_hash TEXT NOT NULL, device_hash TEXT NOT NULL
)""",
            """CREATE TABLE IF NOT EXISTS withheld (
    game INTEGER NOT NULL, seat TEXT NOT NULL, seq INTEGER NOT NULL,
    owner TEXT NOT NULL, name TEXT NOT NULL, cards INTEGER NOT NULL, refused INTEGER NOT NULL,
    PRIMARY KEY (game, seat, seq)
) WITHOUT ROWID""",
        ),
        user_version=1,
    ),
    Migration(
        3,
        "0.3.0",
        "Fields of events that earlier releases refuse, beside the line of the event that they read.",
        _tables(
            """CREATE TABLE IF NOT EXISTS later_fields (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, fields TEXT NOT NULL, PRIMARY KEY (game, seq)
) WITHOUT ROWID"""
        ),
        user_version=1,
    ),
)

USER_VERSION = MIGRATIONS[-1].user_version
