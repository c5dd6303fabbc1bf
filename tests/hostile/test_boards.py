"""Board files of others: lengths that no wooden board has are refused, and none that is taken costs much."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.support.doors import draw_and_read, in_one_line, print_board
from tests.support.trial import trial
from tock_companion.boardfile import generate, load, parse, to_json
from tock_companion.boardfile.bounds import (
    MAX_HOLE_PITCHES,
    MAX_MARKER_SHARE,
    MAX_MM,
    MAX_PAWN_PITCHES,
    MAX_PILE_MM,
    MAX_PITCHES,
)
from tock_companion.errors import BadInputError

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
"""Files that are refused, and a part of the reason."""


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


QUICK = ("the largest parts", "the smallest board")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_lengths_that_do_not_belong_together_are_refused_in_a_line(name: str) -> None:
    make, in_one_line = IMPOSSIBLE[name]
    with pytest.raises(BadInputError) as caught:
        parse(json.dumps(make()))
    assert in_one_line in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in COSTLY]
)
def test_a_board_that_is_taken_is_drawn_and_read_in_little_memory(name: str, tmp_path: Path) -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    (tmp_path / "board.json").write_text(json.dumps(COSTLY[name]()), encoding="utf-8")
    outcome = trial(draw_and_read, tmp_path)
    assert not outcome.faults(), (outcome.stderr, outcome.memory_mb)
    assert outcome.code == 0, outcome.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
def test_a_board_that_is_taken_is_printed_in_little_memory(name: str, tmp_path: Path) -> None:
    cv2.setNumThreads(0)
    (tmp_path / "board.json").write_text(json.dumps(COSTLY[name]()), encoding="utf-8")
    outcome = trial(in_one_line(print_board), tmp_path)
    assert not outcome.faults(), (outcome.stderr, outcome.memory_mb)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "hardware" / "boards").glob("*.json")), ids=lambda path: path.stem
)
def test_boards_that_were_built_open(path: Path) -> None:
    assert load(path).holes
