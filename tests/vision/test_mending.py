"""A board is mended by finger: names follow from the places, one touch acts in all zones, and undo is exact."""

from dataclasses import replace
from math import dist, hypot

import numpy as np
import pytest

from tock_companion.boardfile import BoardFile, fingerprint, generate
from tock_companion.boardfile.model import required_holes
from tock_companion.errors import BadInputError
from tock_rules import BoardShape, Hole, Seat, camp_holes_of
from tock_vision.mending.edits import Add, Edit, Mistake, Move, Own, Question, Remove, Start, answered, edited
from tock_vision.mending.naming import find_names
from tock_vision.mending.sketch import CENTRE, Sketch, Unnamed, spun
from tock_vision.mending.workbench import Bench, Phase, Workbench


def sketch_of_board(board: BoardFile, off_pitches: float = 0.0) -> Sketch:
    """A board as discovery would hand it over; holes `off_pitches` from where they belong, as drills slip."""
    rng = np.random.default_rng(3)
    middle = np.array(board.size_mm) / 2
    holes = {}
    for hole in board.holes:
        place = (np.array([hole.x_mm, hole.y_mm]) - middle) / board.pitch_mm
        slip = rng.normal(0, off_pitches / 2, 2) if hole.id != CENTRE else np.zeros(2)
        holes[hole.id] = (float(place[0] + slip[0]), float(place[1] + slip[1]))
    colors = tuple(board.colors[Seat(zone)] for zone in range(board.zones))
    return Sketch(board.zones, holes, (), frozenset({Hole.parse("T3")}), colors, 0.5)


CROSS = sketch_of_board(generate(4, 440))


def after(sketch: Sketch, *edits: Edit) -> Sketch:
    """The sketch after edits, none of which is a mistake."""
    for edit in edits:
        changed = edited(sketch, edit)
        assert isinstance(changed, Sketch), changed
        sketch = changed
    return sketch


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_a_sketch_becomes_a_board_file_that_can_be_played_on(zones: int) -> None:
    sketch = sketch_of_board(generate(zones, 600), 0.1)
    board = sketch.board("Ours")
    assert board.name == "Ours"
    assert {hole.id for hole in board.holes} == {*required_holes(BoardShape(zones))} | {"C"}
    assert board.pitch_mm == pytest.approx(20.0, rel=0.03)


def test_a_touch_moves_a_hole_in_all_zones_alike() -> None:
    x, y = CROSS.holes[Hole.parse("T5")]
    moved = after(CROSS, Move(Hole.parse("T5"), (x + 0.2, y + 0.1), True))
    for turns in range(4):
        name = CROSS.turned(Hole.parse("T5"), turns)
        dx, dy = spun((0.2, 0.1), turns, 4)
        assert moved.holes[name] == pytest.approx((CROSS.holes[name][0] + dx, CROSS.holes[name][1] + dy))
    alone = after(CROSS, Move(Hole.parse("T5"), (x + 0.2, y + 0.1), False))
    assert alone.holes[Hole.parse("T5")] == pytest.approx((x + 0.2, y + 0.1))
    assert {name for name in alone.holes if alone.holes[name] != CROSS.holes[name]} == {"T5"}


def test_touching_a_doubtful_hole_confirms_it() -> None:
    place = CROSS.holes[Hole.parse("T3")]
    assert after(CROSS, Move(Hole.parse("T3"), place, False)).doubtful == frozenset()


def test_a_hole_that_was_removed_gets_its_name_back_where_it_is_shown() -> None:
    without = after(CROSS, Remove(Hole.parse("T7"), True))
    assert set(without.missing) == {"T7", "T25", "T43", "T61"}
    assert not without.is_whole
    x, y = CROSS.holes[Hole.parse("T7")]
    again = after(without, Add((x + 0.1, y), True))
    assert again.is_whole
    assert again.holes[Hole.parse("T7")] == pytest.approx((x + 0.1, y))
    one = after(
        after(CROSS, Remove(Hole.parse("P1-H3"), False)), Add(CROSS.holes[Hole.parse("P1-H3")], False)
    )
    assert one.holes == CROSS.holes


def test_a_hole_taken_for_another_is_mended_by_removing_one_and_showing_the_other() -> None:
    """The search took a knot beside the way for a hole, in every zone."""
    x, y = CROSS.holes[Hole.parse("T4")]
    wrong = replace(
        CROSS,
        holes={
            **CROSS.holes,
            **{CROSS.turned(Hole.parse("T4"), turns): spun((x - 0.6, y), turns, 4) for turns in range(4)},
        },
    )
    assert after(wrong, Remove(Hole.parse("T4"), True), Add((x, y), True)).holes[
        Hole.parse("T22")
    ] == pytest.approx(spun((x, y), 1, 4))


@pytest.mark.parametrize("zones", [4, 6, 8])
@pytest.mark.parametrize("off", [0.0, 0.1])
def test_holes_without_names_get_those_of_the_board(zones: int, off: float) -> None:
    sketch = sketch_of_board(generate(zones, 600), off)
    names = find_names([place for hole, place in sketch.holes.items() if hole != CENTRE], zones)
    assert names is not None
    turn = next(
        turns
        for turns in range(zones)
        if dist(names[Hole.parse("T0")], sketch.holes[sketch.turned(Hole.parse("T0"), turns)]) < 0.3
    )
    for hole, place in names.items():
        true = sketch.holes[sketch.turned(hole, turn)]
        if "-C" not in hole:  # Which hole of a camp is the first means nothing.
            assert dist(place, true) < 1e-6, hole


