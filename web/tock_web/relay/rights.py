"""The open rooms of tables: retained notes on the broker, which all its relays read.

Nothing is written to a disk: a table's password follows from the relay's key, a relay that starts reads the notes
again, and a broker that lost them gets them again from the homes, which ask for their rooms whenever they connect.
"""

import logging
import threading
import time
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from secrets import token_hex

from tock_companion.background import Background
from tock_companion.errors import TockError
from tock_companion.far.line import HERE
from tock_companion.far.link import NAME
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_web.relay.accounts import FAR, Account
from tock_web.relay.notes import ROOMS, RoomNote, read, written

LOG = logging.getLogger(__name__)
MAX_ROOM_S = 24 * 3600
MAX_ROOMS_OF_TABLE = 17
"""One more than its invitations, since a new link opens before the old one closes."""
MAX_ROOMS = 50_000
ABANDONED_S = 3600.0
"""A table whose home has been away this long has no rooms any more; its home opens them again."""
ANSWER_S = 4.0
SETTLED_S = 5.0
"""Time in which all notes have come again from a broker that was reached."""
SWEEP_S = 10.0


class BrokerAwayError(TockError):
    """The broker does not answer now."""


class TakenError(TockError):
    """The room is another table's, or the table has too many."""


@dataclass(slots=True)
class _Table:
    """A table with open rooms."""

    seen_s: float
    """When its home was last there, or its first room opened."""
    rooms: set[str] = field(default_factory=set)


class Rights:
    """The rooms of all tables, and the homes that are there; any thread may ask."""

    def __init__(self, address: BrokerAddress, clock_s: Callable[[], float] = time.time) -> None:
        self._clock_s = clock_s
        self._rooms: dict[str, RoomNote] = {}
        self._tables: dict[str, _Table] = {}
        self._unconfirmed: set[str] = set()
        """Rooms of before the broker was reached again, until their notes come."""
        self._up_since_s = clock_s()
        self._homes: set[str] = set()
        """Tables whose home is connected."""
        self._announced: set[str] = set()
        self._changed = threading.Condition()
        self.on_end: Callable[[], None] = lambda: None
        """Called when rooms have ended, on any thread."""
        self._connection = BrokerConnection(address, f"tock-relay-{token_hex(4)}", self._came_up, self._take)
        self._loop = Background("relay-rights", "ends the rooms of tables in time", self._sweep)

    def start(self) -> None:
        """Begin; returns at once."""
        self._connection.start()
        self._loop.start()

    def stop(self) -> None:
        """End; all rooms stay open."""
        self._loop.stop()
        self._connection.stop()

    @property
    def up(self) -> bool:
        """Whether the broker is reached."""
        return self._connection.up

    @property
    def homes(self) -> Set[str]:
        """The tables whose home is connected."""
        return self._homes

    @property
    def announced(self) -> Set[str]:
        """The tables of whose home the broker keeps a message."""
        return self._announced

    def counts(self) -> tuple[int, int]:
        """The numbers of tables with rooms, and of rooms."""
        return len(self._tables), len(self._rooms)

    def guest(self, room: str, password: str) -> Account | None:
        """The account of a room's guest; None for a wrong password."""
        note = self._rooms.get(room)
        return Account(note.table, room) if note is not None and note.fits(password) else None

    def is_open(self, room: str) -> bool:
        return room in self._rooms

    # Asked by requests, on their threads. Raise BrokerAwayError or TakenError.

    def open_room(self, note: RoomNote) -> None:
        """Let the guest of a room in."""
        with self._changed:
            known = self._rooms.get(note.room)
            if known is not None and known.table != note.table:
                raise TakenError("is another table's")
            table = self._tables.get(note.table)
            own = 0 if table is None else len(table.rooms)
            if known is None and (own >= MAX_ROOMS_OF_TABLE or len(self._rooms) >= MAX_ROOMS):
                raise TakenError("has too many rooms")
        self._publish(note.topic, written(note))
        self._await(lambda: self._rooms.get(note.room) == note)

    def close_room(self, table: str, room: str) -> bool:
        """Close a room and cut its guest off; False where the table has no such room."""
        note = self._rooms.get(room)
        if note is None or note.table != table:
            return False
        self._publish(note.topic, "")
        self._await(lambda: room not in self._rooms)
        return True

    def _await(self, holds: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(holds, ANSWER_S):
                raise BrokerAwayError("the broker does not answer")

    def _publish(self, topic: str, payload: str) -> None:
        if not self._connection.up:
            raise BrokerAwayError("the broker is away")
        self._connection.publish(topic, payload)

    # On the broker's thread, which waits for nothing.

    def _came_up(self) -> None:
        with self._changed:
            # All comes again, and a room that does not is forgotten.
            self._unconfirmed, self._up_since_s = set(self._rooms), self._clock_s()
            self._homes.clear()
            self._announced.clear()
        self._connection.subscribe(f"{ROOMS}/+/+", f"{FAR}/+/home")

    def _take(self, topic: str, payload: bytes) -> None:
        with self._changed:
            if topic.startswith(f"{FAR}/"):
                self._take_home(topic.split("/")[1], payload)
            else:
                self._take_note(topic, payload)
            self._changed.notify_all()

    def _take_home(self, table: str, payload: bytes) -> None:
        if not NAME.fullmatch(table):
            return
        (self._announced.add if payload else self._announced.discard)(table)
        if payload == HERE.encode():
            self._homes.add(table)
        else:
            self._homes.discard(table)
        if table in self._tables:
            self._tables[table].seen_s = self._clock_s()

    def _take_note(self, topic: str, payload: bytes) -> None:
        try:
            note = read(topic, payload)
        except ValueError:
            LOG.warning("a note that no relay wrote is ignored")
            return
        if isinstance(note, RoomNote):
            self._rooms[note.room] = note
            self._unconfirmed.discard(note.room)
            self._tables.setdefault(note.table, _Table(self._clock_s())).rooms.add(note.room)
        else:
            self._forget(note.room)
            self.on_end()

    def _forget(self, room: str) -> None:
        note = self._rooms.pop(room, None)
        self._unconfirmed.discard(room)
        if note is not None:
            table = self._tables[note.table]
            table.rooms.discard(room)
            if not table.rooms:
                del self._tables[note.table]

    # On the thread of our own.

    def sweep(self) -> None:
        """End the rooms whose time is over or whose home is gone, and forget homes that are away without rooms."""
        now_s = self._clock_s()
        with self._changed:
            for table in self._homes & self._tables.keys():
                self._tables[table].seen_s = now_s
            if self._up_since_s + SETTLED_S <= now_s:
                for room in set(self._unconfirmed):
                    self._forget(room)
            ended = [
                note.topic
                for note in self._rooms.values()
                if note.until_s <= now_s or self._tables[note.table].seen_s + ABANDONED_S <= now_s
            ]
            ended += [f"{FAR}/{table}/home" for table in self._announced - self._homes - self._tables.keys()]
        for topic in ended:
            self._connection.publish(topic, "")
        self.on_end()

    def _sweep(self) -> float:
        self.sweep()
        return SWEEP_S
