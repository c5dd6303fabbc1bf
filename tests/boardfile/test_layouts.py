"""Boards made from geometry."""

from itertools import combinations
from math import dist

import pytest

from tock_companion.boardfile import BoardFile, HoleKind, generate, parse, required_holes, to_json
from tock_companion.errors import BadInputError
from tock_rules import Seat

SPEC_TRACK = """
.  .  .  .  .  .  .  32 33 34 35 36 .  .  .  .  .  .  .
.  .  .  .  .  .  .  31 .  .  .  37 .  .  .  .  .  .  .
.  .  .  .  .  .  .  30 .  .  .  38 .  .  .  .  .  .  .
.  .  .  .  .  .  .  29 .  .  .  39 .  .  .  .  .  .  .
.  .  .  .  .  .  .  28 .  .  .  40 .  .  .  .  .  .  .
.  .  .  .  .  .  .  27 .  .  .  41 .  .  .  .  .  .  .
.  .  .  .  .  .  .  26 .  .  .  42 .  .  .  .  .  .  .
18 19 20 21 22 23 24 25 .  .  .  43 44 45 46 47 48 49 50
17 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  51
16 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  52
15 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  53
14 13 12 11 10 9  8  7  .  .  .  61 60 59 58 57 56 55 54
.  .  .  .  .  .  .  6  .  .  .  62 .  .  .  .  .  .  .
.  .  .  .  .  .  .  5  .  .  .  63 .  .  .  .  .  .  .
.  .  .  .  .  .  .  4  .  .  .  64 .  .  .  .  .  .  .
.  .  .  .  .  .  .  3  .  .  .  65 .  .  .  .  .  .  .
.  .  .  .  .  .  .  2  .  .  .  66 .  .  .  .  .  .  .
.  .  .  .  .  .  .  1  .  .  .  67 .  .  .  .  .  .  .
.  .  .  .  .  .  .  0  71 70 69 68 .  .  .  .  .  .  .
"""


def place(board: BoardFile, hole_id: str) -> tuple[float, float]:
    hole = board.hole(hole_id)
    return hole.x_mm, hole.y_mm


def test_the_track_of_four_is_the_cross_of_the_rule_book() -> None:
    board = generate(4, 400)
    drawn = {}
    for row, line in enumerate(SPEC_TRACK.strip().splitlines()):
        for column, text in enumerate(line.split()):
            if text != ".":
                drawn[f"T{text}"] = (20.0 * (column + 1), 20.0 * (row + 1))
    assert drawn == {f"T{index}": place(board, f"T{index}") for index in range(72)}


def test_homes_camps_and_centre_of_four_are_where_the_rule_book_draws_them() -> None:
    board = generate(4, 400)
    assert [place(board, f"P0-H{n}") for n in (1, 2, 3, 4)] == [
        (200, 360),
        (200, 340),
        (200, 320),
        (200, 300),
    ]
    assert {place(board, f"P0-C{n}") for n in (1, 2, 3, 4)} == {
        (100, 320),
        (120, 320),
        (100, 340),
        (120, 340),
    }
    assert {place(board, f"P1-C{n}") for n in (1, 2, 3, 4)} == {(60, 100), (80, 100), (60, 120), (80, 120)}
    assert place(board, "C") == (200, 200)


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_every_hole_is_there_and_no_pawns_touch(zones: int) -> None:
    board = generate(zones, 600)
    assert {hole.id for hole in board.holes} == {*required_holes(zones)} | {"C"}
    assert board.pawn is not None
    nearest_mm = min(dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a, b in combinations(board.holes, 2))
    assert nearest_mm >= 2 * board.pawn.radius_mm
    for marker in board.markers:
        for hole in board.holes:
            assert dist((marker.x_mm, marker.y_mm), (hole.x_mm, hole.y_mm)) > marker.size_mm


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_the_track_is_even_and_runs_clockwise(zones: int) -> None:
    board = generate(zones, 600)
    track = sorted((hole for hole in board.holes if hole.kind is HoleKind.TRACK), key=lambda hole: hole.index)
    places = [(hole.x_mm, hole.y_mm) for hole in track]
    turns = list(zip(places, places[1:] + places[:1], strict=True))
    assert all(dist(a, b) == pytest.approx(board.pitch_mm, abs=0.05) for a, b in turns)
    # With y down a positive area means clockwise on the table.
    assert sum(a[0] * b[1] - b[0] * a[1] for a, b in turns) > 0


@pytest.mark.parametrize("zones", [6, 8])
def test_home_columns_run_from_the_entrance_to_the_centre(zones: int) -> None:
    board = generate(zones, 600)
    for seat in board.seats:
        entrance = place(board, f"T{(18 * seat - 2) % (18 * zones)}")
        steps = [entrance, *(place(board, f"{seat.name}-H{n}") for n in (1, 2, 3, 4))]
        from_center = [dist(step, (300, 300)) for step in steps]
        assert from_center == sorted(from_center, reverse=True)
        assert dist(steps[0], steps[1]) == pytest.approx(board.pitch_mm, abs=0.05)


def test_a_generated_board_passes_the_check_and_fills_its_size() -> None:
    for zones, size_mm in ((4, 300), (6, 350), (8, 500)):
        board = parse(to_json(generate(zones, size_mm)))
        assert board.colors[Seat.P0] == "red"
        assert max(hole.y_mm for hole in board.holes) == pytest.approx(size_mm - board.pitch_mm, abs=0.05)


@pytest.mark.parametrize(("zones", "size_mm"), [(5, 400), (4, 100), (8, 150), (4, 90000), (4, float("nan"))])
def test_impossible_sizes_are_refused(zones: int, size_mm: float) -> None:
    with pytest.raises(BadInputError):
        generate(zones, size_mm)
