"""`tock board read --holes`: holes of any board, without a rule of Tock."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, Placed, moved
from tock_app.cli.main import main
from tock_companion.boardfile import BoardFile, HoleKind
from tock_rules import ZONE_LENGTH, Seat
from tock_vision.any_board.view import view_on
from tock_vision.arrays import sample
from tock_vision.images import load_image
from tock_vision.rendering.appearance import pose_of

Draw = Callable[..., Any]
Document = dict[str, Any]
TILTED = replace(SMALL, markers=False, tilt_deg=30.0)
SIX_RED: Placed = {f"T{number}": Seat.P0 for number in (3, 9, 25, 40, 52, 66)}


def entries(board: BoardFile, places: Any) -> list[Document]:
    """Holes of a board as a list has them, with names of their own."""
    out = []
    for hole, (x, y) in zip(board.holes, places, strict=True):
        is_start = hole.kind is HoleKind.TRACK and hole.index % ZONE_LENGTH == 0
        owner = board.seats[hole.index // ZONE_LENGTH] if is_start else hole.seat
        kind = "start" if is_start else hole.kind.value
        color = board.colors[owner] if owner is not None else None
        out.append({"id": f"hole {hole.id}", "x": x, "y": y, "kind": kind, "color": color})
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, board: BoardFile, draw: Draw) -> Path:
    made = tmp_path_factory.mktemp("holes")
    points = np.array([[hole.x_mm, hole.y_mm] for hole in board.holes])
    in_px = entries(board, pose_of(board, TILTED).project(points).tolist())
    write(made / "px.json", {"unit": "px", "holes": in_px})
    write(made / "four.json", {"unit": "px", "holes": in_px, "most_of_a_color": 4})
    write(made / "blue.json", {"unit": "px", "holes": in_px, "colors": ["blue", "black"]})
    write(made / "mm.json", {"unit": "mm", "holes": entries(board, points.tolist())})
    cv2.imwrite(str(made / "empty.png"), draw({}, TILTED))
    cv2.imwrite(str(made / "play.png"), draw(moved(START, "P1-C2", "T30"), TILTED))
    cv2.imwrite(str(made / "six.png"), draw(SIX_RED, TILTED))
    return made


def write(path: Path, document: Mapping[str, object]) -> None:
    path.write_text(json.dumps(document))


def answers(capsys: pytest.CaptureFixture[str]) -> list[Document]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def read(folder: Path, picture: str, holes: str, capsys: pytest.CaptureFixture[str], *more: str) -> Document:
    command = ["board", "read", str(folder / picture), "--holes", str(folder / holes), *more]
    assert main(command) == 0
    return answers(capsys)[0]


def starts_touched(board: BoardFile) -> list[str]:
    """The four starts as a finger touches them."""
    names = ("T0", "T18", "T36", "T54")
    places = pose_of(board, TILTED).project(
        np.array([[board.hole(n).x_mm, board.hole(n).y_mm] for n in names])
    )
    return [f"hole {name}={x + 4:.0f},{y - 3:.0f}" for name, (x, y) in zip(names, places, strict=True)]


def pawns(answer: Document) -> dict[str, str | None]:
    holes = answer["holes"].items()
    return {hole: one["color"] for hole, one in holes if one["state"] == "pawn"}


@pytest.mark.whole
def test_holes_given_in_pixels_are_read_where_they_are(
    folder: Path, board: BoardFile, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = read(folder, "play.png", "px.json", capsys)
    assert answer["registered"] is True
    assert len(answer["holes"]) == len(board.holes)
    assert pawns(answer)["hole T30"] == "blue"
    assert Counter(pawns(answer).values()) == dict.fromkeys(("red", "blue", "yellow", "green"), 4)
    assert {one["state"] for one in answer["holes"].values()} == {"pawn", "empty"}


@pytest.mark.whole
def test_a_color_may_have_any_number_of_pawns_unless_the_list_bounds_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = pawns(read(folder, "six.png", "px.json", capsys))
    assert {hole: seen[hole] for hole in (f"hole {name}" for name in SIX_RED)} == dict.fromkeys(
        (f"hole {name}" for name in SIX_RED), "red"
    )
    bounded = read(folder, "six.png", "four.json", capsys)
    assert "red" not in pawns(bounded).values()


@pytest.mark.whole
def test_a_pawn_in_a_color_that_none_has_is_given_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = pawns(read(folder, "play.png", "blue.json", capsys))
    assert seen["hole T30"] == "blue"
    assert "red" not in seen.values()


@pytest.mark.whole
def test_holes_given_in_millimetres_are_found_by_touches(
    folder: Path, board: BoardFile, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = read(folder, "play.png", "mm.json", capsys, "--touch", *starts_touched(board))
    assert answer["orientation"] == "sure"
    assert pawns(answer)["hole T30"] == "blue"


@pytest.mark.whole
def test_a_list_may_be_a_part_of_the_holes(
    folder: Path, board: BoardFile, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = json.loads((folder / "mm.json").read_text())
    holes = [one for one in whole["holes"] if one["kind"] in ("track", "start")]
    write(folder / "track.json", whole | {"holes": holes})
    answer = read(folder, "play.png", "track.json", capsys, "--touch", *starts_touched(board))
    assert pawns(answer) == {"hole T30": "blue"}


@pytest.mark.whole
def test_the_learned_empty_look_is_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    holes, state = str(folder / "px.json"), str(folder / "state.tock")
    assert (
        main(["board", "learn", "--holes", holes, "--empty", str(folder / "empty.png"), "--out", state]) == 0
    )
    assert answers(capsys)[0]["learned"] is True
    assert pawns(read(folder, "empty.png", "px.json", capsys, "--state", state)) == {}
    assert len(pawns(read(folder, "play.png", "px.json", capsys, "--state", state))) == 16


def test_a_picture_of_another_size_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(folder / "small.png"), load_image(folder / "empty.png")[:480, :640])
    pictures = [str(folder / name) for name in ("empty.png", "small.png")]
    assert main(["board", "read", *pictures, "--holes", str(folder / "px.json")]) == 1
    assert answers(capsys)[1]["reason"] == "image/other_size"


def test_a_view_from_the_side_is_found_by_even_steps_and_none_where_there_are_few(board: BoardFile) -> None:
    points = np.array([[hole.x_mm, hole.y_mm] for hole in board.holes])
    places = pose_of(board, TILTED).project(points)
    found = view_on(places, TILTED.size_px)[0]
    assert np.degrees(np.linalg.norm(found.params[:2])) == pytest.approx(30, abs=6)
    few, same = view_on(places[:5], TILTED.size_px)
    assert same == pytest.approx(few.project(places[:5]), abs=0.01)
    assert same == pytest.approx(places[:5])


def hole(number: int, **changes: object) -> Document:
    return {"id": f"h{number}", "x": 30.0 * number, "y": 20.0, **changes}


ROW = [hole(number) for number in range(1, 9)]
BAD: dict[str, tuple[object, str]] = {
    "one hole": ({"unit": "px", "holes": ROW[:1]}, "at least 2"),
    "5,000 holes": ({"unit": "px", "holes": [hole(number) for number in range(5000)]}, "most 1000 entries, not 5000"),
    "too few to find": ({"unit": "mm", "holes": ROW[:4]}, "4 holes make no pattern"),
    "one row": ({"unit": "mm", "holes": [hole(number) for number in range(12)]}, "holes in one row make no pattern"),
    "outside the picture": ({"unit": "px", "holes": [*ROW, hole(90)]}, "'h90' at (2700, 20) lies outside"),
    "two of one name": ({"unit": "px", "holes": [*ROW, hole(3, y=300.0)]}, "'h3' is listed 2 times"),
    "another unit": ({"unit": "inch", "holes": ROW}, "'unit' must be 'mm' or 'px'"),
    "no number": ('{"unit": "px", "holes": [{"id": "a", "x": NaN, "y": 1}]}', "not JSON"),
    "no JSON": ("holes: none", "not JSON"),
    "one place": ({"unit": "px", "holes": [*ROW, hole(1, id="again")]}, "are at one place"),
    "another kind": ({"unit": "px", "holes": [*ROW, hole(9, kind="start hole")]}, "'holes[8].kind' must be"),
    "a color without name": ({"unit": "px", "holes": ROW, "colors": ["beige"]}, "known are black"),
    "a color twice": ({"unit": "px", "holes": ROW, "colors": ["red", "red"]}, "red twice"),
    "far apart": ({"unit": "px", "holes": [hole(1), hole(1, id="b", x=37.0), hole(1, id="c", x=9000.0)]}, "least"),
    "nothing": ({}, "'unit', 'holes' are missing"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_list_that_cannot_be_used_is_one_clear_line(
    folder: Path, tmp_path: Path, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document, message = BAD[case]
    bad = tmp_path / "bad.json"
    bad.write_text(document if isinstance(document, str) else json.dumps(document))
    assert main(["board", "read", str(folder / "empty.png"), "--holes", str(bad)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert message in output.err


def test_more_places_are_sampled_than_opencv_takes_at_once() -> None:
    picture = np.arange(12, dtype=np.uint8).reshape(3, 4)
    places = np.tile(np.array([[[1.0, 0.0]], [[2.0, 2.0]]], np.float32), (20_000, 1, 1))
    assert sample(picture, places).ravel().tolist() == [1, 10] * 20_000


@pytest.mark.parametrize(
    ("holes", "touch", "message"),
    [("px.json", "hole T0=1,2", "leave --touch out"), ("mm.json", "T0=1,2", "T0")],
)
def test_touches_that_do_not_go_with_the_list_are_refused(
    folder: Path, holes: str, touch: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["board", "read", str(folder / "empty.png"), "--holes", str(folder / holes), "--touch", touch]
    assert main(command) == 2
    assert message in capsys.readouterr().err
