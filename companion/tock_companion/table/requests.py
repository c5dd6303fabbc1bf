"""What a person may ask of the table, and the answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from tock_companion.language import Text
from tock_companion.rules.geometry import Seat


class Role(Enum):
    """Who is asking or looking; decides what may be seen and done."""

    TABLE = "table"
    SEAT = "seat"
    WATCH = "watch"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Request:
    """One wish; `docs/page-api.md` lists the kinds and their data."""

    kind: str
    role: Role
    seat: Seat | None = None
    data: Mapping[str, object] = field(default_factory=dict, repr=False)
    """Not in the text form: it may hold a hand, and log files are read by others."""
    revision: int | None = None
    """The view on which the wish was formed; None when it does not matter."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Granted or not; `code` is stable, `message` is for people."""

    ok: bool
    code: str = "ok"
    message: Text | None = None
    """None when there is nothing to say."""
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to act for a seat: the holder keeps the secret token (32 hex digits)."""

    seat: Seat
    name: str
    token: str
