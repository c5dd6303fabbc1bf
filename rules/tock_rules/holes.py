"""A hole of the board by name: `T20`, `P0-C1`, `P0-H1`, `C` (docs/formats.md)."""

import re
from enum import Enum
from typing import Final, NoReturn

from tock_rules.errors import BadInputError
from tock_rules.seats import MAX_PAWNS, MAX_ZONE_LENGTH, ZONE_LENGTH, Seat

HOLE_PATTERN = f"T[0-9]{{1,3}}|P[0-7]-[CH][1-{MAX_PAWNS}]|C"
"""For the schemas of requests and answers; `Hole.parse` refuses more."""
CAMP_PLACE: Final = "camp"
"""The place of a pawn in its camp, in the text of moves and positions: any hole of it."""
_OWN_PLACE = re.compile(rf"(T[0-9]+)\*?|(H[1-{MAX_PAWNS}])")


class HoleKind(Enum):
    """The kinds of holes."""

    TRACK = "track"
    CAMP = "camp"
    HOME = "home"
    CENTRE = "centre"


_LETTERS = {HoleKind.CAMP: "C", HoleKind.HOME: "H"}


class Hole(str):
    """One hole: its id in board files, and the parts of the id.

    A `str`, so that it is hashed, compared, sorted and written to JSON as fast as a bare id. The types tell them apart:
    a text becomes a hole only by `parse`, which refuses what no board has.
    """

    __slots__ = ("kind", "number", "seat")

    kind: HoleKind
    seat: Seat | None
    """The seat whose camp or home it belongs to; None for track and centre."""
    number: int
    """The number in its text: 0 to 159 on the track, 1 to 5 in camps and homes, 0 for the centre."""

    def __new__(cls, kind: HoleKind, seat: Seat | None = None, number: int = 0) -> "Hole":
        """Refuse numbers that no board has."""
        in_row = kind in _LETTERS
        lowest, highest = (1, MAX_PAWNS) if in_row else (0, MAX_ZONE_LENGTH * len(Seat) - 1)
        if kind is HoleKind.CENTRE:
            highest = 0
        if in_row != (seat is not None) or not lowest <= number <= highest:
            raise BadInputError(f"no such hole: {kind.value} {number} of seat {seat}")
        if seat is not None:
            text = f"{seat.name}-{_LETTERS[kind]}{number}"
        else:
            text = "C" if kind is HoleKind.CENTRE else f"T{number}"
        hole = super().__new__(cls, text)
        for name, value in (("kind", kind), ("seat", seat), ("number", number)):
            object.__setattr__(hole, name, value)
        return hole

    @classmethod
    def parse(cls, text: object) -> "Hole":
        """The hole of that id; raise `BadInputError` for anything else."""
        if not isinstance(text, str):
            raise BadInputError(f"a hole is a text such as T20 or P0-H1, not {text!r}")
        found = _BY_ID.get(text)
        if found is None:
            raise BadInputError(
                f"no such hole: {text!r}; holes are T0 to T159, P0-C1 to P7-C5, P0-H1 to P7-H5, C"
            )
        return found

    @classmethod
    def track(cls, number: int) -> "Hole":
        """The hole `T<number>`."""
        return cls(HoleKind.TRACK, None, number)

    @classmethod
    def at_place(cls, seat: Seat, place: str) -> "Hole | None":
        """The hole of a place as moves, positions and repairs write it for a pawn of `seat`: `T20`, `T0*`, `H1`, `C`.

        The home of another seat goes by its id, `P1-H1`. None for `camp`, which is no single hole; raise
        `BadInputError` for anything else.
        """
        if place == CAMP_PLACE:
            return None
        own = _OWN_PLACE.fullmatch(place)
        if own is None:
            return cls.parse(place)
        on_track, at_home = own.groups()
        return cls.parse(on_track or f"{seat.name}-{at_home}")

    def as_place(self, seat: Seat) -> str:
        """The hole as moves and positions write it for a pawn of `seat`: its own home row without its name."""
        return str(self).partition("-")[2] if self.kind is HoleKind.HOME and self.seat is seat else str(self)

    @property
    def in_camp(self) -> bool:
        """Whether it is a camp hole: which pawn of a camp stands where has no meaning in the game."""
        return self.kind is HoleKind.CAMP

    def turned(self, turns: int, zones: int, zone_length: int = ZONE_LENGTH) -> "Hole":
        """The hole that takes its place when a board of that many zones is turned by some of them."""
        if self.kind is HoleKind.TRACK:
            return Hole.track((self.number + zone_length * turns) % (zone_length * zones))
        if self.seat is None:
            return self
        return Hole(self.kind, Seat((self.seat + turns) % zones), self.number)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """A hole never changes."""
        raise AttributeError(f"a hole never changes: {name}")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Copies and pickles are made by `parse`."""
        return Hole.parse, (str(self),)

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Hole.parse({str(self)!r})"


def place_of(seat: Seat, text: str) -> str:
    """A place or a hole's id as moves write it for a pawn of `seat`: `P0-C2` is `camp`, `P0-H1` is `H1`, `T0*` stays.

    Raise `BadInputError` for anything else.
    """
    hole = Hole.at_place(seat, text)
    if hole is None or hole.in_camp:
        return CAMP_PLACE
    return hole.as_place(seat) + ("*" if text.endswith("*") else "")


def _all_holes() -> list[Hole]:
    rows = [
        Hole(kind, seat, number) for kind in _LETTERS for seat in Seat for number in range(1, MAX_PAWNS + 1)
    ]
    track = [Hole(HoleKind.TRACK, None, number) for number in range(MAX_ZONE_LENGTH * len(Seat))]
    return [*track, *rows, Hole(HoleKind.CENTRE)]


_BY_ID = {str(hole): hole for hole in _all_holes()}
