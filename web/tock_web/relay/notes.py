"""The relays' own retained messages: the open rooms of tables, for all relays of one broker.

relay/rooms/<table>/<room>  {"digest", "until"}
"""

import hashlib
import hmac
import json
from dataclasses import dataclass, field

from tock_companion import strict_json
from tock_companion.far.link import NAME

NOTES = "relay"
ROOMS = f"{NOTES}/rooms"
MAX_NOTE_BYTES = 500
MAX_PASSWORD_CHARS = 100


@dataclass(frozen=True, slots=True)
class RoomNote:
    """A room of a table until a time; its password is known by its digest."""

    table: str
    room: str
    until_s: int
    digest: str = field(repr=False)

    @property
    def topic(self) -> str:
        """The topic that keeps it."""
        return f"{ROOMS}/{self.table}/{self.room}"

    def fits(self, password: str) -> bool:
        return hmac.compare_digest(self.digest, digest_of(password))


@dataclass(frozen=True, slots=True)
class Gone:
    """A room that is open no longer."""

    room: str


def digest_of(password: str) -> str:
    """The digest of a password, which has 256 random bits."""
    return hashlib.sha256(password.encode()).hexdigest()


def written(note: RoomNote) -> str:
    """A note as JSON."""
    return json.dumps({"digest": note.digest, "until": note.until_s})


def read(topic: str, payload: bytes) -> RoomNote | Gone:
    """Read a note; raises ValueError."""
    names = topic.removeprefix(f"{ROOMS}/").split("/")
    if len(names) != 2 or not all(NAME.fullmatch(name) for name in names):
        raise ValueError("no topic of a relay")
    if not payload:
        return Gone(names[-1])
    if len(payload) > MAX_NOTE_BYTES:
        raise ValueError("too long")
    match strict_json.decode(payload):
        case {"digest": str(digest), "until": int(until)} if digest.isascii():
            return RoomNote(names[0], names[1], until, digest)
    raise ValueError("no note of a relay")
