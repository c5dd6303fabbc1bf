"""Holes of any board in the form that the reader knows: a board file in which colours take the place of seats.

Of a seat the reader asks nothing but its colour, and of a hole its place, its kind and in whose colour it is painted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import cast

import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile, DrilledHole, HoleKind
from tock_companion.observation import HoleReading
from tock_rules import ZONE_LENGTH, Hole, Seat
from tock_vision.any_board.document import HoleList, ListedHole
from tock_vision.arrays import Floats

KINDS = {
    "track": HoleKind.TRACK,
    "start": HoleKind.TRACK,
    "camp": HoleKind.CAMP,
    "home": HoleKind.HOME,
    "centre": HoleKind.CENTRE,
}


class _Owner(int):
    """One of more colours than there are seats: compared and looked up as a seat is, and with a name."""

    name: str


def _owner(number: int, name: str) -> Seat:
    owner = _Owner(number)
    owner.name = name
    # No seat of Tock, but all that the reader asks of one.
    return cast(Seat, owner)


SEATS = {name: _owner(number, name) for number, name in enumerate(COLOR_NAMES)}
"""The seat of each colour."""


class AnyHole(Hole):
    """A hole with any name."""

    __slots__ = ()

    def __new__(cls, text: str, kind: HoleKind, seat: Seat | None, number: int) -> "AnyHole":
        """Take any name and number."""
        hole = str.__new__(cls, text)
        for name, value in (("kind", kind), ("seat", seat), ("number", number)):
            object.__setattr__(hole, name, value)
        return hole


@dataclass(frozen=True)
class AnyBoard(BoardFile):
    """The holes of any board, in the unit of their places."""

    pawn_colors: frozenset[str] = frozenset()
    """The colours that pawns may have; camps may have others."""

    @cached_property
    def pitch_mm(self) -> float:
        """Median distance from a hole to the nearest other one."""
        points = np.array([[hole.x_mm, hole.y_mm] for hole in self.holes])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        np.fill_diagonal(gaps, np.inf)
        return float(np.median(gaps.min(axis=1)))

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Stand-ins for the seats: one for each colour."""
        return tuple(self.colors)

    def color_of(self, reading: HoleReading) -> str | None:
        """The colour of the pawn that was read; None where it is unsure, or one that no pawn has."""
        color = self.colors[reading.seat] if reading.seat is not None else None
        return color if color in self.pawn_colors else None


def any_board(listed: HoleList, places: Floats, diameters: Floats) -> AnyBoard:
    """Make the board of a list whose holes lie at `places` on its plane, right of and below its origin."""
    owners = [hole.color for hole in listed.holes if hole.color]
    seats = [SEATS[name] for name in dict.fromkeys([*listed.colors, *owners])]
    width, height = places.max(axis=0) + places.min(axis=0)
    return AnyBoard(
        name="any board",
        zones=1,
        size_mm=(float(width), float(height)),
        holes=tuple(
            DrilledHole(hole, float(x), float(y), float(d))
            for hole, (x, y), d in zip(_named(listed.holes, seats), places, diameters, strict=True)
        ),
        markers=(),
        colors=MappingProxyType({seat: seat.name for seat in seats}),
        pawn_colors=frozenset(listed.colors),
    )


def _named(listed: Sequence[ListedHole], seats: Sequence[Seat]) -> Iterator[AnyHole]:
    """Name the holes so that kind, owner and number mean to the reader the same as on a board of Tock."""
    # Where no hole is called track, no kind is known: the reader compares holes with those of the track.
    known = any(KINDS[hole.kind] is HoleKind.TRACK for hole in listed)
    for number, hole in enumerate(listed):
        kind = KINDS[hole.kind] if known else HoleKind.TRACK
        seat = SEATS[hole.color] if hole.color is not None else None
        if kind is not HoleKind.TRACK:
            yield AnyHole(hole.id, kind, seat if kind is not HoleKind.CENTRE else None, number + 1)
        elif seat is None:
            # A number between those of starts.
            yield AnyHole(hole.id, kind, None, ZONE_LENGTH * number + 1)
        else:
            yield AnyHole(hole.id, kind, None, ZONE_LENGTH * seats.index(seat))
