"""Reading drawn frames: the same code that reads a camera's."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, Placed, moved, shifted, unknown_holes, wrong_holes
from tock_companion.boardfile import BoardFile, PawnShape, generate
from tock_companion.observation import HoleState
from tock_rules import Hole, Seat, load_preset, shape_for
from tock_vision.calibration_file import rate
from tock_vision.holes.calibration import Calibration, Shows
from tock_vision.holes.feature_cache import (
    MAX_DOUBTFUL_PER_FRAME,
    MAX_PATCHES_PER_FRAME,
    REFRESHED_PER_FRAME,
)
from tock_vision.holes.loose_pawns import MAX_SPOTS
from tock_vision.holes.network import PatchNetwork
from tock_vision.learning import learn
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color, pose_of
from tock_vision.rendering.renderer import Renderer

pytestmark = pytest.mark.whole

Draw = Callable[..., Any]
MIDGAME = dict(START)
for start, end in (("P0-C1", "T20"), ("P0-C2", "C"), ("P1-C1", "P1-H3"), ("P2-C1", "T43"), ("P3-C1", "T44")):
    MIDGAME = moved(MIDGAME, start, end)


@pytest.mark.parametrize(
    "appearance",
    [SMALL, shifted(SMALL, turn_deg=90.0, tilt_deg=25.0), shifted(SMALL, light=(0.7, 0.95, 1.15))],
    ids=["usual", "turned and tilted", "warm lamp"],
)
def test_every_hole_of_a_clear_picture_is_read_right(
    board: BoardFile, draw: Draw, appearance: Appearance
) -> None:
    reading = BoardReader(board).read_frame(draw(MIDGAME, appearance), 40)
    assert reading.registered
    assert reading.orientation == "sure"
    assert wrong_holes(reading.holes, MIDGAME) == {}
    assert unknown_holes(reading.holes) == set()


@pytest.mark.parametrize("game", ["keezen", "brandi-dog", "pegs-jokers"])
def test_the_board_of_another_game_is_read_with_all_its_pawns(game: str) -> None:
    board = generate(shape_for(load_preset(game), 4), 440)
    here: dict[str, Seat] = {hole: seat for seat in board.seats for hole in board.shape.camp_holes(seat)[1:]}
    here |= {Hole.track(board.shape.track_length - 1 - 7 * seat): seat for seat in board.seats}
    pawns = [
        DrawnPawn(board.hole(hole).x_mm, board.hole(hole).y_mm, named_color(board.colors[seat]))
        for hole, seat in here.items()
    ]
    reading = BoardReader(board).read_frame(Renderer(board, SMALL).frame(pawns), 40)
    assert reading.registered
    assert wrong_holes(reading.holes, here) == {}
    assert unknown_holes(reading.holes) == set()


def test_holes_under_a_hand_are_unknown_and_the_others_stay(board: BoardFile, draw: Draw) -> None:
    reader = BoardReader(board)
    reader.read_frame(draw(MIDGAME), 0)
    reading = reader.read_frame(draw(MIDGAME, hand_mm=(200.0, 250.0)), 100)
    hidden = unknown_holes(reading.holes)
    assert wrong_holes(reading.holes, MIDGAME) == {}
    assert 3 <= len(hidden) <= 30
    assert reader.read_frame(draw(MIDGAME), 200).holes.keys() - unknown_holes(
        reader.read_frame(draw(MIDGAME), 300).holes
    )


class Counting(PatchNetwork):
    """The network of the package, with a count of the patches it sees."""

    looked = 0

    def features(self, patches: Any) -> Any:
        self.looked += len(patches)
        return super().features(patches)


def test_a_moving_arm_costs_few_second_readings_and_is_never_guessed_through(
    board: BoardFile, draw: Draw
) -> None:
    network = Counting()
    reader = BoardReader(board, network=network)
    reader.read_frame(draw(MIDGAME), 0)
    for number in range(4):
        before = network.looked
        hand = (120.0 + 40 * number, 120.0 + 45 * number)
        reading = reader.read_frame(draw(MIDGAME, hand_mm=hand), 100 * (number + 1))
        assert network.looked - before <= MAX_PATCHES_PER_FRAME + MAX_DOUBTFUL_PER_FRAME + MAX_SPOTS
        assert wrong_holes(reading.holes, MIDGAME) == {}
    for _ in range(2):
        reading = reader.read_frame(draw(MIDGAME), 600)
    assert unknown_holes(reading.holes) == set()
    before = network.looked
    reader.read_frame(draw(MIDGAME), 700)
    assert network.looked - before <= 2 * REFRESHED_PER_FRAME + MAX_SPOTS


def test_a_pawn_beside_the_holes_is_reported_with_its_place(board: BoardFile, draw: Draw) -> None:
    hole = board.hole("T40")
    x_mm, y_mm = hole.x_mm + 1.4 * board.pitch_mm, hole.y_mm + 1.3 * board.pitch_mm
    assert board.nearest(x_mm, y_mm)[1] > 0.9 * board.pitch_mm
    lying = DrawnPawn(x_mm, y_mm, named_color(board.colors[Seat.P1]))
    (pawn,) = BoardReader(board).read_frame(draw(MIDGAME, beside=[lying]), 0).observation("camera").loose
    assert pawn.seat == Seat.P1
    assert np.hypot(pawn.x_mm - x_mm, pawn.y_mm - y_mm) < 0.5 * board.pitch_mm
    assert BoardReader(board).read_frame(draw(MIDGAME), 0).loose == ()


def test_pawns_beside_the_holes_are_searched_for_in_the_first_frame_that_changes_no_hole(
    board: BoardFile, draw: Draw
) -> None:
    hole = board.hole("T40")
    x_mm, y_mm = hole.x_mm + 1.4 * board.pitch_mm, hole.y_mm + 1.3 * board.pitch_mm
    beside = [DrawnPawn(x_mm, y_mm, named_color(board.colors[Seat.P1]))]
    reader = BoardReader(board)
    # A look of its own: else the noise of the frames depends on which tests have drawn before.
    look = replace(SMALL, seed=40)
    reader.read_frame(draw(MIDGAME, look), 0)
    readings = [reader.read_frame(draw(START, look, beside=beside), t_ms) for t_ms in (1500, 1600, 1700)]
    assert [len(reading.loose) for reading in readings] == [not one.holes_changed for one in readings]
    assert [one.holes_changed for one in readings] == [True, True, False]


def test_a_pawn_over_the_edge_of_a_hole_hides_it_and_is_reported(board: BoardFile, draw: Draw) -> None:
    hole = board.hole("T40")
    x_mm, y_mm = hole.x_mm + 0.43 * board.pitch_mm, hole.y_mm + 0.13 * board.pitch_mm
    lying = DrawnPawn(x_mm, y_mm, named_color(board.colors[Seat.P1]))
    reading = BoardReader(board).read_frame(draw(MIDGAME, beside=[lying]), 0)
    assert reading.holes[Hole.parse("T40")].state is HoleState.UNKNOWN
    assert [(pawn.seat, pawn.nearest) for pawn in reading.loose] == [(Seat.P1, "T40")]


def test_a_board_without_markers_that_is_bumped_is_found_at_once(board: BoardFile, draw: Draw) -> None:
    appearance = shifted(SMALL, markers=False, tilt_deg=15.0)
    reader = BoardReader(board)
    frame = draw(MIDGAME, appearance)
    points = np.array([[hole.x_mm, hole.y_mm] for hole in board.holes])
    places = pose_of(board, appearance).project(points)
    touched = {
        hole: tuple(places[board.holes.index(board.hole(hole))]) for hole in map(Hole.track, (0, 18, 36, 54))
    }
    reader.touch(frame, touched)
    bumped = shifted(appearance, turn_deg=5.0)
    reading = reader.read_frame(draw(MIDGAME, bumped), 100)
    assert reading.registered
    assert reading.orientation == "sure"
    assert reading.pose is not None
    assert np.abs(reading.pose.project(points) - pose_of(board, bumped).project(points)).max() < 4
    assert wrong_holes(reading.holes, MIDGAME) == {}


def test_a_pawn_that_moves_is_seen_at_its_new_hole(board: BoardFile, draw: Draw) -> None:
    reader = BoardReader(board)
    reader.read_frame(draw(START), 0)
    after = moved(START, "P2-C2", "T36")
    assert wrong_holes(reader.read_frame(draw(after), 100).holes, after) == {}


def test_an_observation_carries_time_and_source(board: BoardFile, draw: Draw) -> None:
    observation = BoardReader(board).read_frame(draw(START), 1234).observation("camera")
    assert (observation.t_ms, observation.source) == (1234, "camera")
    assert observation.reading(Hole.parse("P3-C1")).seat == Seat.P3


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (np.zeros((480, 640, 3), np.uint8), "camera/dark"),
        (np.full((480, 640, 3), 120, np.uint8), "camera/covered"),
        (cv2.resize(np.arange(75, dtype=np.uint8).reshape(5, 5, 3) * 3, (320, 240)), "camera/no_board"),
    ],
    ids=["dark", "covered", "no board"],
)
def test_an_unreadable_picture_is_reported(board: BoardFile, frame: Any, code: str) -> None:
    reading = BoardReader(board).read_frame(frame, 0)
    assert not reading.registered
    assert reading.reason == code
    assert reading.holes == {}
    assert reading.sentence


def test_calibration_pictures_teach_the_colours_of_the_pawns(board: BoardFile, draw: Draw) -> None:
    # Under this lamp white looks orange: only pawns seen under it tell.
    appearance = shifted(SMALL, light=(0.45, 0.8, 1.25))
    learned = learn(board, [(draw({}, appearance), "empty"), (draw(START, appearance), "camps")])
    assert isinstance(learned, Calibration)
    assert set(learned.colors) == set(board.seats)
    reading = BoardReader(board, learned).read_frame(draw(MIDGAME, appearance), 0)
    assert wrong_holes(reading.holes, MIDGAME) == {}


@pytest.fixture(scope="module")
def wide_bowls(board: BoardFile) -> BoardFile:
    """A board with bowls as wide as marbles, of which nobody says how wide the pawns are."""
    holes = tuple(replace(hole, d_mm=0.62 * board.pitch_mm) for hole in board.holes)
    return replace(board, holes=holes, pawn=None)


PAINTED = shifted(SMALL, paint="bowl", starts=True, bowl=1.6)


def with_pawns(board: BoardFile, placed: Placed) -> Any:
    """A picture of a board whose camps, homes and starts are painted bowls."""
    pawns = [
        DrawnPawn(board.hole(hole).x_mm, board.hole(hole).y_mm, named_color(board.colors[seat]))
        for hole, seat in placed.items()
    ]
    shape = PawnShape("opaque", 0.36 * board.pitch_mm)
    return Renderer(replace(board, pawn=shape), PAINTED).frame(pawns)


def test_all_pawns_in_their_camps_show_how_the_other_holes_look_when_empty(wide_bowls: BoardFile) -> None:
    board = wide_bowls
    learned = learn(board, [(with_pawns(board, START), "camps")])
    assert isinstance(learned, Calibration)
    assert not learned.saw_empty
    assert learned.pawn_likeness is None
    assert "never_empty" in {point.code for point in rate(board, learned)[1]}
    frame = with_pawns(board, MIDGAME)
    without = BoardReader(board, replace(learned, empty=None)).read_frame(frame).holes
    reading = BoardReader(board, learned).read_frame(frame).holes
    bare = [hole.id for hole in board.holes if hole.seat is not None and hole.id not in MIDGAME]
    assert all(reading[hole].confidence > without[hole].confidence for hole in bare)
    assert wrong_holes(reading, MIDGAME) == {}
    assert unknown_holes(reading) == set()


def test_nothing_is_known_to_be_empty_while_a_seat_has_a_pawn_elsewhere(board: BoardFile, draw: Draw) -> None:
    learned = learn(board, [(draw(moved(START, "P1-C2", "T30")), "camps")])
    assert isinstance(learned, Calibration)
    assert learned.empty is None


def test_a_picture_of_the_empty_board_takes_the_place_of_what_was_left_empty(
    board: BoardFile, draw: Draw
) -> None:
    reader = BoardReader(board)
    steps: tuple[tuple[Shows, Placed, bool], ...] = (
        ("camps", START, False),
        ("empty", {}, True),
        ("camps", START, True),
    )
    for shows, placed, saw_empty in steps:
        learned = reader.learn(draw(placed), shows)
        assert isinstance(learned, Calibration)
        assert learned.empty is not None
        assert learned.saw_empty is saw_empty
    assert isinstance(reader.calibration, Calibration)
    assert reader.calibration.pawn_likeness is not None


def test_equal_frames_give_equal_readings(board: BoardFile, draw: Draw) -> None:
    frames = [draw(START), draw(START, hand_mm=(100.0, 100.0)), draw(moved(START, "P0-C1", "T0"))]
    first, second = BoardReader(board), BoardReader(board)
    assert [first.read_frame(frame, 0).holes for frame in frames] == [
        second.read_frame(frame, 0).holes for frame in frames
    ]
    first.reset()
    assert first.read_frame(frames[0], 0).holes == BoardReader(board).read_frame(frames[0], 0).holes


def test_an_empty_camp_hole_in_the_picture_of_the_camps_teaches_no_colour(
    board: BoardFile, draw: Draw
) -> None:
    learned = learn(board, [(draw({}), "empty"), (draw(moved(START, "P1-C2", "T30")), "camps")])
    assert isinstance(learned, Calibration)
    assert {seat: len(own) for seat, own in learned.colors.items()} == {
        seat: 3 if seat is Seat.P1 else 4 for seat in board.seats
    }
    assert [(point.code, point.seats) for point in rate(board, learned)[1]] == [("few_pawns", (Seat.P1,))]


def test_doubtful_holes_are_looked_at_once_more_and_only_until_they_change(
    board: BoardFile, draw: Draw
) -> None:
    network = Counting()
    reader = BoardReader(board, network=network)
    blurred = draw(MIDGAME, shifted(SMALL, blur_px=3.0, noise=9.0))
    reader.read_frame(blurred, 0)
    again = network.looked - len(board.holes)
    assert 0 < again < len(board.holes) / 2 + MAX_SPOTS
    before = network.looked
    reader.read_frame(blurred, 100)
    assert network.looked - before <= 2 * REFRESHED_PER_FRAME


@pytest.mark.parametrize("color", [(120, 150, 200), (60, 85, 140), (235, 238, 240), (90, 60, 40)])
def test_holes_under_a_thing_at_rest_are_unknown(
    board: BoardFile, draw: Draw, color: tuple[int, int, int]
) -> None:
    frame = draw(MIDGAME)
    pose = pose_of(board, SMALL)
    corners = np.array([[120.0, 120.0], [210.0, 140.0], [200.0, 260.0], [110.0, 240.0]])
    cv2.fillConvexPoly(frame, pose.project(corners).round().astype(np.int32), color, cv2.LINE_AA)
    readings = BoardReader(board).read_frame(frame, 0).holes
    inside = [
        hole.id
        for hole in board.holes
        if cv2.pointPolygonTest(corners.astype(np.float32), (hole.x_mm, hole.y_mm), True)
        > 0.4 * board.pitch_mm
    ]
    assert len(inside) >= 4
    assert {hole_id for hole_id in inside if readings[hole_id].state is not HoleState.UNKNOWN} == set()
