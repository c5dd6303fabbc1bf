"""The rooms that are attacked, what has been tried and what has come of it."""

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tock_companion.far.link import RoomKeys, read_link, room_keys

SHOWN_BYTES = 200


@dataclass(frozen=True, slots=True)
class Victim:
    """A room whose link an attacker has, as a former guest."""

    link: str

    @property
    def table(self) -> str:
        """The table's account."""
        return read_link(self.link).table

    @property
    def keys(self) -> RoomKeys:
        """The room's keys."""
        found = read_link(self.link)
        return room_keys(found.table, found.secret)


@dataclass
class Attack:
    """What was tried, and what came of it."""

    port: int
    ca: str
    rng: random.Random
    until_s: float
    tried: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    internal_errors: list[str] = field(default_factory=list)
    unanswered: int = 0
    sessions: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until_s

    def local(self) -> str:
        """One of a thousand addresses."""
        return f"127.2.{self.rng.randrange(4)}.{self.rng.randrange(1, 251)}"

    def came(self, status: int, asked: object) -> None:
        """Note the status of an answer."""
        self.statuses[status] += 1
        if status >= 500 and status != 503:
            self.internal_errors.append(repr(asked)[:SHOWN_BYTES])

    def to_json(self) -> dict[str, Any]:
        """The counts."""
        return {
            "tried": dict(self.tried),
            "statuses": dict(self.statuses),
            "internal_errors": self.internal_errors,
            "unanswered": self.unanswered,
            "sessions": self.sessions,
        }
