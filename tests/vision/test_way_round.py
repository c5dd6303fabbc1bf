"""A board without markers that is turned under the camera, or a camera above it, mixes up no pawns."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.drawn import SMALL, START, Placed, moved, shifted, wrong_holes
from tests.support.variants import some
from tock_companion.boardfile import BoardFile, generate
from tock_companion.observation import HoleReading, HoleState
from tock_rules import Hole, HoleKind, Seat
from tock_vision.board_points import hole_points_mm
from tock_vision.holes.calibration import Calibration
from tock_vision.learning import learn
from tock_vision.orientation import turns_by_paint
from tock_vision.reader import BoardReader, Reading
from tock_vision.registration.results import Registration
from tock_vision.rendering.appearance import DrawnPawn, named_color, pose_of
from tock_vision.rendering.renderer import Renderer
from tock_vision.way_round import FORGOTTEN_AFTER_MS, WayRound

Draw = Callable[..., Any]
BARE = replace(generate(4, 400), markers=())
MIDGAME = dict(START)
for start, end in (("P0-C1", "T20"), ("P0-C2", "C"), ("P1-C1", "P1-H3"), ("P2-C1", "T43"), ("P3-C1", "T44")):
    MIDGAME = moved(MIDGAME, start, end)
ON_THE_WAY = {f"T{5 * number + 3}": Seat(number % 4) for number in range(12)}
"""No camp and no home tells anything."""


def holes_of(placed: Placed, turns: int = 0, board: BoardFile = BARE) -> dict[Hole, HoleReading]:
    """The readings of a board whose holes are named as if it were turned."""
    seats = {Hole.parse(name).turned(turns, board.zones): seat for name, seat in placed.items()}
    return {
        hole: HoleReading(HoleState.PAWN, seats[hole], 0.99)
        if hole in seats
        else HoleReading(HoleState.EMPTY, None, 0.99)
        for hole in board.by_id
    }


@pytest.mark.parametrize("placed", [START, MIDGAME, ON_THE_WAY], ids=["start", "midgame", "on the way"])
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_pawns_that_all_moved_on_by_the_same_zones_speak_for_a_turn(placed: Placed, turns: int) -> None:
    way = WayRound(BARE)
    assert way.turns(holes_of(placed), 0) == 0
    assert way.turns(holes_of(placed, turns), 100) == 4 - turns
    way.turn(4 - turns)
    assert way.turns(holes_of(placed), 200) == 0


@pytest.mark.parametrize(("end", "zones"), [("T44", 4), ("P3-H1", 4)], ids=["on the track", "into its home"])
def test_moves_are_no_turns(end: str, zones: int) -> None:
    way = WayRound(BARE)
    assert way.turns(holes_of(MIDGAME), 0) == 0
    after = moved(MIDGAME, "P3-C2", end) if end not in MIDGAME else moved(MIDGAME, "T44", "P3-H4")
    assert way.turns(holes_of(after), 100) == 0
    assert way.turns(holes_of(after, 2), 200) == zones - 2


def test_pawns_in_the_camps_of_others_tell_how_a_board_lies_of_which_nothing_is_known() -> None:
    way = WayRound(BARE)
    assert way.turns(holes_of(START, 2), 0) == 2
    way.turn(2)
    assert way.turns(holes_of(START), 100) == 0
    assert WayRound(BARE).turns(holes_of(START, 2), 0, is_touched=True) == 0
    # Two seats that exchanged their places are no turn.
    exchanged = dict(START) | {name.replace("P0", "P2"): seat for name, seat in START.items() if seat == 0}
    exchanged |= {name.replace("P2", "P0"): seat for name, seat in START.items() if seat == 2}
    assert WayRound(BARE).turns(holes_of(exchanged), 0) == 0


def test_pawns_in_the_camps_of_others_stay_there_where_the_holes_fit_no_other_way_round() -> None:
    way = WayRound(BARE)
    assert way.turns(holes_of(START, 2), 0) == 2
    way.stay()
    assert way.turns(holes_of(START, 2), 100) == 0
    assert way.turns(holes_of(START, 1), 200) == 1


def test_pawns_set_up_for_another_game_are_believed_after_a_while() -> None:
    way = WayRound(BARE)
    assert way.turns(holes_of(ON_THE_WAY), 0) == 0
    for t_ms in range(100, FORGOTTEN_AFTER_MS + 300, 100):
        assert way.turns(holes_of(START), t_ms) == 0
    assert way.turns(holes_of(START, 1), FORGOTTEN_AFTER_MS + 400) == 3


def test_pawns_under_an_arm_are_remembered() -> None:
    way = WayRound(BARE)
    way.turns(holes_of(START), 0)
    hidden = {
        hole: HoleReading(HoleState.UNKNOWN, None, 0.0) if hole.seat == Seat(0) else reading
        for hole, reading in holes_of(START).items()
    }
    assert way.turns(hidden, 100) == 0
    assert way.turns(holes_of(START, 2), 200) == 2


@pytest.fixture(scope="module")
def draw_bare() -> Draw:
    """Draw pawns on the board without markers, seen from above by a camera turned so far."""
    made: dict[float, Renderer] = {}

    def drawn(placed: Placed, turn_deg: float) -> Any:
        look = shifted(SMALL, turn_deg=turn_deg, markers=False)
        if turn_deg not in made:
            made[turn_deg] = Renderer(BARE, look)
        pawns = [
            DrawnPawn(BARE.hole(hole).x_mm, BARE.hole(hole).y_mm, named_color(BARE.colors[seat]))
            for hole, seat in placed.items()
        ]
        return made[turn_deg].frame(pawns)

    return drawn


@pytest.mark.whole
@pytest.mark.parametrize(
    "placed",
    [pytest.param(START, id="start", marks=pytest.mark.slow), pytest.param(ON_THE_WAY, id="on the way")],
)
def test_a_camera_turned_in_the_middle_of_a_game_reads_every_pawn_where_it_stands(
    draw_bare: Draw, placed: Placed
) -> None:
    reader = BoardReader(BARE)
    reader.read_frame(draw_bare(START, 0.0), 0)
    for t_ms in range(100, FORGOTTEN_AFTER_MS + 500, 400):
        reader.read_frame(draw_bare(placed, 0.0), t_ms)
    for turn_deg, begun_ms in ((180.0, 10_000), (270.0, 20_000)):
        for t_ms in range(begun_ms, begun_ms + 3000, 250):
            reading = reader.read_frame(draw_bare(placed, turn_deg), t_ms)
        assert reading.registered
        assert wrong_holes(reading.holes, placed) == {}


MOVED_OUT = moved(moved(START, "P0-C1", "T5"), "P2-C1", "T41")


def _off_px(reading: Reading, turn_deg: float) -> float:
    """How far the farthest hole is from where it is drawn: pawns that are all in camps look alike after any turn."""
    points = hole_points_mm(BARE)
    assert reading.pose is not None
    true = pose_of(BARE, shifted(SMALL, turn_deg=turn_deg, markers=False)).project(points)
    return float(np.linalg.norm(reading.pose.project(points) - true, axis=1).max())


@pytest.mark.whole
@pytest.mark.parametrize("turn_deg", some([-90.0, -1.0, 45.0, 135.0, 180.0], every=2))
def test_a_board_is_learned_the_way_round_that_its_camps_lie(draw_bare: Draw, turn_deg: float) -> None:
    learned = learn(BARE, [(draw_bare({}, turn_deg), "empty"), (draw_bare(START, turn_deg), "camps")])
    assert isinstance(learned, Calibration)
    assert learned.registration.orientation == "sure"
    for later_deg in (turn_deg, turn_deg + 90.0):
        reading = BoardReader(BARE, learned).read_frame(draw_bare(MOVED_OUT, later_deg))
        assert wrong_holes(reading.holes, MOVED_OUT) == {}
        assert _off_px(reading, later_deg) < 5


@pytest.fixture(scope="module")
def learned_a_zone_off(draw_bare: Draw) -> Calibration:
    """What earlier releases learned of a board of whose way round nothing was known."""
    learned = learn(BARE, [(draw_bare({}, 0.0), "empty"), (draw_bare(START, 0.0), "camps")])
    assert isinstance(learned, Calibration)
    colors = {seat: learned.colors[Seat((seat + 1) % 4)] for seat in BARE.seats}
    return replace(learned, colors=colors, registration=replace(learned.registration, orientation="guessed"))


@pytest.mark.whole
def test_colours_learned_a_zone_off_are_asked_about_and_turn_no_board(
    draw_bare: Draw, learned_a_zone_off: Calibration
) -> None:
    reader, frame = BoardReader(BARE, learned_a_zone_off), draw_bare(START, 0.0)
    for t_ms in (0, 400, 3000):
        reading = reader.read_frame(frame, t_ms)
        assert (reading.registered, reading.reason) == (False, "camera/which_way")
    corners = {Hole.parse(f"T{18 * zone}"): zone for zone in range(4)}
    places = pose_of(BARE, shifted(SMALL, markers=False)).project(
        np.array([(BARE.hole(hole).x_mm, BARE.hole(hole).y_mm) for hole in corners])
    )
    touched = reader.touch(
        frame, {hole: (float(x), float(y)) for hole, (x, y) in zip(corners, places, strict=True)}
    )
    assert isinstance(touched, Registration)
    reading = reader.read_frame(draw_bare(MOVED_OUT, 0.0), 6000)
    assert wrong_holes(reading.holes, MOVED_OUT) == {}


@pytest.mark.whole
def test_a_way_round_once_sure_that_the_pawns_contradict_is_no_longer_sure(draw_bare: Draw) -> None:
    known = learn(BARE, [(draw_bare(START, 0.0), "camps")])
    assert isinstance(known, Calibration)
    again = learn(BARE, [(draw_bare(START, 90.0), "camps")], known.registration)
    assert isinstance(again, Calibration)
    assert again.registration.orientation == "guessed"


def test_paint_tells_how_a_learned_board_was_turned_and_bare_wood_nothing() -> None:
    rng = np.random.default_rng(3)
    wood = rng.normal(0, 0.02, (len(BARE.holes), 4)).astype(np.float32)
    assert turns_by_paint(BARE, wood, np.zeros_like(wood)) is None
    hues = {seat: rng.uniform(-0.6, 0.6, 3) for seat in BARE.seats}
    painted = wood.copy()
    for number, hole in enumerate(BARE.holes):
        if hole.kind is HoleKind.HOME and hole.seat is not None:
            painted[number, :3] += hues[hole.seat]
    for turns in range(4):
        there = [[one.id for one in BARE.holes].index(BARE.turned(hole.id, turns)) for hole in BARE.holes]
        assert turns_by_paint(BARE, painted[there] + 0.3 * wood, painted) == turns


def test_pawns_clearly_at_home_after_another_turn_contradict() -> None:
    way = WayRound(BARE)
    way.turns(holes_of(START, 1), 0)
    assert [way.contradicts(turns) for turns in range(4)] == [True, True, True, False]
    way.turns(holes_of(ON_THE_WAY), 5000)
    assert not any(way.contradicts(turns) for turns in range(4))
