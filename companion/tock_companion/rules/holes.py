"""A hole of the board by name: `T20`, `P0-C1`, `P0-H1`, `C`."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from tock_companion.errors import BadInputError
from tock_companion.rules.geometry import PAWNS_PER_SEAT, ZONE_LENGTH, Seat


class HoleKind(Enum):
    """The kinds of holes."""

    TRACK = "track"
    CAMP = "camp"
    HOME = "home"
    CENTRE = "centre"


_LETTERS = {HoleKind.CAMP: "C", HoleKind.HOME: "H"}
_OF_A_SEAT = re.compile(r"(P[0-7])-([CH])([1-4])")
_ON_THE_TRACK = re.compile(r"T(0|[1-9][0-9]{0,2})")


@dataclass(frozen=True, slots=True, repr=False)
class Hole:
    """One hole; the text form is the id of the board file."""

    kind: HoleKind
    seat: Seat | None = None
    """Whose camp or home it belongs to; None for track and centre."""
    index: int = 0
    """The number in its text: 0 to 143 on the track, 1 to 4 in camps and homes, 0 for the centre."""

    def __post_init__(self) -> None:
        """Refuse numbers that no board has."""
        in_row = self.kind in _LETTERS
        lowest, highest = (1, PAWNS_PER_SEAT) if in_row else (0, ZONE_LENGTH * len(Seat) - 1)
        if self.kind is HoleKind.CENTRE:
            highest = 0
        if in_row != (self.seat is not None) or not lowest <= self.index <= highest:
            raise BadInputError(f"no such hole: {self.kind.value} {self.index} of seat {self.seat}")

    @classmethod
    def parse(cls, text: object) -> "Hole":
        """The hole of that id; raise `BadInputError` for anything else."""
        if not isinstance(text, str):
            raise BadInputError(f"a hole is a text such as T20 or P0-H1, not {text!r}")
        return _parsed(text)

    @property
    def in_camp(self) -> bool:
        """Whether it is a camp hole: which pawn of a camp stands where has no meaning in the game."""
        return self.kind is HoleKind.CAMP

    def __str__(self) -> str:
        """The id of the board file."""
        if self.seat is not None:
            return f"{self.seat.name}-{_LETTERS[self.kind]}{self.index}"
        return "C" if self.kind is HoleKind.CENTRE else f"T{self.index}"

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Hole.parse({str(self)!r})"


@lru_cache(maxsize=512)
def _parsed(text: str) -> Hole:
    of_a_seat = _OF_A_SEAT.fullmatch(text)
    if of_a_seat:
        kind = HoleKind.CAMP if of_a_seat[2] == "C" else HoleKind.HOME
        return Hole(kind, Seat[of_a_seat[1]], int(of_a_seat[3]))
    on_the_track = _ON_THE_TRACK.fullmatch(text)
    if on_the_track:
        return Hole(HoleKind.TRACK, None, int(on_the_track[1]))
    if text == "C":
        return Hole(HoleKind.CENTRE)
    raise BadInputError(f"no such hole: {text!r}; holes are T0 to T143, P0-C1 to P7-C4, P0-H1 to P7-H4, C")
