"""The relays' own retained messages: the rights of tables and rooms, which each relay makes at its own broker.

relay/tables/<table>        {"until"}
relay/rooms/<table>/<room>  {"password", "until"}
"""

import json
from dataclasses import dataclass, field

from tock_companion import strict_json
from tock_companion.far.link import NAME
from tock_web.relay.security_commands import NOTES

TABLES, ROOMS = f"{NOTES}/tables", f"{NOTES}/rooms"
MAX_NOTE_BYTES = 500
MAX_PASSWORD_CHARS = 100


@dataclass(frozen=True, slots=True)
class TableNote:
    """A table and the time until which it has its rights."""

    table: str
    until_s: int

    @property
    def user(self) -> str:
        """Its name at the broker."""
        return self.table

    @property
    def topic(self) -> str:
        """The topic that keeps it."""
        return f"{TABLES}/{self.table}"


@dataclass(frozen=True, slots=True)
class RoomNote:
    """A room of a table."""

    table: str
    room: str
    until_s: int
    password: str = field(repr=False)

    @property
    def user(self) -> str:
        """The name of its guest at the broker."""
        return self.room

    @property
    def topic(self) -> str:
        """The topic that keeps it."""
        return f"{ROOMS}/{self.table}/{self.room}"


Note = TableNote | RoomNote


@dataclass(frozen=True, slots=True)
class Gone:
    """A table or a room without rights from now on."""

    user: str


def written(note: Note) -> str:
    """A note as JSON."""
    if isinstance(note, RoomNote):
        return json.dumps({"password": note.password, "until": note.until_s})
    return json.dumps({"until": note.until_s})


def read(topic: str, payload: bytes) -> Note | Gone:
    """Read a note; raises ValueError."""
    parts = topic.split("/")
    names = parts[2:]
    is_room = topic.startswith(f"{ROOMS}/") and len(names) == 2
    is_table = topic.startswith(f"{TABLES}/") and len(names) == 1
    if not (is_room or is_table) or not all(NAME.fullmatch(name) for name in names):
        raise ValueError("no topic of a relay")
    if not payload:
        return Gone(names[-1])
    if len(payload) > MAX_NOTE_BYTES:
        raise ValueError("too long")
    match strict_json.decode(payload):
        case {"password": str(password), "until": int(until)} if is_room:
            return RoomNote(names[0], names[1], until, password)
        case {"until": int(until)} if is_table:
            return TableNote(names[0], until)
    raise ValueError("no note of a relay")
