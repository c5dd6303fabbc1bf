"""Reading board files: every mistake is one line with its place, the fault and the remedy."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import dist
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from tock_companion.boardfile.bounds import MAX_MM, MAX_PILE_MM, MIN_PILE_MM, unbuildable
from tock_companion.boardfile.model import (
    COLOR_NAMES,
    BoardFile,
    DrilledHole,
    Marker,
    PawnShape,
    Pile,
    index_of,
    zone_text,
)
from tock_companion.errors import printable, quoted
from tock_companion.file_versions import refuse_newer
from tock_companion.files import read_text_bounded, text_of
from tock_companion.schema import A_SEEN_NAME, Mistake, Schema, check, parse_json, refuse
from tock_rules import (
    MAX_PAWNS,
    MAX_ZONE_LENGTH,
    MIN_ZONE_LENGTH,
    PAWNS_PER_SEAT,
    ZONE_LENGTH,
    BoardShape,
    Hole,
    Seat,
)

MAX_BYTES = 2_000_000
MARKER_IDS = 50
MAX_HOLES = 1000
"""Far more than eight zones have, so that a list with doubles in it is still read and explained."""

_Place: TypeAlias = Annotated[float, Field(ge=-MAX_MM, le=MAX_MM)]
_Length: TypeAlias = Annotated[float, Field(gt=0.0, le=MAX_MM)]
_PileSide: TypeAlias = Annotated[float, Field(ge=MIN_PILE_MM, le=MAX_PILE_MM)]
_Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200), A_SEEN_NAME]


class _HoleEntry(Schema):
    id: str
    kind: str
    seat: str | None
    index: int
    x: _Place
    y: _Place
    d: _Length


class _MarkerEntry(Schema):
    id: Annotated[int, Field(ge=0, le=MARKER_IDS - 1)]
    x: _Place
    y: _Place
    size: _Length


class _PawnEntry(Schema):
    style: _Name
    radius_mm: _Length


class _PileEntry(Schema):
    x: _Place
    y: _Place
    w: _PileSide
    h: _PileSide


class _BoardDocument(Schema):
    """A board file as it is written (docs/formats.md); lengths in millimetres."""

    name: _Name
    zones: Literal[2, 3, 4, 6, 8]
    unit: Literal["mm"]
    size: Annotated[list[_Length], Field(min_length=2, max_length=2)]
    holes: Annotated[list[_HoleEntry], Field(max_length=MAX_HOLES)]
    markers: Annotated[list[_MarkerEntry], Field(max_length=MARKER_IDS)]
    colors: dict[str, str]
    pawn: _PawnEntry | None = None
    pile: _PileEntry | None = None
    zone_length: Annotated[int, Field(ge=MIN_ZONE_LENGTH, le=MAX_ZONE_LENGTH)] = ZONE_LENGTH
    pawns_per_seat: Annotated[int, Field(ge=1, le=MAX_PAWNS)] = PAWNS_PER_SEAT


def load(path: str | Path) -> BoardFile:
    """Read a board file from disk; BadInputError when it is missing, unreadable or wrong."""
    return parse(read_text_bounded(path, MAX_BYTES, "board file"), str(path))


def parse(source: str | Mapping[str, object], where: str = "") -> BoardFile:
    """Build a board from JSON text or from what `json.loads` made of it; `where` names it in messages."""
    label = f"board file {where}" if where else "board file"
    data: object = source
    if isinstance(source, str):
        data = parse_json(text_of(source, label), label, "the JSON file of a board")
    if isinstance(data, Mapping):
        refuse_newer(data.get("v"), "board file", printable(label))
    listed_by = f"tock board file check {printable(where)}" if where else ""
    document = check(_BoardDocument, data, label, listed_by=listed_by)
    refuse(label, _mistakes(document), listed_by=listed_by)
    # Only now are the holes known to be those of the board.
    refuse(label, _overlaps(document.holes), listed_by=listed_by)
    board = _board(document)
    refuse(label, unbuildable(board), listed_by=listed_by)
    return board


def _board(document: _BoardDocument) -> BoardFile:
    width, height = document.size
    pawn, pile = document.pawn, document.pile
    return BoardFile(
        name=document.name,
        zones=document.zones,
        size_mm=(width, height),
        # Their kind, seat and index say nothing more: `_hole_mistakes` refuses those of another id.
        holes=tuple(DrilledHole(Hole.parse(hole.id), hole.x, hole.y, hole.d) for hole in document.holes),
        markers=tuple(Marker(marker.id, marker.x, marker.y, marker.size) for marker in document.markers),
        colors=MappingProxyType(
            {Seat(zone): document.colors[Seat(zone).name] for zone in range(document.zones)}
        ),
        pawn=PawnShape(pawn.style, pawn.radius_mm) if pawn is not None else None,
        pile=Pile(pile.x, pile.y, pile.w, pile.h) if pile is not None else None,
        zone_length=document.zone_length,
        pawns_per_seat=document.pawns_per_seat,
    )


def _mistakes(document: _BoardDocument) -> Iterator[Mistake]:
    """Find the mistakes that no schema can: which holes, markers and colours a board of these zones has."""
    yield from _hole_mistakes(document)
    yield from _marker_mistakes(document)
    yield from _color_mistakes(document)


def _hole_mistakes(document: _BoardDocument) -> Iterator[Mistake]:
    shape = BoardShape(document.zones, True, 0, document.zone_length, document.pawns_per_seat)
    expected: dict[str, Hole] = {hole: hole for hole in shape.hole_ids()}
    for number, hole in enumerate(document.holes):
        place = ("holes", number)
        if hole.id not in expected:
            yield (
                (*place, "id"),
                f"'holes[{number}].id' is {quoted(hole.id)}, unknown on a board of {zone_text(shape)}; ids are "
                f"T0…T{shape.track_length - 1}, {_rows(shape, 'C')}, {_rows(shape, 'H')}, C",
            )
            continue
        known = expected[hole.id]
        seat = known.seat.name if known.seat is not None else None
        written = {"kind": known.kind.value, "seat": seat, "index": index_of(known)}
        for key, right in written.items():
            if getattr(hole, key) != right:
                wrong = quoted(getattr(hole, key))
                yield (*place, key), f"hole {hole.id} has {key} {wrong}; it must be {json.dumps(right)}"
        if not _is_on_board(document, hole.x, hole.y):
            yield (
                place,
                f"hole {hole.id} at ({hole.x:g}, {hole.y:g}) lies outside the board of {document.size[0]:g} x "
                f"{document.size[1]:g} mm; x goes right and y down from the top left corner",
            )
    counts = Counter(hole.id for hole in document.holes)
    for hole_id, count in counts.items():
        if count > 1:
            yield ("holes",), f"hole {hole_id} is listed {count} times; keep one"
    missing = [hole_id for hole_id in expected if hole_id not in counts and hole_id != "C"]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        yield ("holes",), f"hole {missing[0]}{more} is missing; add it to 'holes'"


def _rows(shape: BoardShape, letter: str) -> str:
    return f"P0-{letter}1…P{shape.zones - 1}-{letter}{shape.pawns_per_seat}"


def _marker_mistakes(document: _BoardDocument) -> Iterator[Mistake]:
    seen: set[int] = set()
    for number, marker in enumerate(document.markers):
        if marker.id in seen:
            yield (
                ("markers", number, "id"),
                f"marker {marker.id} is listed twice; every marker needs its own id",
            )
        seen.add(marker.id)
        if not _is_on_board(document, marker.x, marker.y):
            at = f"({marker.x:g}, {marker.y:g})"
            yield ("markers", number), f"marker {marker.id} at {at} lies outside the board; correct it"


def _color_mistakes(document: _BoardDocument) -> Iterator[Mistake]:
    seats = [Seat(zone).name for zone in range(document.zones)]
    owners: dict[str, str] = {}
    for seat in seats:
        if seat not in document.colors:
            yield ("colors",), f"'colors.{seat}' is missing; add it"
    for seat, color in document.colors.items():
        place = ("colors", seat)
        if seat not in seats:
            yield place, f"'colors' has {quoted(seat)}; the seats are {', '.join(seats)}"
        elif color not in COLOR_NAMES:
            known = ", ".join(COLOR_NAMES)
            yield place, f"'colors.{seat}' is the colour {quoted(color)}; known are {known}"
        elif color in owners:
            yield place, f"two seats have the colour {color}; give every seat its own"
        owners[color] = seat


def _overlaps(holes: Sequence[_HoleEntry]) -> Iterator[Mistake]:
    ordered = sorted(holes, key=lambda hole: hole.x)
    widest_mm = max(hole.d for hole in holes)
    for place, first in enumerate(ordered):
        for second in ordered[place + 1 :]:
            if second.x - first.x >= widest_mm:
                break
            gap_mm = dist((first.x, first.y), (second.x, second.y))
            if gap_mm < (first.d + second.d) / 2:
                yield (
                    ("holes",),
                    f"holes {first.id} and {second.id} are at one place ({gap_mm:.1f} mm apart, closer than "
                    "they are wide); correct x, y or d of one of them",
                )


def _is_on_board(document: _BoardDocument, x_mm: float, y_mm: float) -> bool:
    return 0 <= x_mm <= document.size[0] and 0 <= y_mm <= document.size[1]
