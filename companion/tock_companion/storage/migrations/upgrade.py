"""Bringing a database up to date: a copy first, then all missing steps in one transaction."""

import filecmp
import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from tock_companion import __version__
from tock_companion.errors import BadInputError, TockError, one_line, printable
from tock_companion.storage.backup import back_up, free_copy
from tock_companion.storage.disk_space import Room
from tock_companion.storage.migrations.steps import MIGRATIONS, USER_VERSION, Migration
from tock_companion.storage.sqlite_file import Database

_LEDGER = """CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, release TEXT NOT NULL, does TEXT NOT NULL
)"""


def bring_up(database: Database, room: Room) -> Path | None:
    """Do the missing steps; return the copy of the database before them, None when no copy was needed.

    Raises TockError when the copy or the steps do not fit on the disk: then nothing has changed. The caller holds the
    folder's lock.
    """
    with closing(sqlite3.connect(f"{database.path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        steps, is_new = pending(connection), not _tables_of(connection)
    if not steps:
        return None
    copy = None if is_new else _copied(database.path, room, steps[-1].release)
    database.write(lambda connection: _do(connection, steps))
    return copy


def pending(connection: Connection) -> tuple[Migration, ...]:
    """The steps that a database lacks; all where no ledger says otherwise, as each leaves existing tables alone."""
    done: set[int] = set()
    if "migrations" in _tables_of(connection):
        done = {int(number) for (number,) in connection.execute("SELECT number FROM migrations")}
    return tuple(step for step in MIGRATIONS if step.number not in done)


def refuse_newer(connection: Connection, path: Path) -> None:
    """Raise BadInputError, which names both versions, for a database that this release cannot go on with."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version <= USER_VERSION:
        return
    written_by = f"a newer version (form {version})"
    if "migrations" in _tables_of(connection):
        later = "SELECT release FROM migrations WHERE number > ? ORDER BY number DESC LIMIT 1"
        for (release,) in connection.execute(later, (MIGRATIONS[-1].number,)):
            written_by = f"the newer version {printable(str(release))}"
    raise BadInputError(
        f"database {path} was written by {written_by}, and this is version {__version__}, which reads up to "
        f"form {USER_VERSION}; nothing was changed: update this program"
    )


def refuse_foreign(connection: Connection, path: Path) -> None:
    """Raise BadInputError for a database with parts that no release makes: a trigger runs with each move."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    for kind, name, statement in rows:
        plain = _plain(str(statement))
        is_table = kind == "table" and not plain.upper().startswith("CREATE VIRTUAL")
        if not is_table or _STATEMENTS.get(str(name), plain) != plain:
            raise BadInputError(
                f"database {path} has a {printable(str(kind))} '{printable(str(name))}' of another program; "
                f"nothing was changed: `tock game restore {printable(str(path))}` takes the games out of it"
            )


def create(connection: Connection) -> None:
    """Make the tables of this release in an empty database."""
    _do(connection, MIGRATIONS)


def why_not(path: Path) -> str:
    """The reason why a start would not open this database, empty when it would: the steps are tried on empty tables."""
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
            closing(sqlite3.connect(":memory:")) as trial,
        ):
            refuse_newer(connection, path)
            refuse_foreign(connection, path)
            for (statement,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'"):
                trial.execute(statement)
            _do(trial, pending(connection))
            for table, columns in tables_of_today().items():
                trial.execute(f"SELECT {', '.join(columns)} FROM {table}")
    except (sqlite3.Error, BadInputError, UnicodeDecodeError) as error:
        return one_line(str(error))
    return ""


def _do(connection: Connection, steps: tuple[Migration, ...]) -> None:
    connection.execute(_LEDGER)
    for step in steps:
        step.work(connection)
        connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (step.number, step.release, step.does))
    if steps:
        connection.execute(f"PRAGMA user_version = {USER_VERSION}")


def _copied(path: Path, room: Room, release: str) -> Path:
    """Copy the database beside its daily copies; expendable data makes room for it."""
    target = free_copy(room.backups, release)
    try:
        copy = back_up(path, target)
    except TockError as error:
        copy = _copied_in_room(path, target, room, error)
    return _only_one(copy)


def _copied_in_room(path: Path, target: Path, room: Room, refusal: TockError) -> Path:
    for _ in room.freed() if room.could_have(path.stat().st_size) else ():
        try:
            return back_up(path, target)
        except TockError as error:
            refusal = error
    raise TockError(
        f"{path} is of an older version and is copied before it is changed; {refusal}; nothing was changed"
    )


def _only_one(copy: Path) -> Path:
    """Delete a copy that equals an earlier one: a start cut off by a power failure made the same."""
    for other in sorted(copy.parent.glob("before-*.sqlite")):
        if other != copy and filecmp.cmp(other, copy, shallow=False):
            copy.unlink()
            return other
    return copy


def _tables_of(connection: Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in rows}


def _plain(statement: str) -> str:
    return " ".join(statement.split())


def _statements_of_today() -> dict[str, str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {str(name): _plain(str(statement)) for name, statement in rows}


def tables_of_today() -> dict[str, list[str]]:
    """The tables of this release with their columns."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
        return {
            table: [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
            for table in sorted(_tables_of(connection))
        }


_STATEMENTS = _statements_of_today()
"""Of all tables that a release has made; none ever changed."""
