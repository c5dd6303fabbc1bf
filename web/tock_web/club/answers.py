"""Answers about a club: its tables, and the membership of one."""

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from tock_companion.views.schema import ClubView

ClubPart = Literal["tables", "hall", "director", "sheet", "cards"]
"""The parts of a club's page: all tables on its broker; the hall's screen; for the director; for one table's result;
the tables' cards to print.
"""


class ClubRow(TypedDict):
    """A table of the club."""

    name: str
    online: bool
    view: ClubView | None


class ClubNews(TypedDict):
    """All tables of a club."""

    revision: int
    broker: bool
    """Whether the broker can be reached."""
    tables: Sequence[ClubRow]


class ReadList(TypedDict):
    """The entrants found in a list; nothing has changed."""

    ok: Literal[True]
    text: str
    """A line for each."""
    count: int


class Membership(TypedDict):
    """The club of this table, and the one whose desk is on its broker."""

    offered: bool
    """Whether this companion has a broker at all."""
    broker: bool
    """Whether the broker can be reached."""
    club: str | None
    """The name of the club whose desk is on the broker."""
    member: bool
    """Whether the table has joined that club."""
    elsewhere: bool
    """Whether the table belongs to another club."""
