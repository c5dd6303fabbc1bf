"""Board files made from geometry: arms like a cross for 4 zones, the same arms around a star for 6 and 8.

Every arm is four steps wide at its end, five where a zone has an odd number of holes, and as deep as the zone is long.
The home column runs inward from the middle of the end (the entrance), and neighbouring arms meet between two starts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin, tan
from types import MappingProxyType

from tock_companion.boardfile.model import (
    BoardFile,
    DrilledHole,
    Marker,
    PawnShape,
    camp_hole,
    home_hole,
    shape_of,
    track_hole,
    zone_text,
)
from tock_companion.errors import BadInputError
from tock_rules import BoardShape, Hole, HoleKind, Seat

MIN_PITCH_MM = 8.0
"""Pawns of the usual sizes touch each other below this pitch."""
MAX_SIZE_MM = 2000.0
DEFAULT_COLORS = ("red", "blue", "yellow", "green", "black", "white", "purple", "orange")
CROSS_CAMP = ((-1, -3), (0, -3), (-1, -2), (0, -2), (0, -4))
"""Camp holes beside an arm of up to four: x from two pitches beside it, y from its end, in pitches."""
STAR_CAMP = ((-0.5, -1.0), (0.5, -1.0), (-0.5, 0.0), (0.5, 0.0), (0.0, -2.0))
"""Camp holes between two arms of more, y from the ends of both."""


def generate(
    board: BoardShape | int, size_mm: float, *, hole_mm: float | None = None, pawn: PawnShape | None = None
) -> BoardFile:
    """Lay out a square board of `size_mm` a side with one pitch of margin, seat 0 at the bottom.

    A number is a Tock board of that many zones, with the hole in the middle. Holes are half a pitch wide unless
    `hole_mm` says otherwise. Raises BadInputError for another number of zones, a size that leaves less than 8 mm from
    hole to hole, or holes that touch.
    """
    shape = shape_of(board)
    named, arm = zone_text(shape), _Arm.of(shape)
    if arm.end <= shape.pawns_per_seat:
        raise BadInputError(f"a board of {named} has no room for its homes")
    pitch_mm = _pitch_mm(arm, size_mm, named)
    diameter_mm = round(pitch_mm / 2, 2) if hole_mm is None else hole_mm
    if not 0 < diameter_mm < pitch_mm:
        raise BadInputError(f"holes of {diameter_mm:g} mm touch: they are {pitch_mm:.1f} mm apart")
    turns = [_Turn(size_mm / 2, pitch_mm, diameter_mm, 2 * pi * seat / shape.zones) for seat in shape.seats]
    holes = [
        turn.hole(*placed)
        for turn, seat in zip(turns, shape.seats, strict=True)
        for placed in arm.holes(seat)
    ]
    if shape.has_centre:
        holes.append(turns[0].hole(Hole(HoleKind.CENTRE), (0.0, 0.0)))
    return BoardFile(
        name=f"{named}, {size_mm:g} mm",
        zones=shape.zones,
        size_mm=(float(size_mm), float(size_mm)),
        holes=tuple(holes),
        markers=_corner_markers(size_mm, pitch_mm),
        colors=MappingProxyType({seat: DEFAULT_COLORS[seat] for seat in shape.seats}),
        pawn=pawn or PawnShape("opaque", round(0.36 * pitch_mm, 2)),
        zone_length=shape.zone_length,
        pawns_per_seat=shape.pawns_per_seat,
    )


def _pitch_mm(arm: "_Arm", size_mm: float, named: str) -> float:
    """The distance from hole to hole; raises BadInputError where holes would be too close, or the board too large."""
    half = arm.end + 1
    smallest_mm = MIN_PITCH_MM * 2 * half
    if not smallest_mm <= size_mm <= MAX_SIZE_MM:
        raise BadInputError(
            f"size is {size_mm:g} mm; a board of {named} needs {smallest_mm:.0f} to {MAX_SIZE_MM:g} mm a side"
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

    def hole(self, hole: Hole, place: tuple[float, float]) -> DrilledHole:
        x, y = _turned(place, self.angle)
        x_mm, y_mm = self.center_mm + x * self.pitch_mm, self.center_mm + y * self.pitch_mm
        return DrilledHole(hole, round(x_mm, 2), round(y_mm, 2), self.diameter_mm)


def _turned(place: tuple[float, float], angle: float) -> tuple[float, float]:
    x, y = place
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


@dataclass(frozen=True, slots=True)
class _Arm:
    """The arm of zone 0, pointing down; lengths in pitches."""

    shape: BoardShape
    width: int
    """Steps across its end."""
    steps: int
    """Steps along a side."""

    @classmethod
    def of(cls, shape: BoardShape) -> "_Arm":
        width = 4 + shape.zone_length % 2
        return cls(shape, width, (shape.zone_length - width) // 2)

    @property
    def root(self) -> float:
        """The distance from the centre to where the arm begins."""
        return self.width / 2 / tan(pi / self.shape.zones)

    @property
    def end(self) -> float:
        return self.root + self.steps

    def holes(self, seat: Seat) -> Iterator[tuple[Hole, tuple[float, float]]]:
        """Yield track, camp and home of a seat, where they would be in zone 0."""
        # The entrance is in the middle of the end, half of its width before the left corner.
        before = self.width // 2 - self.shape.entrance_back
        for step, place in enumerate(self._sides()):
            yield track_hole((self.shape.start(seat) + before + step) % self.shape.track_length), place
        for index, place in zip(range(self.shape.pawns_per_seat), self._camp(), strict=False):
            yield camp_hole(seat, index), place
        column = self.width // 2 - self.width / 2
        for index in range(self.shape.pawns_per_seat):
            yield home_hole(seat, index), (column, self.end - 1 - index)

    def _sides(self) -> Iterator[tuple[float, float]]:
        """Yield the track holes of a zone, from the left corner of the arm's end."""
        half = self.width / 2
        for step in range(self.steps + 1):
            yield -half, self.end - step
        turn = 2 * pi / self.shape.zones
        for step in range(1, self.steps + 1):
            yield _turned((half, self.root + step), turn)
        for step in range(1, self.width):
            yield _turned((half - step, self.end), turn)

    def _camp(self) -> Iterator[tuple[float, float]]:
        if self.shape.zones <= 4:
            yield from ((x - self.width / 2 - 2, self.end + y) for x, y in CROSS_CAMP)
            return
        # On the line between the two arms, far enough out to stay clear of both.
        for x, y in STAR_CAMP:
            yield _turned((x, self.end + y), pi / self.shape.zones)


def _corner_markers(size_mm: float, pitch_mm: float) -> tuple[Marker, ...]:
    """Place markers 0 to 3 in the corners, clockwise from the top left, with room for a white border."""
    near, far = round(1.35 * pitch_mm, 2), round(size_mm - 1.35 * pitch_mm, 2)
    side = round(1.6 * pitch_mm, 1)
    places = ((near, near), (far, near), (far, far), (near, far))
    return tuple(Marker(number, x, y, side) for number, (x, y) in enumerate(places))
