"""Deletes games, names and pictures of moves for ever: from the database and from every copy within reach.

A deletion is first noted in a list beside the database, as a salted digest that tells nothing of the deleted thing.
Each database keeps the ids of the deletions that it has made, and makes up for the others: when the folder is opened,
when a copy is restored, and in a sweep of all copies. So a power cut leaves none half done, a copy on a stick brings
nothing back, and a person who plays again under a forgotten name is not forgotten a second time.
"""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sqlite3 import Connection

from tock_companion import strict_json
from tock_companion.errors import BadInputError, TockError
from tock_companion.files import read_text_bounded, replace_file
from tock_companion.language import folded
from tock_companion.storage.choices import put

LIST_NAME = "forgotten.json"
MAX_BYTES = 4_000_000
KEPT_AS = "forgotten"
GAME, NAME, PICTURES = "game", "name", "pictures"
_TABLES = ("events", "hands", "pictures", "withheld", "later_fields")
_LATER = "board_file"
"""A field of a game's beginning that recordings have in the line and databases beside it."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One deletion."""

    id: str
    kind: str
    digest: str
    """Of the id and the deleted thing: a game by its beginning, a name as folded, pictures by game and event."""

    @classmethod
    def of(cls, kind: str, thing: str) -> "Forgotten":
        mark = secrets.token_hex(16)
        return cls(mark, kind, _digest(mark, thing))

    def means(self, thing: str) -> bool:
        return _digest(self.id, thing) == self.digest


def _digest(mark: str, thing: str) -> str:
    return hashlib.sha256(f"{mark} {thing}".encode()).hexdigest()


def key_of_game(first_line: bytes) -> str:
    """The same for every copy and recording of a game, and for no other game."""
    try:
        document = strict_json.decode(first_line)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        return hashlib.sha256(first_line).hexdigest()
    document.pop(_LATER, None)
    return json.dumps(document, sort_keys=True)


def key_of_pictures(game: str, seq: int) -> str:
    return f"{seq} {game}"


def forgotten_in(folder: Path) -> tuple[Forgotten, ...]:
    """The list of a data folder or of a folder of copies, oldest first."""
    if not (folder / LIST_NAME).exists():
        return ()
    try:
        rows = strict_json.decode(read_text_bounded(folder / LIST_NAME, MAX_BYTES, "list of deletions"))
        return tuple(Forgotten(*map(str, row)) for row in rows)  # type: ignore[attr-defined]
    except (BadInputError, ValueError, TypeError) as error:
        raise TockError(
            f"{folder / LIST_NAME} cannot be read ({error}); restore it, or delete it to give up what it forgets"
        ) from None


def note(folder: Path, deletions: Iterable[Forgotten]) -> tuple[Forgotten, ...]:
    """Put deletions on the list of a folder, on the disk; return the whole list. Raises OSError, TockError."""
    before = forgotten_in(folder)
    now = tuple(dict.fromkeys((*before, *deletions)))
    if now != before:
        replace_file(folder / LIST_NAME, json.dumps([astuple(one) for one in now]))
    return now


def pending(connection: Connection, deletions: Iterable[Forgotten]) -> tuple[Forgotten, ...]:
    """The deletions that a database has not made yet."""
    made = _choice(connection, KEPT_AS)
    known = set(made) if isinstance(made, list) else set()
    return tuple(one for one in deletions if one.id not in known)


def delete(connection: Connection, deletions: Iterable[Forgotten]) -> None:
    """Make the deletions that a database has not made yet, as a part of a larger transaction."""
    due = pending(connection, deletions)
    if not due:
        return
    games = beginnings(connection)
    for one in due:
        if one.kind == NAME:
            _delete_name(connection, one)
            continue
        for number, key in games.items():
            if one.kind == GAME and one.means(key):
                _delete_game(connection, number)
            elif one.kind == PICTURES:
                seqs = connection.execute("SELECT DISTINCT seq FROM pictures WHERE game = ?", (number,))
                for (seq,) in seqs.fetchall():
                    if one.means(key_of_pictures(key, seq)):
                        connection.execute("DELETE FROM pictures WHERE (game, seq) = (?, ?)", (number, seq))
    made = _choice(connection, KEPT_AS)
    put(connection, KEPT_AS, [*(made if isinstance(made, list) else []), *(one.id for one in due)])


