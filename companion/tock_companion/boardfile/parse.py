"""Reading board files: every fault is one line that says what, where, and what to do."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import dist, isfinite
from pathlib import Path
from types import MappingProxyType

from tock_companion.boardfile.model import (
    COLOR_NAMES,
    ZONES,
    BoardFile,
    Hole,
    HoleKind,
    Marker,
    PawnShape,
    Pile,
    required_holes,
)
from tock_companion.errors import BadInputError
from tock_companion.rules.geometry import Seat

BOARD_KEYS = ("name", "zones", "unit", "size", "holes", "markers", "colors", "pawn", "pile")
HOLE_KEYS = ("id", "kind", "seat", "index", "x", "y", "d")
MARKER_KEYS = ("id", "x", "y", "size")
PAWN_KEYS = ("style", "radius_mm")
PILE_KEYS = ("x", "y", "w", "h")
SMALLEST_PILE_MM = 60.0
"""A card is about 57 or 63 mm wide."""
MARKER_IDS = 50
LARGEST_MM = 3000.0
LARGEST_BYTES = 2_000_000
CENTRE = ("C", HoleKind.CENTRE, None, 0)


def load(path: str | Path) -> BoardFile:
    """Read a board file from disk; BadInputError when it is missing, unreadable or wrong."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise BadInputError(f"board file {path}: larger than 2 MB; give the JSON file of a board")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or error
        raise BadInputError(f"board file {path}: cannot be read ({reason}); check the path") from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"board file {path}: not UTF-8 text; give the JSON file of a board") from error
    return parse(text, str(path))


def parse(source: str | Mapping[str, object], where: str = "") -> BoardFile:
    """Build a board from JSON text or from what `json.loads` made of it; `where` names it in messages."""
    return _Parser(f"board file {where}" if where else "board file").board(source)


