"""The types of a board file: millimetres, x right and y down from the top left corner of the board."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import dist
from types import MappingProxyType

from tock_companion.errors import BadInputError
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH, BoardShape, Hole, HoleKind, Seat

ZONES = (2, 3, 4, 6, 8)
"""Of the boards that any game of the family is played on."""
ZONES_TEXT = f"{', '.join(map(str, ZONES[:-1]))} or {ZONES[-1]}"
USUAL_PAWN_PITCHES = 0.35
"""Radius of the marbles of most boards."""

COLOR_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "black": "#26262a",
        "blue": "#1f4fb4",
        "brown": "#6f4426",
        "green": "#1f8a3d",
        "grey": "#8c8c8c",
        "orange": "#e87a1c",
        "pink": "#e58aa8",
        "purple": "#6d3a94",
        "red": "#c4211f",
        "turquoise": "#2ba5a5",
        "white": "#f2efe8",
        "yellow": "#ecc52c",
    }
)
"""Colours that pawns may have, with a typical sRGB value for drawings; a camera learns the real ones."""


@dataclass(frozen=True, slots=True)
class NamedHole:
    """A hole somewhere on a board, of which its name says the kind and the owner."""

    id: Hole

    @property
    def kind(self) -> HoleKind:
        return self.id.kind

    @property
    def seat(self) -> Seat | None:
        """The seat whose camp or home it belongs to; None for track and centre."""
        return self.id.seat


@dataclass(frozen=True, slots=True)
class DrilledHole(NamedHole):
    """One hole of a board as it was built."""

    x_mm: float
    y_mm: float
    d_mm: float

    @property
    def index(self) -> int:
        return index_of(self.id)


@dataclass(frozen=True, slots=True)
class Marker:
    """An ArUco DICT_4X4_50 marker: centre of the square and its side without the white border."""

    id: int
    x_mm: float
    y_mm: float
    size_mm: float


@dataclass(frozen=True, slots=True)
class PawnShape:
    """The look of the pawns: marbles (`opaque`, `satin`, `swirl`, `cateye`, …), `peg` or `pion`."""

    style: str
    radius_mm: float

    @property
    def is_marble(self) -> bool:
        """Whether a pawn is a ball; pegs and pions stand tall on a thin shaft of `radius_mm`."""
        return self.style not in ("peg", "pion")


@dataclass(frozen=True, slots=True)
class Pile:
    """The place for played cards: a rectangle in the plane of the board, on it or beside it."""

    x_mm: float
    """Of its middle."""
    y_mm: float
    width_mm: float
    height_mm: float


@dataclass(frozen=True)
class BoardFile:
    """One board as built, with every hole of its zones exactly once, and the centre hole if it has one."""

    name: str
    zones: int
    size_mm: tuple[float, float]
    holes: tuple[DrilledHole, ...]
    markers: tuple[Marker, ...]
    colors: Mapping[Seat, str] = field(hash=False)
    pawn: PawnShape | None = None
    pile: Pile | None = None
    zone_length: int = ZONE_LENGTH
    pawns_per_seat: int = PAWNS_PER_SEAT

    @cached_property
    def shape(self) -> BoardShape:
        """The order of its holes; which of them opens a home is the ruleset's to say."""
        return BoardShape(
            self.zones,
            has_centre=Hole(HoleKind.CENTRE) in self.by_id,
            zone_length=self.zone_length,
            pawns_per_seat=self.pawns_per_seat,
        )

    @cached_property
    def by_id(self) -> Mapping[Hole, DrilledHole]:
        return MappingProxyType({hole.id: hole for hole in self.holes})

    @cached_property
    def pitch_mm(self) -> float:
        """Median distance from one track hole to the next."""
        track = [hole for hole in self.holes if hole.kind is HoleKind.TRACK]
        places = [(hole.x_mm, hole.y_mm) for hole in sorted(track, key=lambda hole: hole.index)]
        steps = sorted(dist(a, b) for a, b in zip(places, places[1:] + places[:1], strict=True))
        return steps[len(steps) // 2]

    @property
    def usual_pawn(self) -> PawnShape:
        """The pawns of the board; a marble as most boards have them where the file says nothing."""
        return self.pawn or PawnShape("opaque", USUAL_PAWN_PITCHES * self.pitch_mm)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the board, clockwise."""
        return tuple(Seat(zone) for zone in range(self.zones))

    def owner(self, hole: DrilledHole) -> Seat | None:
        """The seat in whose colour a hole may be painted: camps, homes and start holes have one."""
        if hole.kind is HoleKind.TRACK and hole.index % self.zone_length == 0:
            return self.seats[hole.index // self.zone_length]
        return hole.seat

    def turned(self, hole: Hole, turns: int) -> Hole:
        """The hole that takes another's place when the board is turned by some zones."""
        return hole.turned(turns, self.zones, self.zone_length)

    def entrance(self, seat: Seat) -> DrilledHole:
        """The track hole at which the seat's home begins: the nearest one to its first hole."""
        first = self.hole(Hole(HoleKind.HOME, seat, 1))
        track = (hole for hole in self.holes if hole.kind is HoleKind.TRACK)
        return min(track, key=lambda hole: dist((hole.x_mm, hole.y_mm), (first.x_mm, first.y_mm)))

    def hole(self, hole: Hole | str) -> DrilledHole:
        """Find a hole by itself or its id; raises KeyError when the board has no such hole."""
        return self.by_id[hole if isinstance(hole, Hole) else Hole.parse(hole)]

    def nearest(self, x_mm: float, y_mm: float) -> tuple[DrilledHole, float]:
        """Find the hole nearest to a place, and its distance in millimetres."""
        place = (x_mm, y_mm)
        best = min(self.holes, key=lambda hole: dist(place, (hole.x_mm, hole.y_mm)))
        return best, dist(place, (best.x_mm, best.y_mm))

    def halfway(self, x_mm: float, y_mm: float) -> DrilledHole | None:
        """Find the second of two holes that a place lies about halfway between; None where it lies otherwise."""
        place = (x_mm, y_mm)
        gaps = sorted(self.holes, key=lambda hole: dist(place, (hole.x_mm, hole.y_mm)))[:2]
        first, second = (dist(place, (hole.x_mm, hole.y_mm)) for hole in gaps)
        is_halfway = second < 0.85 * self.pitch_mm and second - first < 0.35 * self.pitch_mm
        return gaps[1] if is_halfway else None


def index_of(hole: Hole) -> int:
    """The place of a hole in its row, from 0."""
    return hole.number - (hole.seat is not None)


def track_hole(index: int) -> Hole:
    return Hole.track(index)


def camp_hole(seat: Seat, index: int) -> Hole:
    return Hole(HoleKind.CAMP, seat, index + 1)


def home_hole(seat: Seat, index: int) -> Hole:
    """A seat's home hole; `index` counts from 0 at the entrance."""
    return Hole(HoleKind.HOME, seat, index + 1)


def shape_of(board: BoardShape | int) -> BoardShape:
    """A shape as it is; a number is a Tock board of that many zones, with the hole in the middle."""
    zones = board if isinstance(board, int) else board.zones
    if zones not in ZONES:
        raise BadInputError(f"zones is {zones}; boards have {ZONES_TEXT}")
    return BoardShape(zones, has_centre=True) if isinstance(board, int) else board


def required_holes(shape: BoardShape) -> Iterator[Hole]:
    """Yield every hole that a board file of this shape must have, in its order; the centre hole is optional."""
    yield from map(track_hole, range(shape.track_length))
    for seat in shape.seats:
        for index in range(shape.pawns_per_seat):
            yield camp_hole(seat, index)
            yield home_hole(seat, index)


def zone_text(shape: BoardShape) -> str:
    """`4 zones`, with the differences from a Tock board: `4 zones of 16 holes`, `4 zones, 5 pawns a seat`."""
    ring = "" if shape.zone_length == ZONE_LENGTH else f" of {shape.zone_length} holes"
    pawns = "" if shape.pawns_per_seat == PAWNS_PER_SEAT else f", {shape.pawns_per_seat} pawns a seat"
    return f"{shape.zones} zones{ring}{pawns}"
