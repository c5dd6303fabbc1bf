"""The places at a table, and the numbers of a Tock board."""

from enum import IntEnum

from tock_rules.errors import BadInputError, quoted

ZONE_LENGTH = 18
"""Track holes of one zone of a Tock board, its start hole included (R002-13)."""
PAWNS_PER_SEAT = 4
"""Pawns of a seat on a Tock board; other games of the family have other boards (`BoardShape`)."""
MIN_ZONE_LENGTH, MAX_ZONE_LENGTH = 14, 20
"""The bounds of any board."""
MAX_PAWNS = 5
"""Of a seat, on any board."""


class Seat(IntEnum):
    """A place at the table, clockwise; `name` is the text form."""

    P0 = 0
    P1 = 1
    P2 = 2
    P3 = 3
    P4 = 4
    P5 = 5
    P6 = 6
    P7 = 7

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Seat.{self.name}"

    @classmethod
    def parse(cls, text: object) -> "Seat":
        """The seat of that name; raise `BadInputError` for anything else."""
        if isinstance(text, str) and text in cls.__members__:
            return cls[text]
        raise BadInputError(f"no such seat: {quoted(text)}; seats are P0 to P7")
