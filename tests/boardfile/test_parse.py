"""Board files: reading, writing, and refusals."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.pictures import BOARDS, needs_pictures
from tock_app.cli.main import main
from tock_companion.boardfile import generate, load, parse, to_json, to_text
from tock_companion.errors import BadInputError, FaultyDocumentError
from tock_companion.schema import MAX_LINES
from tock_rules import BoardShape, Seat


def board_data() -> dict[str, Any]:
    return copy.deepcopy(to_json(generate(4, 400)))


@pytest.mark.parametrize(
    "shape", [4, 6, 8, BoardShape(2), BoardShape(6, False, 1, 16), BoardShape(4, False, 5, 18, 5)]
)
def test_a_written_board_reads_back_the_same(shape: BoardShape | int) -> None:
    board = generate(shape, 520)
    assert parse(to_json(board)) == board
    assert parse(to_text(board)) == board


@needs_pictures
def test_all_boards_of_the_pictures_are_read() -> None:
    boards = [load(path) for path in sorted((BOARDS / "boards").glob("*.json"))]
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


def as_of_other_ring(data: dict[str, Any]) -> None:
    data["zone_length"] = 16


FAULTS: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (drop_hole, "hole T5 is missing"),
    (as_of_other_ring, "'T64', unknown on a board of 4 zones of 16 holes; ids are T0…T63"),
    (change(zone_length=13), "'zone_length' must be a number from 14 to 20, not 13"),
    (change(zone_length=21), "'zone_length' must be a number from 14 to 20, not 21"),
    (change(zone_length=18.5), "'zone_length' must be a whole number, not 18.5"),
    (change(pawns_per_seat=5), "hole P0-H5 (and 7 more) is missing"),
    (change(pawns_per_seat=6), "'pawns_per_seat' must be a number from 1 to 5, not 6"),
    (double_hole, "hole T3 is listed 2 times"),
    (same_place, "T3 and T4 are at one place"),
    (change(lamp=1), "key 'lamp' is not known; known are name, zones, unit"),
    (change_hole(color="red"), "key 'holes[10].color' is not known; known are id, kind"),
    (change_hole(kind="camp"), "hole T10 has kind 'camp'; it must be \"track\""),
    (change_hole(seat="P1"), "hole T10 has seat 'P1'; it must be null"),
    (change_hole(index=11), "hole T10 has index 11; it must be 10"),
    (change_hole(id="T72"), "unknown on a board of 4 zones"),
    (change_hole(x="12"), "'holes[10].x' must be a number, not '12'"),
    (change_hole(x=float("nan")), "'holes[10].x' must be a finite number, not nan"),
    (change_hole(x=900), "outside the board"),
    (change_hole(d=0), "'holes[10].d' must be a number over 0 and up to 3000, not 0"),
    (change(unit="cm"), "'unit' must be 'mm', not 'cm'"),
    (change(zones=5), "'zones' must be 2, 3, 4, 6 or 8, not 5"),
    (change(zones=True), "'zones' must be 2, 3, 4, 6 or 8, not True"),
    (change(size=[400]), "'size' must be a list of at least 2 entries, not [400]"),
    (change(name=""), "'name' must be a text that is not empty, not ''"),
    (change(holes={}), "'holes' must be a list in [ ], not {}"),
    (change(markers=None), "'markers' must be a list in [ ], not None"),
    (change_marker(id=0), "marker 0 is listed twice"),
    (change_marker(id=50), "'markers[1].id' must be a number from 0 to 49, not 50"),
    (change_marker(x=-30), "outside the board"),
    (change(colors={"P0": "red"}), "'colors.P1' is missing; add it"),
    (change(colors={"P0": "red", "P1": "red", "P2": "blue", "P3": "white"}), "two seats have the colour red"),
    (
        change(colors={"P0": "redish", "P1": "red", "P2": "blue", "P3": "white"}),
        "'colors.P0' is the colour 'redish'; known are black, blue",
    ),
    (change(pawn={"style": "", "radius_mm": 5}), "'pawn.style' must be a text that is not empty, not ''"),
    (change(pawn={"style": "peg"}), "'pawn.radius_mm' is missing; add it"),
    (lambda data: data.pop("unit"), "'unit' is missing; add it"),
]


@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_every_fault_is_one_line_that_names_it(fault: Callable[[dict[str, Any]], None], message: str) -> None:
    data = board_data()
    fault(data)
    with pytest.raises(FaultyDocumentError) as caught:
        parse(data, "family.json")
    assert all(line.startswith("board file family.json: ") for line in caught.value.mistakes)
    assert sum(message in line for line in caught.value.mistakes) == 1
    assert "\n" not in str(caught.value)


def test_all_mistakes_are_found_at_once() -> None:
    data = board_data()
    data["unit"] = "cm"
    data["holes"][3]["x"] = "left"
    data["holes"][5]["kinds"] = data["holes"][5].pop("kind")
    del data["markers"][0]["x"], data["markers"][0]["y"]
    with pytest.raises(FaultyDocumentError) as caught:
        parse(data, "family.json")
    assert [line.removeprefix("board file family.json: ") for line in caught.value.mistakes] == [
        "'holes[5].kind' is missing; add it",
        "'markers[0].x', 'markers[0].y' are missing; add them",
        "'unit' must be 'mm', not 'cm'",
        "'holes[3].x' must be a number, not 'left'",
        "key 'holes[5].kinds' is not known; did you mean 'kind'?",
    ]
    assert str(caught.value).endswith("add it (and 4 more: `tock board file check family.json` lists them)")


def test_a_file_full_of_mistakes_is_no_endless_list() -> None:
    data = board_data()
    for hole in data["holes"]:
        hole["x"] = None
    with pytest.raises(FaultyDocumentError) as caught:
        parse(data, "family.json")
    assert len(caught.value.mistakes) == MAX_LINES


def test_only_the_check_prints_a_line_for_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(to_text(generate(4, 400)), encoding="utf-8")
    bad.write_text(json.dumps(board_data() | {"unit": "cm", "lamp": 1, "zones": 5}), encoding="utf-8")
    assert main(["board", "file", "check", str(bad), str(good)]) == 2
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == 3
    assert printed.out.startswith(f"{good}: 4 zones")
    assert main(["board", "overlay", str(good), "--board", str(bad), "--out", "none.png"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("name", ["red\x1b[31m", "half a pair \ud800", "null\0"])
def test_names_that_are_no_text_are_refused_and_shown_escaped(name: str) -> None:
    with pytest.raises(BadInputError, match="'name' holds characters that are no text") as caught:
        parse(board_data() | {"name": name})
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "{", "nothing", '{"name": "x"}', "[" * 100_000, "1" * 5000, "[1e999]", "[NaN]"]
)
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


def test_a_device_is_no_board_file() -> None:
    with pytest.raises(BadInputError, match="board file /dev/zero: is a device, not a file"):
        load("/dev/zero")
