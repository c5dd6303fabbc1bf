"""A partly known board: its holes by name, those without a name yet, and the missing ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import dist, hypot

import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape, parse, to_json
from tock_companion.boardfile.model import required_holes
from tock_rules import BadInputError, BoardShape, Hole, HoleKind, Seat
from tock_vision.arrays import Floats
from tock_vision.discovery.drafting import FoundHole, draft
from tock_vision.discovery.pipeline import WEAK_CHANCE, Found
from tock_vision.discovery.stickers import Sticker
from tock_vision.discovery.track import TOCK, Form

Place = tuple[float, float]
"""On the plane of the board, in pitches from its centre; x to the right, y down."""
CENTRE = Hole(HoleKind.CENTRE)


@dataclass(frozen=True, slots=True)
class Unnamed:
    """An added hole without a name yet, by its place in `Sketch.unnamed`; `+3` on the page."""

    number: int

    def __str__(self) -> str:
        """Its id on the page."""
        return f"+{self.number}"


SketchHole = Hole | Unnamed


def sketch_hole(text: str) -> SketchHole | None:
    """The hole that the page calls so; None if no sketch has it."""
    sign, number = text[:1], text[1:]
    if sign == "+":
        return Unnamed(int(number)) if number.isascii() and number.isdigit() else None
    try:
        return Hole.parse(text)
    except BadInputError:
        return None


@dataclass(frozen=True)
class Sketch:
    """A board while a person mends it; every change makes a new one."""

    zones: int
    holes: Mapping[Hole, Place]
    """The holes that have a name, the centre hole among them if there is one."""
    unnamed: tuple[Place, ...]
    """Added holes without a name yet."""
    doubtful: frozenset[Hole]
    """Names of holes that were hardly seen and have not been touched since."""
    colors: tuple[str, ...]
    """By seat."""
    width: float
    """Of a hole, in pitches."""
    stickers: tuple[Sticker, ...] = ()
    pawn_pitches: float | None = None
    """Radius of the pawns in pitches, where a photo has shown that they are narrow."""
    form: Form = TOCK

    @cached_property
    def shape(self) -> BoardShape:
        """The board that it becomes."""
        return BoardShape(self.zones, zone_length=self.form.length, pawns_per_seat=self.form.pawns)

    @cached_property
    def missing(self) -> tuple[Hole, ...]:
        """The holes that the board must have and that lie nowhere yet."""
        return tuple(hole for hole in required_holes(self.shape) if hole not in self.holes)

    @property
    def is_whole(self) -> bool:
        """Whether it can be played on."""
        return not self.missing and not self.unnamed

    def place(self, hole: SketchHole) -> Place | None:
        """The place of a hole, with a name or without."""
        if isinstance(hole, Unnamed):
            return self.unnamed[hole.number] if hole.number < len(self.unnamed) else None
        return self.holes.get(hole)

    def places(self) -> dict[SketchHole, Place]:
        """All holes, those without a name too."""
        unnamed = {Unnamed(number): place for number, place in enumerate(self.unnamed)}
        return dict[SketchHole, Place]([*self.holes.items(), *unnamed.items()])

    def nearest(self, place: Place) -> tuple[SketchHole, float] | None:
        """The hole nearest to a place and its distance; None where there is none at all."""
        known = self.places()
        if not known:
            return None
        best = min(known, key=lambda hole: dist(known[hole], place))
        return best, dist(known[best], place)

    def turned(self, hole: Hole, turns: int) -> Hole:
        """The hole that a hole comes to lie on when the board is turned by some zones."""
        return hole.turned(turns, self.zones, self.form.length)

    def with_color(self, seat: int, color: str) -> "Sketch":
        """Give a seat a colour; the seat that had it gets the other."""
        colors = list(self.colors)
        if color in colors:
            colors[colors.index(color)] = colors[seat]
        colors[seat] = color
        return replace(self, colors=tuple(colors))

    def board(self, name: str, size_mm: float | None = None) -> BoardFile:
        """The board file of a whole sketch; raises BadInputError where holes overlap."""
        drafted = draft(
            name,
            self.found_holes(),
            self.width,
            {Seat(zone): color for zone, color in enumerate(self.colors)},
            size_mm,
            self.stickers,
        )
        if self.pawn_pitches is not None:
            shape = PawnShape("opaque", self.pawn_pitches * drafted.pitch_mm)
            drafted = replace(drafted, pawn=shape)
        return parse(to_json(drafted))

    def found_holes(self) -> list[FoundHole]:
        """The named holes in the order of board files."""
        named = (hole for hole in (*required_holes(self.shape), CENTRE) if hole in self.holes)
        return [FoundHole(hole, np.array(self.holes[hole]), 1.0) for hole in named]


def sketch_of(found: Found) -> Sketch:
    """The sketch of a discovered board, ready to be mended."""
    holes = {hole.id: _place(hole.place) for hole in found.holes}
    colors = found.board.colors
    return Sketch(
        zones=found.board.zones,
        holes=holes,
        unnamed=(),
        doubtful=frozenset(hole.id for hole in found.holes if hole.chance < WEAK_CHANCE),
        colors=tuple(colors[Seat(zone)] for zone in range(found.board.zones)),
        width=found.width,
        stickers=found.stickers,
        form=found.joined.sighting.layout.form,
    )


def owner_of(sketch: Sketch, hole: SketchHole) -> Seat | None:
    """The seat in whose zone a hole lies; None for the centre and for holes without a name."""
    if isinstance(hole, Unnamed) or hole.kind is HoleKind.CENTRE:
        return None
    return hole.seat if hole.seat is not None else Seat(hole.number // sketch.form.length)


def spun(place: Place, turns: int, zones: int) -> Place:
    """The new place when the board is turned by some zones."""
    turned = complex(*place) * np.exp(2j * np.pi * turns / zones)
    return float(turned.real), float(turned.imag)


def expected(sketch: Sketch, hole: Hole) -> Place | None:
    """The place of a hole that lies nowhere yet: that of another zone, or one between its neighbours."""
    for turns in range(1, sketch.zones):
        other = sketch.holes.get(sketch.turned(hole, turns))
        if other is not None:
            return spun(other, -turns, sketch.zones)
    before, after = _neighbours(sketch, hole)
    if before is not None and after is not None:
        return (before[0] + after[0]) / 2, (before[1] + after[1]) / 2
    return None


def _neighbours(sketch: Sketch, hole: Hole) -> tuple[Place | None, Place | None]:
    before, after = (_neighbour(sketch, hole, step) for step in (-1, 1))
    return (
        sketch.holes.get(before) if before is not None else None,
        sketch.holes.get(after) if after is not None else None,
    )


def _neighbour(sketch: Sketch, hole: Hole, step: int) -> Hole | None:
    """The hole beside another on the track or in its row, where there is one."""
    number = hole.number + step
    if hole.kind is HoleKind.TRACK:
        return Hole.track(number % sketch.shape.track_length)
    return Hole(hole.kind, hole.seat, number) if 1 <= number <= sketch.form.pawns else None


def is_at_centre(place: Place) -> bool:
    """Whether a place is that of the centre hole."""
    return hypot(*place) < 0.5


def _place(place: Floats) -> Place:
    return float(place[0]), float(place[1])
