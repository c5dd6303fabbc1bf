"""A source that is fed pictures from outside, by a phone, and what it says of them to whoever sends them."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tock_companion.rules import Seat

Place = tuple[float, float]
"""A place in a picture: shares of its width and height."""


@dataclass(frozen=True, slots=True)
class SeenPawn:
    """A pawn where the picture shows it; `seat` is None where its colour is not known."""

    place: Place
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen in the newest picture that was read."""

    code: str = ""
    """What is wrong: `camera/no_board`, `camera/dark`, `camera/slanted`, …; empty when all is well."""
    outline: tuple[Place, ...] = ()
    """The corners of the board; empty when it is not found."""
    pawns: tuple[SeenPawn, ...] = ()


class Feed(Protocol):
    """Takes pictures in."""

    def push(self, jpeg: bytes, taken_ms: int) -> None:
        """Take in a picture with its time on the table's clock; BadInputError for what is no usable JPEG."""

    def sight(self) -> Sight | None:
        """What the newest picture showed; None before the first was read."""


@runtime_checkable
class FedSource(Protocol):
    """A source that may be fed."""

    name: str
    feed: Feed | None
    """None for one that takes its pictures itself."""
