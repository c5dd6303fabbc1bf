"""Generated boards: where their holes are, and which input each hole reaches."""

from collections.abc import Iterator
from itertools import combinations, product
from math import dist

import pytest

from tock_companion.boardfile import BoardFile, HoleKind, generate, parse, required_holes, to_json
from tock_companion.boardfile.wiring import (
    INPUTS_PER_BOARD,
    SpareInput,
    has_buttons,
    holes_of_board,
    inputs_of,
    pin_of,
    spare_input,
    straps_of,
)
from tock_companion.errors import BadInputError
from tock_rules import BoardShape, Hole, Seat, load_preset, shape_for

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


def every_shape() -> Iterator[BoardShape]:
    for zones, ring, pawns, entrance in product((2, 3, 4, 6, 8), range(14, 21), (4, 5), (0, 1, 2, 5)):
        if (zones, ring, pawns) != (2, 14, 5):
            yield BoardShape(zones, True, entrance, ring, pawns)


@pytest.mark.parametrize(
    "shape", [BoardShape(zones, True) for zones in (4, 6, 8)] + list(every_shape())[::17]
)
def test_every_hole_is_there_and_no_pawns_touch(shape: BoardShape) -> None:
    board = generate(shape, 720)
    assert {hole.id for hole in board.holes} == {*required_holes(shape)} | {"C"}
    assert board.shape.size == shape.size
    assert all(board.entrance(seat).index == shape.entrance(seat) for seat in shape.seats)
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


def test_homes_without_room_are_refused() -> None:
    with pytest.raises(BadInputError, match="2 zones of 14 holes, 5 pawns a seat has no room for its homes"):
        generate(BoardShape(2, False, 2, 14, 5), 600)


@pytest.mark.parametrize(("zones", "size_mm"), [(5, 400), (4, 100), (8, 150), (4, 90000), (4, float("nan"))])
def test_impossible_sizes_are_refused(zones: int, size_mm: float) -> None:
    with pytest.raises(BadInputError):
        generate(zones, size_mm)


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_every_hole_of_a_board_has_an_input_of_its_own(zones: int) -> None:
    numbers = inputs_of(zones)
    assert set(numbers) == {hole.id for hole in generate(zones, 900).holes}
    assert len(set(numbers.values())) == len(numbers) == 26 * zones + 1
    spares = {spare_input(zone, use) for zone in range(zones) for use in SpareInput}
    assert spares & set(numbers.values()) == {numbers[Hole.parse("C")]}
    assert spares | set(numbers.values()) == set(range(INPUTS_PER_BOARD * zones))


@pytest.mark.parametrize("game", ["keezen", "pegs-jokers", "brandi-dog", "quebec"])
def test_a_board_of_another_game_takes_the_inputs_that_a_tock_board_has(game: str) -> None:
    rules = load_preset(game)
    shape = shape_for(rules, rules.zones[-1])
    board, numbers = generate(shape, 900), inputs_of(shape)
    assert set(numbers) == {hole.id for hole in board.holes}
    assert len(set(numbers.values())) == len(numbers)
    kept = [SpareInput.LOW, SpareInput.HIGH, SpareInput.STRAP_1, SpareInput.STRAP_2]
    kept += [SpareInput.BUTTON] * has_buttons(shape)
    assert not {spare_input(zone, use) for zone in range(shape.zones) for use in kept} & set(numbers.values())


def test_a_zone_of_too_many_holes_is_left_to_the_camera() -> None:
    with pytest.raises(
        BadInputError, match="not enough inputs for a board of 4 zones of 20 holes, 5 pawns a seat"
    ):
        inputs_of(BoardShape(4, False, 2, 20, 5))


def test_inputs_are_numbered_as_their_bits_come_out() -> None:
    numbers = inputs_of(4)
    assert (
        numbers[Hole.parse("T0")],
        numbers[Hole.parse("T18")],
        numbers[Hole.parse("P1-C1")],
        numbers[Hole.parse("P1-H4")],
    ) == (0, 32, 50, 57)
    assert str(pin_of(numbers[Hole.parse("T0")])) == "board 0, register 1, pin H"
    assert str(pin_of(numbers[Hole.parse("P3-H1")])) == "board 3, register 3, pin B"
    assert holes_of_board(BoardShape(4), 2)[:2] == ("T36", "T37")


def test_the_two_fixed_inputs_lie_side_by_side_so_that_a_shift_by_one_shows() -> None:
    assert spare_input(0, SpareInput.HIGH) - spare_input(0, SpareInput.LOW) == 1


def test_straps_tell_neighbours_apart() -> None:
    assert [straps_of(zone) for zone in range(4)] == [
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    ]


def test_other_numbers_of_zones_are_refused() -> None:
    with pytest.raises(BadInputError, match="2, 3, 4, 6 or 8"):
        inputs_of(5)
