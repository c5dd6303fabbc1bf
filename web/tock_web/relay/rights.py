"""The rights of tables and rooms: retained notes on the broker, which every relay makes true at its own.

Nothing is kept here: a relay that starts reads the notes again, and a broker that lost them gets them again from the
homes, which ask for their rights whenever they connect.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from secrets import token_hex

from tock_companion import strict_json
from tock_companion.background import Background
from tock_companion.errors import TockError
from tock_companion.far.link import NAME
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_web.relay.keys import RelayKey
from tock_web.relay.notes import ROOMS, TABLES, Gone, Note, RoomNote, TableNote, read, written
from tock_web.relay.security_commands import (
    LIST_STEP,
    RESPONSE,
    TOPIC,
    Command,
    creation,
    listing,
    removal,
    room_acls,
    table_acls,
)

LOG = logging.getLogger(__name__)
TABLE_DAYS_S = 7 * 24 * 3600
"""A table that nobody asked for this long has no rights any more; its home asks at each start."""
RENEW_S = 24 * 3600
MAX_ROOM_S = 24 * 3600
MAX_ROOMS = 17
"""Open rooms of one table: one more than its invitations, since a new link opens before the old one closes."""
MAX_TABLES = 20_000
ANSWER_S = 4.0
PAUSE_S = 0.1
SWEEP_S = 600.0
MAX_BATCH = 50
EXISTS, MISSING = "already exists", "not found"


class BrokerAwayError(TockError):
    """The broker does not answer now."""


class TakenError(TockError):
    """The room is another table's, or the table has too many."""


