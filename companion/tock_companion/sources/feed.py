"""A source that a phone feeds with pictures, and its readings for the phone."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tock_rules import Seat

Place = tuple[float, float]
"""A place in a picture: shares of its width and height."""


@dataclass(frozen=True, slots=True)
class SeenPawn:
    """A pawn where the picture shows it; `seat` is None for an unknown colour."""

    place: Place
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Sight:
    code: str = ""
    """The fault, such as `camera/no_board`, `camera/dark` or `camera/slanted`; empty when there is none."""
    outline: tuple[Place, ...] = ()
    """The corners of the board; empty when it is not found."""
    pawns: tuple[SeenPawn, ...] = ()


class Feed(Protocol):
    """Accepts pictures."""

    hold_still: bool
    """Whether the phone is to hold its exposure, white balance and focus."""

    def push(self, jpeg: bytes, taken_ms: int) -> None:
        """Take a picture with its time on the table's clock; raises BadInputError if it is not a usable JPEG."""

    def sight(self) -> Sight | None:
        """The reading of the newest picture; None before the first."""


@runtime_checkable
class FedSource(Protocol):
    """A source that may accept pictures."""

    name: str
    feed: Feed | None
    """None for one that takes its pictures itself."""