class _Parser:
    """Checks one board file; keeps the name of the file for the messages."""

    def __init__(self, label: str) -> None:
        self.label = label

    def fail(self, message: str) -> BadInputError:
        return BadInputError(f"{self.label}: {message}")

    def board(self, source: str | Mapping[str, object]) -> BoardFile:
        data = self.keys(self.decode(source), BOARD_KEYS, ("pawn", "pile"), "the board")
        if data["unit"] != "mm":
            raise self.fail(f'unit is {data["unit"]!r}; write "mm" and give millimetres')
        name = data["name"]
        if not isinstance(name, str) or not name.strip():
            raise self.fail('"name" must be a text that is not empty')
        zones = data["zones"]
        if isinstance(zones, bool) or not isinstance(zones, int) or zones not in ZONES:
            raise self.fail(f'"zones" is {zones!r}; boards have 4, 6 or 8')
        size = self.list_of(data["size"], '"size"')
        if len(size) != 2:
            raise self.fail('"size" must be [width, height] in millimetres')
        width, height = (self.number(value, '"size"', above=0.0) for value in size)
        return BoardFile(
            name=name,
            zones=zones,
            size_mm=(width, height),
            holes=self.holes(data["holes"], zones, (width, height)),
            markers=self.markers(data["markers"], (width, height)),
            colors=self.colors(data["colors"], zones),
            pawn=self.pawn(data["pawn"]) if data.get("pawn") is not None else None,
            pile=self.pile(data["pile"]) if data.get("pile") is not None else None,
        )

    def decode(self, source: str | Mapping[str, object]) -> object:
        if not isinstance(source, str):
            return source
        try:
            return json.loads(source)
        except (json.JSONDecodeError, RecursionError) as error:
            raise self.fail(f"not JSON ({error}); give the JSON file of a board") from error

    def keys(
        self, value: object, known: Sequence[str], optional: Sequence[str], what: str
    ) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            raise self.fail(f"{what} must be a JSON object with the keys {', '.join(known)}")
        for key in value:
            if key not in known:
                raise self.fail(f"unknown key {key!r} in {what}; known keys are {', '.join(known)}")
        for key in known:
            if key not in value and key not in optional:
                raise self.fail(f"{what} has no {key!r}; add it")
        return value

    def list_of(self, value: object, what: str) -> Sequence[object]:
        if not isinstance(value, list | tuple):
            raise self.fail(f"{what} must be a list")
        return value

    def number(self, value: object, what: str, above: float = -LARGEST_MM) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.fail(f"{what} is {value!r}; give a number of millimetres")
        if not above < value <= LARGEST_MM:
            raise self.fail(f"{what} is {value} mm; it must be over {above:g} and up to {LARGEST_MM:g}")
        return float(value)

    def holes(self, value: object, zones: int, size_mm: tuple[float, float]) -> tuple[Hole, ...]:
        expected = {row[0]: row for row in [*required_holes(zones), CENTRE]}
        holes = [
            self.hole(entry, place, expected, zones, size_mm)
            for place, entry in enumerate(self.list_of(value, '"holes"'))
        ]
        for hole_id, count in Counter(hole.id for hole in holes).items():
            if count > 1:
                raise self.fail(f"hole {hole_id} is listed {count} times; keep one")
        have = {hole.id for hole in holes}
        missing = [hole_id for hole_id in expected if hole_id not in have and hole_id != "C"]
        if missing:
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            raise self.fail(f'hole {missing[0]}{more} is missing; add it to "holes"')
        self.refuse_overlap(holes)
        return tuple(holes)

    def hole(
        self,
        value: object,
        place: int,
        expected: Mapping[str, tuple[str, HoleKind, Seat | None, int]],
        zones: int,
        size_mm: tuple[float, float],
    ) -> Hole:
        data = self.keys(value, HOLE_KEYS, (), f"hole number {place + 1}")
        hole_id = data["id"]
        if not isinstance(hole_id, str) or hole_id not in expected:
            raise self.fail(
                f"hole number {place + 1} has the id {hole_id!r}, unknown on a board of {zones} zones; "
                f"ids are T0…T{18 * zones - 1}, P0-C1…P{zones - 1}-C4, P0-H1…P{zones - 1}-H4, C"
            )
        _, kind, seat, index = expected[hole_id]
        for key, right in (("kind", kind.value), ("seat", seat.name if seat is not None else None)):
            if data[key] != right:
                raise self.fail(f"hole {hole_id} has {key} {data[key]!r}; it must be {json.dumps(right)}")
        if isinstance(data["index"], bool) or data["index"] != index:
            raise self.fail(f"hole {hole_id} has index {data['index']!r}; it must be {index}")
        x_mm, y_mm = (self.number(data[axis], f"{axis} of hole {hole_id}") for axis in ("x", "y"))
        if not (0 <= x_mm <= size_mm[0] and 0 <= y_mm <= size_mm[1]):
            raise self.fail(
                f"hole {hole_id} at ({x_mm:g}, {y_mm:g}) lies outside the board of {size_mm[0]:g} x "
                f"{size_mm[1]:g} mm; x goes right and y down from the top left corner"
            )
        d_mm = self.number(data["d"], f"d of hole {hole_id}", above=0.0)
        return Hole(hole_id, kind, seat, index, x_mm, y_mm, d_mm)

    def refuse_overlap(self, holes: Sequence[Hole]) -> None:
        ordered = sorted(holes, key=lambda hole: hole.x_mm)
        widest_mm = max(hole.d_mm for hole in holes)
        for place, first in enumerate(ordered):
            for second in ordered[place + 1 :]:
                if second.x_mm - first.x_mm >= widest_mm:
                    break
                gap_mm = dist((first.x_mm, first.y_mm), (second.x_mm, second.y_mm))
                if gap_mm < (first.d_mm + second.d_mm) / 2:
                    raise self.fail(
                        f"holes {first.id} and {second.id} are at one place ({gap_mm:.1f} mm apart, closer "
                        "than they are wide); correct x, y or d of one of them"
                    )

    def markers(self, value: object, size_mm: tuple[float, float]) -> tuple[Marker, ...]:
        markers: list[Marker] = []
        for place, entry in enumerate(self.list_of(value, '"markers"')):
            data = self.keys(entry, MARKER_KEYS, (), f"marker number {place + 1}")
            marker_id = data["id"]
            if (
                isinstance(marker_id, bool)
                or not isinstance(marker_id, int)
                or not 0 <= marker_id < MARKER_IDS
            ):
                raise self.fail(f"marker number {place + 1} has id {marker_id!r}; DICT_4X4_50 has 0 to 49")
            if any(marker.id == marker_id for marker in markers):
                raise self.fail(f"marker {marker_id} is listed twice; every marker needs its own id")
            what = f"of marker {marker_id}"
            x_mm, y_mm = (self.number(data[axis], f"{axis} {what}") for axis in ("x", "y"))
            if not (0 <= x_mm <= size_mm[0] and 0 <= y_mm <= size_mm[1]):
                raise self.fail(
                    f"marker {marker_id} at ({x_mm:g}, {y_mm:g}) lies outside the board; correct it"
                )
            markers.append(
                Marker(marker_id, x_mm, y_mm, self.number(data["size"], f"size {what}", above=0.0))
            )
        return tuple(markers)

    def colors(self, value: object, zones: int) -> Mapping[Seat, str]:
        seats = [Seat(zone) for zone in range(zones)]
        data = self.keys(value, [seat.name for seat in seats], (), '"colors"')
        colors: dict[Seat, str] = {}
        for seat in seats:
            color = data[seat.name]
            if not isinstance(color, str) or color not in COLOR_NAMES:
                raise self.fail(f"{seat.name} has the colour {color!r}; known are {', '.join(COLOR_NAMES)}")
            if color in colors.values():
                raise self.fail(f"two seats have the colour {color}; give every seat its own")
            colors[seat] = color
        return MappingProxyType(colors)

    def pile(self, value: object) -> Pile:
        data = self.keys(value, PILE_KEYS, (), '"pile"')
        x, y = (self.number(data[key], f'"{key}" of "pile"') for key in "xy")
        width, height = (self.number(data[key], f'"{key}" of "pile"', SMALLEST_PILE_MM) for key in "wh")
        return Pile(x, y, width, height)

    def pawn(self, value: object) -> PawnShape:
        data = self.keys(value, PAWN_KEYS, (), '"pawn"')
        style = data["style"]
        if not isinstance(style, str) or not style:
            raise self.fail('"style" of the pawn must be a text such as "opaque" or "peg"')
        return PawnShape(style, self.number(data["radius_mm"], '"radius_mm" of the pawn', above=0.0))
