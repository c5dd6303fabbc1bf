"""Board files made from geometry: arms like a cross for 4 zones, the same arms around a star for 6 and 8.

Every arm is five holes wide at its end and seven steps deep; the home column runs inward from the middle of
the end (the entrance), and neighbouring arms meet in the holes `T(18p+7)`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin, tan
from types import MappingProxyType

from tock_companion.boardfile.model import (
    ZONES,
    BoardFile,
    DrilledHole,
    Marker,
    PawnShape,
    camp_hole,
    home_hole,
    track_hole,
)
from tock_companion.errors import BadInputError
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH, Hole, HoleKind, Seat

ARM_HALF_WIDTH = 2
ARM_STEPS = 7
MIN_PITCH_MM = 8.0
"""Pawns of the usual sizes touch each other below this pitch."""
MAX_SIZE_MM = 2000.0
DEFAULT_COLORS = ("red", "blue", "yellow", "green", "black", "white", "purple", "orange")
CROSS_CAMP = ((-5.0, 6.0), (-4.0, 6.0), (-5.0, 7.0), (-4.0, 7.0))
"""Camp of seat 0 on the cross of four: x and y from the centre in pitches, left of the home column."""


def generate(
    zones: int, size_mm: float, *, hole_mm: float | None = None, pawn: PawnShape | None = None
) -> BoardFile:
    """Lay out a square board of `size_mm` a side with one pitch of margin, seat 0 at the bottom.

    Holes are half a pitch wide unless `hole_mm` says otherwise. Raises BadInputError for another number of zones,
    a size that leaves less than 8 mm from hole to hole, or holes that touch.
    """
    if zones not in ZONES:
        raise BadInputError(f"zones is {zones}; boards have 4, 6 or 8")
    pitch_mm = _pitch_mm(zones, size_mm)
    diameter_mm = round(pitch_mm / 2, 2) if hole_mm is None else hole_mm
    if not 0 < diameter_mm < pitch_mm:
        raise BadInputError(f"holes of {diameter_mm:g} mm touch: they are {pitch_mm:.1f} mm apart")
    turns = [_Turn(size_mm / 2, pitch_mm, diameter_mm, 2 * pi * zone / zones, zone) for zone in range(zones)]
    holes = [hole for turn in turns for hole in turn.zone_holes(zones)]
    holes.append(turns[0].hole(Hole(HoleKind.CENTRE), (0.0, 0.0)))
    return BoardFile(
        name=f"{zones} zones, {size_mm:g} mm",
        zones=zones,
        size_mm=(float(size_mm), float(size_mm)),
        holes=tuple(holes),
        markers=_corner_markers(size_mm, pitch_mm),
        colors=MappingProxyType({Seat(zone): DEFAULT_COLORS[zone] for zone in range(zones)}),
        pawn=pawn or PawnShape("opaque", round(0.36 * pitch_mm, 2)),
    )


def _apothem(zones: int) -> float:
    """The distance from the centre to where arms begin, in pitches."""
    return ARM_HALF_WIDTH / tan(pi / zones)


def _pitch_mm(zones: int, size_mm: float) -> float:
    """The distance from hole to hole; raises BadInputError where holes would be too close, or the board too large."""
    half = _apothem(zones) + ARM_STEPS + 1
    smallest_mm = MIN_PITCH_MM * 2 * half
    if not smallest_mm <= size_mm <= MAX_SIZE_MM:
        raise BadInputError(
            f"size is {size_mm:g} mm; a board of {zones} zones needs "
            f"{smallest_mm:.0f} to {MAX_SIZE_MM:g} mm a side"
        )
    return size_mm / (2 * half)


@dataclass(frozen=True, slots=True)
class _Turn:
    """Puts places of zone 0, in pitches from the centre, where they belong in another zone."""

    center_mm: float
    pitch_mm: float
    diameter_mm: float
    angle: float
    """Radians, clockwise as seen from above."""
    zone: int

    def zone_holes(self, zones: int) -> Iterator[DrilledHole]:
        """Yield track, camp and home of the zone."""
        apothem, seat = _apothem(zones), Seat(self.zone)
        for step, place in enumerate(_arm(zones, apothem)):
            yield self.hole(track_hole(ZONE_LENGTH * self.zone + step), place)
        for index, place in enumerate(_camp(zones, apothem)):
            yield self.hole(camp_hole(seat, index), place)
        for index in range(PAWNS_PER_SEAT):
            yield self.hole(home_hole(seat, index), (0.0, apothem + ARM_STEPS - 1 - index))

    def hole(self, hole: Hole, place: tuple[float, float]) -> DrilledHole:
        x, y = _turned(place, self.angle)
        x_mm, y_mm = self.center_mm + x * self.pitch_mm, self.center_mm + y * self.pitch_mm
        return DrilledHole(hole, round(x_mm, 2), round(y_mm, 2), self.diameter_mm)


def _turned(place: tuple[float, float], angle: float) -> tuple[float, float]:
    x, y = place
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


def _arm(zones: int, apothem: float) -> Iterator[tuple[float, float]]:
    """Yield the 18 track holes of zone 0 from its start, in pitches from the centre, arm pointing down."""
    for step in range(ARM_STEPS + 1):
        yield -ARM_HALF_WIDTH, apothem + ARM_STEPS - step
    turn = 2 * pi / zones
    for step in range(1, ARM_STEPS + 1):
        yield _turned((ARM_HALF_WIDTH, apothem + step), turn)
    for step in range(1, 2 * ARM_HALF_WIDTH):
        yield _turned((ARM_HALF_WIDTH - step, apothem + ARM_STEPS), turn)


def _camp(zones: int, apothem: float) -> Iterator[tuple[float, float]]:
    """Yield the four camp holes of zone 0, between its arm and the next one."""
    if zones == 4:
        yield from CROSS_CAMP
        return
    # A square on the line between the two arms, far enough out to stay clear of both.
    out = apothem + ARM_STEPS - 0.5
    for place in ((-0.5, out - 0.5), (0.5, out - 0.5), (-0.5, out + 0.5), (0.5, out + 0.5)):
        yield _turned(place, pi / zones)


def _corner_markers(size_mm: float, pitch_mm: float) -> tuple[Marker, ...]:
    """Place markers 0 to 3 in the corners, clockwise from the top left, with room for a white border."""
    near, far = round(1.35 * pitch_mm, 2), round(size_mm - 1.35 * pitch_mm, 2)
    side = round(1.6 * pitch_mm, 1)
    places = ((near, near), (far, near), (far, far), (near, far))
    return tuple(Marker(number, x, y, side) for number, (x, y) in enumerate(places))