def beginnings(connection: Connection) -> dict[int, str]:
    """The key of each game by its number."""
    return {number: key_of_game(line) for number, line in _first_lines(connection)}


def newest_game(connection: Connection) -> str:
    """The key of the game begun last, which may be on the table; empty where there is none."""
    return max(beginnings(connection).items(), default=(0, ""))[1]


def games_with_old_pictures(connection: Connection, days: int, now: datetime, spared: str) -> tuple[int, ...]:
    """The games that began before that many days and have pictures of their moves; `spared` is never old.

    One that seems to begin two days ahead counts as old: a clock that was wrong once would keep its pictures.
    """
    with_pictures = {game for (game,) in connection.execute("SELECT DISTINCT game FROM pictures")}
    if not with_pictures:
        return ()
    recent = {
        number
        for number, line in _first_lines(connection)
        if timedelta(days=-2) < now - _began_at(line) <= timedelta(days=days) or key_of_game(line) == spared
    }
    return tuple(sorted(with_pictures - recent))


def delete_pictures(connection: Connection, games: Iterable[int]) -> None:
    """Delete all pictures of some games, as a part of a larger transaction."""
    connection.executemany("DELETE FROM pictures WHERE game = ?", [(game,) for game in games])


def _began_at(first_line: bytes) -> datetime:
    with suppress(ValueError, TypeError, AttributeError):
        document = strict_json.decode(first_line)
        return datetime.fromisoformat(document["started_at"]).astimezone(UTC)  # type: ignore[index]
    return datetime.fromtimestamp(0, UTC)


def _first_lines(connection: Connection) -> list[tuple[int, bytes]]:
    return connection.execute(
        "SELECT game, CAST(line AS BLOB) FROM events AS one WHERE typeof(game) = 'integer' "
        "AND seq = (SELECT min(seq) FROM events WHERE game = one.game)"
    ).fetchall()


def _delete_game(connection: Connection, number: int) -> None:
    for table in _TABLES:
        with suppress(sqlite3.OperationalError):  # A copy of an early release lacks some.
            connection.execute(f"DELETE FROM {table} WHERE game = ?", (number,))
    people, results, last = (_choice(connection, name) for name in ("game_people", "results", "last_people"))
    if isinstance(people, dict) and people.pop(str(number), None) is not None:
        put(connection, "game_people", people)
    if isinstance(results, list):
        put(
            connection,
            "results",
            [row for row in results if not (isinstance(row, list) and row[:1] == [number])],
        )
    if isinstance(last, list) and last[:1] == [number]:
        put(connection, "last_people", None)


def _delete_name(connection: Connection, deletion: Forgotten) -> None:
    def is_meant(name: object) -> bool:
        return isinstance(name, str) and deletion.means(folded(name))

    for table in ("seats", "withheld"):
        with suppress(sqlite3.OperationalError):
            found = connection.execute(f"SELECT DISTINCT CAST(name AS BLOB) FROM {table}").fetchall()
            names = [name for (name,) in found if is_meant(name.decode(errors="replace"))]
            sitting = "DELETE FROM seats WHERE CAST(name AS BLOB) = ?"
            hidden = "UPDATE withheld SET name = '' WHERE CAST(name AS BLOB) = ?"
            connection.executemany(sitting if table == "seats" else hidden, [(name,) for name in names])
    for kept in ("game_people", "results", "last_people", "expected", "persons"):
        before = _choice(connection, kept)
        after = _without(before, is_meant)
        if after != before:
            put(connection, kept, after)


def _without(value: object, is_meant: Callable[[object], bool]) -> object:
    """A choice without a name: the seat, the player or the winner of that name is left out."""
    if isinstance(value, dict):
        return {
            key: _without(one, is_meant)
            for key, one in value.items()
            if not is_meant(key) and not is_meant(one)
        }
    if isinstance(value, list):
        # A row of a person, `[seat, name, language]`, goes as a whole.
        rows = [one for one in value if not (isinstance(one, list) and len(one) == 3 and is_meant(one[1]))]
        return [_without(one, is_meant) for one in rows if not is_meant(one)]
    return value


def _choice(connection: Connection, name: str) -> object:
    row = connection.execute("SELECT CAST(value AS BLOB) FROM choices WHERE name = ?", (name,)).fetchone()
    with suppress(ValueError):
        return None if row is None else strict_json.decode(bytes(row[0]))
    return None
