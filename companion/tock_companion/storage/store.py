"""The store: one database with all games; the newest game that has not ended is the running one."""

import sqlite3
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tock_companion.errors import BadInputError, TockError
from tock_companion.events.codec import event_from_line, event_to_line
from tock_companion.events.facts import Event, GameEnded
from tock_companion.rules import Card, Seat, parse_hand
from tock_companion.storage import choices, pictures
from tock_companion.storage.files import DATABASE_NAME, keep_aside, open_database, prepare_folder

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hands (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, seat TEXT NOT NULL, cards TEXT NOT NULL, PRIMARY KEY (game, seq, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    seat TEXT PRIMARY KEY, name TEXT NOT NULL, lang TEXT NOT NULL, token_hash TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who sits where: kept through restarts, so that a phone finds its seat again. Only the token's hash is stored."""

    seat: Seat
    name: str
    lang: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class GameLog:
    """One game: its number in the store and its events."""

    number: int
    events: tuple[Event, ...]

    @property
    def running(self) -> bool:
        """Whether the game has begun and not ended."""
        return bool(self.events) and not isinstance(self.events[-1].fact, GameEnded)


class Store:
    """Append-only events of all games and the seats' holders; a call returns when the disk has it."""

    def __init__(self, folder: Path) -> None:
        """Open or make the database in `folder`; raises TockError with a remedy when that is not possible."""
        self.path = prepare_folder(folder) / DATABASE_NAME
        self._lock = threading.Lock()
        self._connection = open_database(self.path)
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            self._connection.close()
            raise TockError(
                f"database {self.path} was written by a newer version ({version}); update this program, "
                "or choose another folder with TOCK_DATA"
            )
        self._connection.executescript(_SCHEMA + pictures.SCHEMA + choices.SCHEMA)
        self.pictures = pictures.Pictures(self._connection, self._lock)
        self.choices = choices.Choices(self._connection, self._lock)
        self._connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def close(self) -> None:
        """Close the database; everything appended is already on the disk."""
        with self._lock:
            self._connection.close()

    def append(
        self,
        game: int,
        events: Iterable[Event],
        hands: Mapping[tuple[int, Seat], tuple[Card, ...]] | None = None,
    ) -> None:
        """Write events in one transaction: all of them or none; raises TockError when the disk refuses.

        `hands` are the cards behind `cards_dealt` events, which themselves say only how many: the private part.
        """
        rows = [(game, event.seq, event_to_line(event)) for event in events]
        private = [
            (game, seq, seat.name, " ".join(map(str, cards))) for (seq, seat), cards in (hands or {}).items()
        ]
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    self._connection.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
                    self._connection.executemany("INSERT INTO hands VALUES (?, ?, ?, ?)", private)
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise TockError(
                f"{self.path} cannot be written ({error}); free disk space or mend the disk"
            ) from None

    def newest_game(self) -> GameLog | None:
        """Return the game begun last, None when there is none; raises TockError when its log cannot be read."""
        with self._lock:
            number = self._connection.execute("SELECT max(game) FROM events").fetchone()[0]
        return None if number is None else self.game(int(number))

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of all games, oldest first."""
        with self._lock:
            rows = self._connection.execute("SELECT DISTINCT game FROM events ORDER BY game").fetchall()
        return tuple(int(number) for (number,) in rows)

    def game(self, number: int) -> GameLog:
        """Return one game with all its events; raises TockError when its log has a gap or cannot be read."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT seq, line FROM events WHERE game = ? ORDER BY seq", (number,)
            ).fetchall()
        try:
            events = tuple(event_from_line(line) for _, line in rows)
        except BadInputError as error:
            raise self.set_aside(number, str(error)) from None
        if [event.seq for event in events] != list(range(1, len(events) + 1)):
            raise self.set_aside(number, "an event is missing")
        return GameLog(number, events)

    def hands(self, game: int) -> dict[tuple[int, Seat], tuple[Card, ...]]:
        """Return the cards behind the `cards_dealt` events of a game, by event number and seat."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT seq, seat, cards FROM hands WHERE game = ?", (game,)
            ).fetchall()
        return {(seq, Seat[seat]): parse_hand(cards.split()) for seq, seat, cards in rows}

    def set_aside(self, number: int, reason: str) -> TockError:
        """Close the store and move it aside unchanged because a game cannot be read; return the error to raise."""
        self.close()
        aside = keep_aside(self.path)
        return TockError(
            f"game {number} in {self.path} cannot be read ({reason}); the database is kept untouched as {aside.name}; "
            "start again to begin with an empty one"
        )

    def holders(self) -> tuple[SeatHolder, ...]:
        """Return who holds which seat."""
        with self._lock:
            rows = self._connection.execute("SELECT seat, name, lang, token_hash FROM seats").fetchall()
        return tuple(SeatHolder(Seat[seat], name, lang, token) for seat, name, lang, token in rows)

    def save_holder(self, holder: SeatHolder) -> None:
        """Give a seat to a holder, replacing the one before."""
        with self._lock:
            self._connection.execute(
                "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?)",
                (holder.seat.name, holder.name, holder.lang, holder.token_hash),
            )

    def free_seat(self, seat: Seat) -> None:
        """Take a seat from its holder."""
        with self._lock:
            self._connection.execute("DELETE FROM seats WHERE seat = ?", (seat.name,))