class Rights:
    """Keeps the users of a broker in step with the notes; runs in a thread of its own."""

    def __init__(
        self, address: BrokerAddress, key: RelayKey, clock_s: Callable[[], float] = time.time
    ) -> None:
        self._key, self._clock_s = key, clock_s
        self._notes: dict[str, Note] = {}
        """By the user's name at the broker."""
        self._made: set[str] = set()
        """Users that the broker has confirmed since it was reached."""
        self._strays: set[str] = set()
        """Users at the broker without a note, at the last sweep."""
        self._changed = threading.Condition()
        self._received: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        self._sweep_at_s = 0.0
        self._connection = BrokerConnection(
            address,
            f"tock-relay-{token_hex(4)}",
            self._came_up,
            lambda topic, payload: self._received.put((topic, payload)),
        )
        self._loop = Background(
            "relay-rights", "makes the rights of tables and rooms at the broker", self._step
        )

    def start(self) -> None:
        """Begin; returns at once."""
        self._connection.start()
        self._loop.start()

    def stop(self) -> None:
        """End; all rights stay."""
        self._loop.stop()
        self._connection.stop()

    @property
    def up(self) -> bool:
        """Whether the broker is reached."""
        return self._connection.up

    def counts(self) -> tuple[int, int]:
        """The numbers of tables and of rooms."""
        with self._changed:
            tables = sum(isinstance(note, TableNote) for note in self._notes.values())
            return tables, len(self._notes) - tables

    def sweep_soon(self) -> None:
        """Look for expired rights at once, instead of within ten minutes."""
        self._sweep_at_s = 0.0

    # Asked by requests, on their threads. Raise BrokerAwayError or TakenError.

    def open_table(self, table: str) -> None:
        """Give a table its rights, or give them for longer."""
        until_s = int(self._clock_s()) + TABLE_DAYS_S
        with self._changed:
            known = self._notes.get(table)
            if known is None and len(self._notes) >= MAX_TABLES:
                raise TakenError("too many tables")
            if isinstance(known, RoomNote):
                raise TakenError("is a room")
        if known is None or known.until_s < until_s - RENEW_S:
            self._publish(TableNote(table, until_s))
        self._await(lambda: table in self._made)

    def open_room(self, note: RoomNote) -> None:
        """Give the guest of a room its rights."""
        self.open_table(note.table)
        with self._changed:
            known = self._notes.get(note.user)
            if known is not None and not (isinstance(known, RoomNote) and known.table == note.table):
                raise TakenError("is another table's")
            own = [other for other in self._rooms_of(note.table) if other.room != note.room]
            if len(own) >= MAX_ROOMS:
                raise TakenError("has too many rooms")
        if known is not None and known != note:
            # Another password or time: its user is made again.
            self.close_room(note.table, note.room)
        self._publish(note)
        self._await(lambda: note.user in self._made)

    def close_room(self, table: str, room: str) -> bool:
        """Take the rights of a room and cut its guest off; False where the table has no such room."""
        with self._changed:
            note = self._notes.get(room)
        if not isinstance(note, RoomNote) or note.table != table:
            return False
        self._retract(note)
        self._await(lambda: room not in self._notes and room not in self._made)
        return True

    def _rooms_of(self, table: str) -> list[RoomNote]:
        return [note for note in self._notes.values() if isinstance(note, RoomNote) and note.table == table]

    def _await(self, holds: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(holds, ANSWER_S):
                raise BrokerAwayError("the broker does not answer")

    def _publish(self, note: Note) -> None:
        self._require_up()
        self._connection.publish(note.topic, written(note))

    def _retract(self, note: Note) -> None:
        self._require_up()
        self._connection.publish(note.topic, "")

    def _require_up(self) -> None:
        if not self._connection.up:
            raise BrokerAwayError("the broker is away")

    # On the broker's thread, which waits for nothing.

    def _came_up(self) -> None:
        self._connection.subscribe(RESPONSE, f"{TABLES}/+", f"{ROOMS}/+/+")
        self._received.put(None)

    # On the thread of our own.

    def _step(self) -> float:
        commands: list[Command] = []
        with suppress(Empty):
            commands += self._take(self._received.get(timeout=PAUSE_S))
            while len(commands) < MAX_BATCH:
                commands += self._take(self._received.get_nowait())
        self._send(commands)
        if self._connection.up and time.monotonic() >= self._sweep_at_s:
            self._sweep_at_s = time.monotonic() + SWEEP_S
            self._sweep()
        return 0.0

    def _take(self, message: tuple[str, bytes] | None) -> list[Command]:
        if message is None:
            with self._changed:
                # The notes come again, and what does not is forgotten.
                self._notes.clear()
                self._made.clear()
            return []
        topic, payload = message
        if topic == RESPONSE:
            return self._confirm(payload)
        try:
            note = read(topic, payload)
        except ValueError:
            LOG.warning("a note that no relay wrote is ignored")
            return []
        with self._changed:
            if isinstance(note, Gone):
                self._notes.pop(note.user, None)
                return removal(note.user)
            if note.until_s <= self._clock_s():
                self._connection.publish(note.topic, "")
                return []
            is_known = note.user in self._notes and note.user in self._made
            self._notes[note.user] = note
            self._changed.notify_all()
        return [] if is_known else self._creation(note)

    def _creation(self, note: Note) -> list[Command]:
        if isinstance(note, RoomNote):
            return creation(note.room, note.password, room_acls(note.table, note.room))
        return creation(note.table, self._key.table_password(note.table), table_acls(note.table))

    def _confirm(self, payload: bytes) -> list[Command]:
        """Take the broker's answers; the next question where a list goes on."""
        document = strict_json.decode(payload)
        answers = document.get("responses", []) if isinstance(document, dict) else []
        more: list[Command] = []
        with self._changed:
            for answer in answers:
                user, error = str(answer.get("correlationData", "")), str(answer.get("error", ""))
                match answer.get("command"):
                    case "createClient" if not error or EXISTS in error:
                        self._made.add(user)
                    case "deleteClient" if not error or MISSING in error:
                        self._made.discard(user)
                    case "listClients" if not error:
                        more += self._strays_of(answer.get("data", {}), int(user or 0))
                    case _ if error and not (EXISTS in error or MISSING in error):
                        LOG.warning("the broker refuses %s: %s", answer.get("command"), error[:200])
            self._changed.notify_all()
        return more

    def _send(self, commands: list[Command]) -> None:
        for start in range(0, len(commands), MAX_BATCH):
            batch = json.dumps({"commands": commands[start : start + MAX_BATCH]})
            self._connection.command(TOPIC, batch)

    def _sweep(self) -> None:
        """Retract expired notes, and ask for users without one."""
        with self._changed:
            late = [note for note in self._notes.values() if note.until_s <= self._clock_s()]
        for note in late:
            self._connection.publish(note.topic, "")
        self._send([listing(0)])

    def _strays_of(self, data: object, offset: int) -> Iterator[Command]:
        """Remove users that had no note at two sweeps: a broker that was killed may have lost a note alone."""
        if not isinstance(data, dict):
            return
        users = [str(user) for user in data.get("clients", [])]
        for user in users:
            if not NAME.fullmatch(user):
                continue
            if user in self._notes:
                self._strays.discard(user)
            elif user in self._strays:
                self._strays.discard(user)
                yield from removal(user)
            else:
                self._strays.add(user)
        if len(users) == LIST_STEP:
            yield listing(offset + LIST_STEP)