def test_holes_added_beyond_what_is_missing_rename_the_board() -> None:
    """The search took the camps for something else: nothing of them is known, and each is shown once."""
    camps = [hole for hole in CROSS.holes if hole.in_camp]
    sketch = replace(CROSS, holes={hole: place for hole, place in CROSS.holes.items() if hole not in camps})
    for number in (1, 2, 3, 4):
        sketch = after(sketch, Add(CROSS.holes[Hole.parse(f"P0-C{number}")], True))
    assert sketch.is_whole
    for camp in map(camp_holes_of, list(Seat)[:4]):
        here, there = ({tuple(np.round(one.holes[hole], 3)) for hole in camp} for one in (sketch, CROSS))
        assert here == there
    assert sketch.colors == CROSS.colors


@pytest.mark.parametrize("zones", [4, 6])
def test_a_board_is_drawn_hole_by_hole_from_its_starts(zones: int) -> None:
    true = sketch_of_board(generate(zones, 600))
    starts = [Hole.track(18 * zone) for zone in range(zones)]
    drawn = replace(true, holes={hole: true.holes[hole] for hole in starts}, doubtful=frozenset())
    rows = [Hole.parse(f"P0-{row}{n}") for row in "HC" for n in (1, 2, 3, 4)]
    zone = [*map(Hole.track, range(1, 18)), *rows]
    for hole in [CENTRE, *zone]:
        assert not drawn.is_whole
        drawn = after(drawn, Add(true.holes[hole], True))
    assert drawn.is_whole
    for hole in (*starts, *map(Hole.parse, ("T7", "P1-H3", "P3-H4")), CENTRE):
        assert drawn.holes[hole] == pytest.approx(true.holes[hole], abs=1e-3)


def test_a_start_that_is_shown_names_the_zones_by_it() -> None:
    blue = after(CROSS, Start(Hole.parse("T36"), "blue"))
    assert blue.colors[2] == "blue"
    assert sorted(blue.colors) == sorted(CROSS.colors)
    assert edited(CROSS, Start(Hole.parse("T5"), "blue")) is Mistake.NO_START


def test_a_home_that_is_shown_gets_its_colour_and_no_two_have_one() -> None:
    owned = after(CROSS, Own(Hole.parse("P3-H2"), "red"))
    assert owned.colors[3] == "red"
    assert owned.colors[0] == CROSS.colors[3]
    pink = after(CROSS, Own(Hole.parse("P1-C1"), "pink"))
    assert pink.colors[1] == "pink"
    assert edited(CROSS, Own(Hole.parse("C"), "red")) is Mistake.NO_HOLE


def test_the_centre_hole_comes_and_goes() -> None:
    without = after(CROSS, Remove(CENTRE, True))
    assert without.is_whole
    assert "C" not in without.board("Ours").by_id
    assert fingerprint(after(without, Add((0.1, -0.1), True)).board("Ours")) == fingerprint(
        CROSS.board("Ours")
    )


@pytest.mark.parametrize(
    ("edit", "mistake"),
    [
        (Remove(Hole.parse("T99"), True), Mistake.NO_HOLE),
        (Remove(Unnamed(0), True), Mistake.NO_HOLE),
        (Move(Hole.parse("P7-C4"), (0.0, 0.0), True), Mistake.NO_HOLE),
        (Add(CROSS.holes[Hole.parse("T9")], True), Mistake.CLOSE),
        (Move(Hole.parse("T9"), CROSS.holes[Hole.parse("T10")], False), Mistake.CLOSE),
        (Add((40.0, 0.0), True), Mistake.FAR),
        (Move(Hole.parse("T9"), (0.0, -25.0), False), Mistake.FAR),
    ],
)
def test_an_edit_that_cannot_be_is_a_mistake_and_changes_nothing(edit: Edit, mistake: Mistake) -> None:
    assert edited(CROSS, edit) is mistake


def test_a_hole_that_belongs_to_nothing_waits_and_can_be_removed() -> None:
    more = after(CROSS, Add((8.0, 8.4), False))
    assert len(more.unnamed) == 1
    assert not more.is_whole
    assert after(more, Remove(Unnamed(0), False)) == CROSS


def test_wide_rims_make_no_holes_that_overlap() -> None:
    board = replace(CROSS, width=0.9).board("Ours")
    places = np.array([(hole.x_mm, hole.y_mm) for hole in board.holes])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert max(hole.d_mm for hole in board.holes) < gaps[gaps > 0].min()


def test_holes_that_overlap_make_no_board() -> None:
    x, y = CROSS.holes[Hole.parse("T9")]
    near = replace(CROSS, holes={**CROSS.holes, Hole.parse("T10"): (x + 0.1, y)})
    with pytest.raises(BadInputError, match="one place"):
        near.board("Ours")
    assert hypot(x, y) > 1


def test_an_answer_puts_the_middle_hole_there_or_takes_it_away() -> None:
    without = answered(CROSS, Question.CENTRE, yes=False)
    assert CENTRE not in without.holes
    assert answered(without, Question.CENTRE, yes=False) == without
    assert answered(without, Question.CENTRE, yes=True).holes == CROSS.holes
    assert answered(CROSS, Question.HOLES, yes=True).doubtful == frozenset()
    for question in Question:
        if question is not Question.CENTRE:
            assert answered(CROSS, question, yes=False) == CROSS


def test_an_answered_question_is_asked_again_after_an_undo() -> None:
    asks = ({"code": Question.CENTRE.value}, {"code": Question.COLORS.value})
    bench = Workbench(Bench(phase=Phase.FOUND, sketch=CROSS, asks=asks))
    bench.settle(Question.CENTRE, yes=False)
    bench.settle(Question.START, yes=True)
    assert bench.bench.asks == asks[1:]
    assert bench.bench.sketch == answered(CROSS, Question.CENTRE, yes=False)
    bench.undo()
    assert bench.bench == Bench(phase=Phase.FOUND, sketch=CROSS, asks=asks)
