"""Board files that no wood can be cut to, or that cost as much as a file may."""

from collections.abc import Callable
from typing import Any

from tock_companion.boardfile import generate, to_json
from tock_companion.boardfile.bounds import (
    MAX_HOLE_PITCHES,
    MAX_MARKER_SHARE,
    MAX_MM,
    MAX_PAWN_PITCHES,
    MAX_PILE_MM,
    MAX_PITCHES,
)

SIDE_MM = 440.0
Document = dict[str, Any]


def scaled(factor: float) -> Document:
    """A board with all its lengths multiplied by a factor."""
    data = to_json(generate(4, SIDE_MM))
    parts: Any = [*_list(data["holes"]), *_list(data["markers"])]
    for part in parts:
        part.update({key: part[key] * factor for key in ("x", "y", "d", "size") if key in part})
    data["size"] = [SIDE_MM * factor] * 2
    data["pawn"] = {"style": "opaque", "radius_mm": 8.0 * factor}
    return data


def _list(value: Any) -> list[Any]:
    return list(value)


def _with(**parts: object) -> Document:
    return to_json(generate(4, SIDE_MM)) | parts


def _many_markers(side_mm: float, board: Document) -> Document:
    return board | {"markers": [{"id": number, "x": 30, "y": 30, "size": side_mm} for number in range(50)]}


def _pile(side_mm: float, at_mm: float) -> Document:
    return {"x": at_mm, "y": at_mm, "w": side_mm, "h": side_mm}


def _in_one_column() -> Document:
    data = scaled(1.0)
    for number, hole in enumerate(data["holes"]):
        hole.update(x=10.0, y=100.0 + number * 1e-3, d=1e-4)
    return data


def _crowded() -> Document:
    data = scaled(1.0)
    data["holes"][4].update(x=data["holes"][3]["x"] + 1.0, y=data["holes"][3]["y"], d=0.5)
    data["holes"][3]["d"] = 0.5
    return data


def _wide_hole() -> Document:
    data = scaled(1.0)
    data["holes"][-1]["d"] = 45.0
    return data


def _small_in_a_corner() -> Document:
    data = scaled(1.0)
    data["size"] = [MAX_MM, MAX_MM]
    return data


IMPOSSIBLE: dict[str, tuple[Callable[[], Document], str]] = {
    "markers of three metres": (
        lambda: _many_markers(3000.0, scaled(1.0)),
        "a side of marker 0 is 3000 mm; it may have 3 to 149.6 mm",
    ),
    "a pawn of three metres": (
        lambda: _with(pawn={"style": "opaque", "radius_mm": 3000.0}),
        "'pawn.radius_mm' is 3000; it may have 0.22 to 22 mm",
    ),
    "a pile of three metres": (
        lambda: _with(pile=_pile(3000.0, 100.0)),
        "'pile.w' must be a number from 60 to 600, not 3000.0",
    ),
    "a pile in the next room": (
        lambda: _with(pile=_pile(100.0, -3000.0)),
        "'pile.x' is -3000, too far from the board; it may be -440 to 880 mm",
    ),
    "holes a thousandth apart": (
        _in_one_column,
        "it is 0.001 mm from one hole of the track to the next, which does not fit a board of 440 mm",
    ),
    "two holes nearly at one place": (
        _crowded,
        "holes T3 and T4 are 1 mm apart, closer than pawns can stand",
    ),
    "a hole as wide as a hand": (_wide_hole, "hole C is 45 mm wide; it may have 0.44 to 44 mm"),
    "a board for ants": (
        lambda: scaled(1e-11),
        "'size[0]' is 4.4e-09 mm; a side of a board has at least 100 mm",
    ),
    "a board in a corner of a dance floor": (
        lambda: _small_in_a_corner() | {"size": [3000.0, 3000.0]},
        "it is 22 mm from one hole of the track to the next, which does not fit a board of 3000 mm",
    ),
}
"""Files that are refused, and a part of what is said."""


def _garden() -> Document:
    return scaled(MAX_MM / SIDE_MM)


def _largest_parts() -> Document:
    data = _many_markers(MAX_MARKER_SHARE * MAX_MM, _garden())
    pitch_mm = 22.0 * MAX_MM / SIDE_MM
    data["holes"][-1]["d"] = 0.9 * MAX_HOLE_PITCHES * pitch_mm / 2
    return data | {
        "pawn": {"style": "opaque", "radius_mm": MAX_PAWN_PITCHES * pitch_mm},
        "pile": _pile(MAX_PILE_MM, MAX_MM / 2),
    }


def _finest() -> Document:
    """As many pitches as a board may have."""
    data = scaled(1.0)
    data["size"] = [22.0 * MAX_PITCHES] * 2
    return data


COSTLY: dict[str, Callable[[], Document]] = {
    "all lengths six times as long": lambda: scaled(6.0),
    "three metres": _garden,
    "the largest parts": _largest_parts,
    "the finest holes": _finest,
    "the smallest board": lambda: scaled(101.0 / SIDE_MM),
}
"""Files that are taken, and cost as much as any."""
