"""The figures of all games in one SQLite file beside the games.

It holds only counts of the logs, so it is deleted and made again, never mended.
"""

import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tock_companion.errors import BadInputError, TockError
from tock_companion.language import folded
from tock_companion.statistics.game_figures import GameFigures, SeatFigures, figures_of
from tock_companion.storage import DamagedGameError, Store
from tock_companion.storage.files import STATISTICS_NAME
from tock_companion.table.seats.game_people import People

VERSION = 1
"""Rises with every change of the tables or of the way of counting: an older file is made again."""
_COUNTED = [field.name for field in fields(SeatFigures) if field.name not in ("seat", "side", "won")]
_TABLES = f"""
    CREATE TABLE game (number INTEGER PRIMARY KEY, mark INTEGER, fault TEXT, ended_at TEXT, ruleset TEXT);
    CREATE TABLE seat (game INTEGER, seat INTEGER, side INTEGER, won INTEGER, {", ".join(_COUNTED)},
        name TEXT, key TEXT, PRIMARY KEY (game, seat)) WITHOUT ROWID;
    CREATE TABLE capture (game INTEGER, taker INTEGER, owner INTEGER, pawns INTEGER,
        PRIMARY KEY (game, taker, owner)) WITHOUT ROWID;
    CREATE INDEX by_key ON seat (key);
    PRAGMA user_version = {VERSION};
"""
Progress = Callable[[int, int], None]
"""Called with the number of games counted and to be counted."""


@contextmanager
def book_of(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the statistics of a data folder; a damaged or older file is replaced by an empty one. Raises TockError."""
    path = folder / STATISTICS_NAME
    try:
        try:
            connection = _opened(path)
        except sqlite3.DatabaseError:
            with suppress(FileNotFoundError):
                path.unlink()
            connection = _opened(path)
        with closing(connection):
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise TockError(
            f"{path}: the statistics cannot be kept ({error}); free room or delete the file"
        ) from None


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall():
                connection.execute(f'DROP TABLE "{table}"')
            connection.executescript(_TABLES)
    except BaseException:
        connection.close()
        raise
    return connection


def bring_up(
    book: sqlite3.Connection,
    store: Store,
    people_of: Callable[[int], People],
    progress: Progress | None = None,
) -> None:
    """Count the games that are new or have changed, and forget those that are gone.

    A damaged game is noted with its fault and skipped.
    """
    people = {number: people_of(number) for number in store.numbers()}
    marks = {
        number: zlib.crc32(repr((bytes(line), sorted(people[number].items()))).encode())
        for number, line in store.last_lines().items()
    }
    counted = dict(book.execute("SELECT number, mark FROM game"))
    with book:
        for number in counted.keys() - marks.keys():
            _forget(book, number)
    due = [number for number, mark in marks.items() if counted.get(number) != mark]
    for done, number in enumerate(due, 1):
        with book:
            _forget(book, number)
            _count(book, store, number, marks[number], people[number])
        if progress is not None:
            progress(done, len(due))


def faults_of(book: sqlite3.Connection) -> list[tuple[int, str]]:
    """The games that could not be counted, and why."""
    return book.execute("SELECT number, fault FROM game WHERE fault IS NOT NULL ORDER BY number").fetchall()


def _forget(book: sqlite3.Connection, number: int) -> None:
    book.execute("DELETE FROM game WHERE number = ?", (number,))
    book.execute("DELETE FROM seat WHERE game = ?", (number,))
    book.execute("DELETE FROM capture WHERE game = ?", (number,))


def _count(book: sqlite3.Connection, store: Store, number: int, mark: int, people: People) -> None:
    try:
        figures = figures_of(store.game(number).events)
    except (BadInputError, DamagedGameError) as error:
        book.execute("INSERT INTO game VALUES (?, ?, ?, NULL, NULL)", (number, mark, str(error)))
        return
    if figures is None:
        book.execute("INSERT INTO game VALUES (?, ?, NULL, NULL, NULL)", (number, mark))
        return
    row = (number, mark, ended_at(figures), figures.ruleset)
    book.execute("INSERT INTO game VALUES (?, ?, NULL, ?, ?)", row)
    marks = ", ".join("?" * (len(_COUNTED) + 6))
    book.executemany(
        f"INSERT INTO seat VALUES ({marks})",
        [
            (number, *astuple(seat), name, folded(name))
            for seat in figures.seats
            for name in [people.get(seat.seat, "")]
        ],
    )
    book.executemany(
        "INSERT INTO capture VALUES (?, ?, ?, ?)",
        [(number, taker, owner, pawns) for (taker, owner), pawns in figures.captures.items()],
    )


def ended_at(figures: GameFigures) -> str:
    """The end in ISO 8601 and UTC; empty where the log does not say when the game began, or says it wrongly."""
    try:
        began = datetime.fromisoformat(figures.started_at or "").astimezone(UTC)
        return (began + timedelta(milliseconds=figures.length_ms)).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""
