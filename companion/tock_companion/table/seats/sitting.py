"""What becomes of sitting down and of asking for a taken seat."""

from dataclasses import dataclass

from tock_companion.table.core.requests import Reply, Ticket


@dataclass(frozen=True, slots=True)
class Joined:
    """What became of sitting down: the ticket when it was granted."""

    reply: Reply
    ticket: Ticket | None = None


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """What became of asking for a taken seat: the secret with which to hear the answer."""

    reply: Reply
    secret: str = ""


@dataclass(frozen=True, slots=True)
class SeatHeard:
    """What became of a request for a taken seat: a ticket after a yes; neither after a no, or when time is up."""

    ticket: Ticket | None = None
    waiting: bool = False
    """Nobody has answered yet."""
