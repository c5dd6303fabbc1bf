"""Answers about the club that a table may join."""

from typing_extensions import TypedDict


class Membership(TypedDict):
    """The club of this table, and the one whose desk its broker has."""

    offered: bool
    """Whether this companion knows a broker at all."""
    broker: bool
    """Whether the broker can be reached."""
    club: str | None
    """The name of the club whose desk is on the broker."""
    member: bool
    """Whether the table has joined that club."""
    elsewhere: bool
    """Whether the table belongs to another club."""
