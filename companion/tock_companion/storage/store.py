"""The store: one database with all games; the newest game that has not ended is the running one."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection

from tock_companion.errors import BadInputError, TockError, printable
from tock_companion.events.facts import Event, GameEnded
from tock_companion.storage import choices, forgetting, origin, pictures, seats
from tock_companion.storage.daily_copies import daily_copies
from tock_companion.storage.disk_space import Room
from tock_companion.storage.event_lines import event_of, stored
from tock_companion.storage.files import DATABASE_NAME, STATISTICS_NAME, FolderLock, prepare_folder
from tock_companion.storage.lost_events import NewestNote, keep_journal
from tock_companion.storage.migrations import bring_up, refuse_foreign, refuse_newer
from tock_companion.storage.seats import SeatHolder, Withheld
from tock_companion.storage.sqlite_file import RESTORE_HINT, Database
from tock_rules import Card, Seat, parse_hand

LOG = logging.getLogger(__name__)

_NEWEST = "SELECT game, seq, CAST(line AS BLOB) FROM events ORDER BY game DESC, seq DESC LIMIT 1"
_FIRST = "SELECT CAST(line AS BLOB) FROM events WHERE game = ? ORDER BY seq LIMIT 1"
_LINES = "SELECT seq, CAST(line AS BLOB), NULL FROM events WHERE game = ? AND seq > ? ORDER BY seq"
_LINES_AND_LATER = (
    "SELECT seq, CAST(line AS BLOB), CAST(fields AS BLOB) FROM events LEFT JOIN later_fields USING (game, seq) "
    "WHERE game = ? AND seq > ? ORDER BY seq"
)


@dataclass(frozen=True, slots=True)
class GameLog:
    """One game: its number in the store and its events."""

    number: int
    events: tuple[Event, ...]

    @property
    def running(self) -> bool:
        """Whether the game has begun and not ended."""
        return bool(self.events) and not isinstance(self.events[-1].fact, GameEnded)


Hands = Mapping[tuple[int, Seat], tuple[Card, ...]]
"""Cards by the number of their `cards_dealt` event and by seat."""
Batch = tuple[int, Iterable[Event], Hands]
"""The number of a game, events of it, and the cards behind them."""


class DamagedGameError(TockError):
    """One game of the store cannot be read; it is left as it is, and the other games are untouched."""

    def __init__(self, number: int, where: Path, reason: str) -> None:
        self.number = number
        super().__init__(
            f"game {number} in {where} cannot be read ({printable(reason)}); it is kept as it is, {RESTORE_HINT}"
        )


class Store:
    """Append-only events of all games and the seats' holders; a call returns once the disk has it.

    Every call raises TockError when the disk refuses.
    """

    def __init__(self, folder: Path, *, set_aside: bool = True, backups: Path | None = None) -> None:
        """Open or make the database in `folder`; raises TockError with a remedy when that is not possible.

        Whoever does not hold the folder's lock leaves a damaged database where it is, and an old one as it is: a
        companion may be using it. `backups` is where copies go, also the one before an old database is brought up
        to date.
        """
        self.room = Room(folder, backups)
        self._newest_note = NewestNote(folder)
        self._database = Database(prepare_folder(folder) / DATABASE_NAME, self.room, set_aside=set_aside)
        self.path = self._database.path
        try:
            self._query = self._prepared(brings_up=set_aside)
        except BaseException:
            self.close()
            raise
        self._newest: tuple[int, int, bytes] | None = next(iter(self._database.rows(_NEWEST)), None)
        self._database.is_ours = self._is_ours
        self.pictures = pictures.Pictures(self._database)
        self.room.delete_pictures = self.pictures.delete_all
        self.room.keep_reserve()
        self.choices = choices.Choices(self._database)
        self.has_lost = set_aside and self._has_lost()
        """Whether games or events that were on the disk are gone."""

    def _prepared(self, *, brings_up: bool) -> str:
        """Bring the database up to date, or find out how much of an old one can be read; return how to read a game."""
        tables = self._database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._database.ask(lambda connection: refuse_newer(connection, self.path))
        self._database.ask(lambda connection: refuse_foreign(connection, self.path))
        if brings_up or not tables:
            copy = bring_up(self._database, self.room)
            if copy is not None:
                LOG.info("%s is brought up to date; as it was it is kept as %s", self.path, copy)
            return _LINES_AND_LATER
        return _LINES_AND_LATER if ("later_fields",) in tables else _LINES

    def _has_lost(self) -> bool:
        """Compare with the state when the companion ended; a journal that lost something is kept."""
        noted = self._newest_note.read()
        if noted is None:
            return self._database.was_gone or (self._newest is None and bool(daily_copies(self.room.backups)))
        if self._database.rows("SELECT 1 FROM events WHERE (game, seq) = (?, ?)", noted):
            return False
        keep_journal(self.path)
        LOG.error(
            "%s ends before event %d of game %d, which it had; the database or its journal was lost or damaged (%s)",
            self.path, noted[1], noted[0], RESTORE_HINT,
        )  # fmt: skip
        return True

    def hold(self, lock: FolderLock) -> None:
        """Renew this lock of the folder when its card was pulled out and is back; mark the games as the folder's."""
        self._database.take_folder = lock.renew
        try:
            mark = origin.make_mark(self.path.parent)
            if self.choices.get(origin.KEPT_AS) != mark:
                self.choices.keep(origin.KEPT_AS, mark)
        except (OSError, TockError) as error:
            LOG.warning("copies made now will count as made elsewhere: %s", error)
        # A power cut may have come between the list and the database.
        try:
            self._make_up_for(forgetting.forgotten_in(self.path.parent))
        except TockError as error:
            LOG.error("%s", error)

    def forget(self, kind: str, thing: str) -> None:
        """Delete something for ever (`forgetting`); copies follow with the next sweep."""
        try:
            everything = forgetting.note(self.path.parent, [forgetting.Forgotten.of(kind, thing)])
        except OSError as error:
            raise TockError(f"{self.path.parent} cannot be written ({error}); nothing was deleted") from None
        self._make_up_for(everything)

    def _make_up_for(self, deletions: Iterable[forgetting.Forgotten]) -> None:
        due: list[forgetting.Forgotten] = []
        self._database.ask(lambda connection: due.extend(forgetting.pending(connection, deletions)))
        if due:
            for derived in self.path.parent.glob(f"{STATISTICS_NAME}*"):
                derived.unlink(missing_ok=True)
            self._database.erase(lambda connection: forgetting.delete(connection, due))

    def key_of_game(self, number: int) -> str | None:
        """What `forget` calls a game, which may be damaged; None when there is none."""
        rows = self._database.rows(_FIRST, (number,))
        return forgetting.key_of_game(bytes(rows[0][0])) if rows else None

    def delete_old_pictures(self, days: int, now: datetime) -> int:
        """Delete the pictures of games older than that; return the number of games."""
        found: list[int] = []

        def look(connection: Connection) -> None:
            spared = forgetting.newest_game(connection)
            found.extend(forgetting.games_with_old_pictures(connection, days, now, spared))

        self._database.ask(look)
        if found:
            self._database.erase(lambda connection: forgetting.delete_pictures(connection, found))
        return len(found)

    def close(self) -> None:
        """Close the database; everything appended is already on the disk."""
        self._database.close()

    def append(
        self,
        game: int,
        events: Iterable[Event],
        hands: Hands | None = None,
    ) -> None:
        """Write events in one transaction: all of them or none.

        `hands` are the cards behind `cards_dealt` events, which themselves contain only counts: the private part.
        """
        self.append_all([(game, events, hands or {})])

    def append_all(self, batches: Iterable[Batch]) -> None:
        """Write the events of several games in one transaction: all of them or none."""
        # Read once: the transaction may be done again after room was made.
        rows = [
            (game, [(event.seq, *stored(event)) for event in events], hands)
            for game, events, hands in batches
        ]

        def write(connection: Connection) -> None:
            """Insert all rows into the open transaction."""
            for game, events, hands in rows:
                connection.executemany(
                    "INSERT INTO events VALUES (?, ?, ?)", [(game, seq, line) for seq, line, _ in events]
                )
                connection.executemany(
                    "INSERT INTO later_fields VALUES (?, ?, ?)",
                    [(game, seq, later) for seq, _, later in events if later is not None],
                )
                connection.executemany(
                    "INSERT INTO hands VALUES (?, ?, ?, ?)",
                    [
                        (game, seq, seat.name, " ".join(map(str, cards)))
                        for (seq, seat), cards in hands.items()
                    ],
                )

        self._database.write(write)
        for game, events, _ in rows:
            if events:
                self._newest = (game, events[-1][0], events[-1][1].encode())
                self._newest_note.write(self._newest[:2])

    def _is_ours(self, connection: Connection) -> bool:
        """Whether a database has the newest event that we wrote to the disk."""
        if self._newest is None:
            return not connection.execute(_NEWEST).fetchall()
        query = "SELECT 1 FROM events WHERE (game, seq, CAST(line AS BLOB)) = (?, ?, ?)"
        return bool(connection.execute(query, self._newest).fetchall())

    def newest_number(self) -> int | None:
        """The number of the game begun last, None when there is none."""
        return max(self.numbers(), default=None)

    def newest_game(self) -> GameLog | None:
        """Read the game begun last, None when there is none; raises DamagedGameError."""
        number = self.newest_number()
        return None if number is None else self.game(number)

    def numbers(self) -> tuple[int, ...]:
        """The numbers of all games, oldest first."""
        rows = self._database.rows(
            "SELECT DISTINCT game FROM events WHERE typeof(game) = 'integer' ORDER BY game"
        )
        return tuple(int(number) for (number,) in rows)

    def last_lines(self) -> Mapping[int, bytes]:
        """The line of the last event of each game: another line means that the game has changed."""
        # SQLite takes bare columns beside max() from the row of the maximum.
        query = "SELECT game, max(seq), CAST(line AS BLOB) FROM events WHERE typeof(game) = 'integer' GROUP BY game"
        return {int(number): bytes(line) for number, _, line in self._database.rows(query)}

    def game(self, number: int) -> GameLog:
        """Read one game with all its events; raises DamagedGameError when its log has a gap or is no log."""
        return GameLog(number, self.events_after(number, 0))

    def events_after(self, number: int, seq: int) -> tuple[Event, ...]:
        """Read the events of a game behind one; raises DamagedGameError when there is a gap."""
        # As bytes: SQLite itself would fail on a whole answer because of one byte that is not text.
        rows = self._database.rows(self._query, (number, seq))
        try:
            events = tuple(
                event_of(bytes(line).decode(), None if later is None else bytes(later).decode())
                for _, line, later in rows
            )
        except (BadInputError, UnicodeDecodeError) as error:
            raise DamagedGameError(number, self.path, str(error)) from None
        if [event.seq for event in events] != list(range(seq + 1, seq + len(events) + 1)):
            raise DamagedGameError(number, self.path, "an event is missing")
        return events

    def hands(self, game: int) -> Hands:
        """Read the cards behind the `cards_dealt` events of a game, by event number and seat."""
        rows = self._database.rows(
            "SELECT seq, CAST(seat AS BLOB), CAST(cards AS BLOB) FROM hands WHERE game = ?", (game,)
        )
        hands = {}
        for seq, seat, cards in rows:
            try:
                hands[int(seq), seats.seat_of(seat)] = parse_hand(bytes(cards).decode().split())
            except ValueError as error:
                LOG.error("a hand of game %d in %s cannot be read (%s); left out", game, self.path, error)
        return hands

    def holders(self) -> tuple[SeatHolder, ...]:
        return seats.holders_in(self._database)

    def save_holder(
        self,
        holder: SeatHolder,
        chosen: Mapping[str, object] | None = None,
        withheld: Iterable[Withheld] | None = None,
        leaves: Seat | None = None,
    ) -> None:
        """Give a seat to a holder, replacing the one before; a choice made in the same step is saved with it.

        `withheld` replaces the withheld cards, if given; the seat that they leave for it is free.
        """

        def write(connection: Connection) -> None:
            if leaves is not None:
                seats.free(connection, leaves)
            seats.put_holder(connection, holder)
            seats.put_withheld(connection, withheld)
            for name, value in (chosen or {}).items():
                choices.put(connection, name, value)

        self._database.write(write)

    def save_holders(self, holders: Iterable[SeatHolder], chosen: Mapping[str, object]) -> None:
        """Replace all holders of seats, and save a choice in the same step."""
        rows = tuple(holders)

        def write(connection: Connection) -> None:
            connection.execute("DELETE FROM seats")
            connection.execute("DELETE FROM devices")
            for holder in rows:
                seats.put_holder(connection, holder)
            for name, value in chosen.items():
                choices.put(connection, name, value)

        self._database.write(write)

    def free_seat(self, seat: Seat, withheld: Iterable[Withheld] | None = None) -> None:
        """Take a seat from its holder; `withheld` as above."""

        def write(connection: Connection) -> None:
            seats.free(connection, seat)
            seats.put_withheld(connection, withheld)

        self._database.write(write)

    def withheld(self) -> tuple[Withheld, ...]:
        """Read the cards that are withheld from the present holders of seats; if they cannot be read, all cards are
        hidden."""
        return seats.withheld_in(self._database, self.newest_number)

    def save_withheld(self, withheld: Iterable[Withheld]) -> None:
        self._database.write(lambda connection: seats.put_withheld(connection, withheld))
