"""Board files: what is read, written, and refused."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tock_companion.boardfile import generate, load, parse, to_json, to_text
from tock_companion.errors import BadInputError
from tock_companion.rules.geometry import Seat

SHARED_BOARDS = Path(__file__).parents[3] / "shared" / "data" / "board" / "boards"


def board_data() -> dict[str, Any]:
    return copy.deepcopy(to_json(generate(4, 400)))


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_what_is_written_reads_back_the_same(zones: int) -> None:
    board = generate(zones, 520)
    assert parse(to_json(board)) == board
    assert parse(to_text(board)) == board


def test_all_boards_of_the_data_set_are_read() -> None:
    if not SHARED_BOARDS.is_dir():
        pytest.skip("shared board data is not on this machine")
    boards = [load(path) for path in sorted(SHARED_BOARDS.glob("*.json"))]
    assert len(boards) == 12
    for board in boards:
        assert parse(to_text(board)) == board


def test_a_board_knows_its_holes_colours_and_pitch() -> None:
    board = parse(board_data())
    assert board.pitch_mm == 20.0
    assert board.colors[Seat.P1] == "blue"
    assert board.hole("P0-H1").y_mm == board.hole("T70").y_mm - 20
    assert board.nearest(141.0, 379.0)[0].id == "T0"


def drop_hole(data: dict[str, Any]) -> None:
    data["holes"] = [hole for hole in data["holes"] if hole["id"] != "T5"]


def double_hole(data: dict[str, Any]) -> None:
    data["holes"].append(dict(data["holes"][3]))


def same_place(data: dict[str, Any]) -> None:
    data["holes"][4].update(x=data["holes"][3]["x"] + 1, y=data["holes"][3]["y"])


def change(**values: object) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.update(values)


def change_hole(**values: object) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["holes"][10].update(values)


def change_marker(**values: object) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["markers"][1].update(values)


FAULTS: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (drop_hole, "hole T5 is missing"),
    (double_hole, "hole T3 is listed 2 times"),
    (same_place, "T3 and T4 are at one place"),
    (change(lamp=1), "unknown key 'lamp' in the board"),
    (change_hole(color="red"), "unknown key 'color' in hole number 11"),
    (change_hole(kind="camp"), "hole T10 has kind 'camp'; it must be \"track\""),
    (change_hole(seat="P1"), "hole T10 has seat 'P1'; it must be null"),
    (change_hole(index=11), "hole T10 has index 11; it must be 10"),
    (change_hole(id="T72"), "unknown on a board of 4 zones"),
    (change_hole(x="12"), "x of hole T10 is '12'"),
    (change_hole(x=float("nan")), "x of hole T10 is nan"),
    (change_hole(x=900), "outside the board"),
    (change_hole(d=0), "d of hole T10"),
    (change(unit="cm"), "unit is 'cm'"),
    (change(zones=5), "boards have 4, 6 or 8"),
    (change(zones=True), "boards have 4, 6 or 8"),
    (change(size=[400]), '"size" must be [width, height]'),
    (change(name=""), '"name" must be a text'),
    (change(holes={}), '"holes" must be a list'),
    (change(markers=None), '"markers" must be a list'),
    (change_marker(id=0), "marker 0 is listed twice"),
    (change_marker(id=50), "DICT_4X4_50"),
    (change_marker(x=-30), "outside the board"),
    (change(colors={"P0": "red"}), "has no 'P1'"),
    (change(colors={"P0": "red", "P1": "red", "P2": "blue", "P3": "white"}), "two seats have the colour red"),
    (change(colors={"P0": "redish", "P1": "red", "P2": "blue", "P3": "white"}), "colour 'redish'"),
    (change(pawn={"style": "", "radius_mm": 5}), '"style" of the pawn'),
    (change(pawn={"style": "peg"}), "has no 'radius_mm'"),
    (lambda data: data.pop("unit"), "the board has no 'unit'"),
]


@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_a_fault_is_one_line_that_names_it(fault: Callable[[dict[str, Any]], None], message: str) -> None:
    data = board_data()
    fault(data)
    with pytest.raises(BadInputError) as caught:
        parse(data, "family.json")
    text = str(caught.value)
    assert text.startswith("board file family.json: ")
    assert message in text
    assert "\n" not in text


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "nothing", '{"name": "x"}', "[" * 100_000])
def test_text_that_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="board file"):
        parse(text)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.json").write_bytes(b"\xff\xd8\xff\xe0")
    (tmp_path / "board.json").write_text(json.dumps(board_data()), encoding="utf-8")
    assert load(tmp_path / "board.json").zones == 4
    for name in ("absent.json", "picture.json", "."):
        with pytest.raises(BadInputError, match="board file"):
            load(tmp_path / name)
