"""Finding the board, keeping hold of it, and refusing when unsure."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, shifted
from tock_companion.boardfile import BoardFile, HoleKind
from tock_companion.errors import BadInputError
from tock_rules import Hole
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import fit
from tock_vision.registration.hole_fit import fit_to_holes
from tock_vision.registration.pattern import Refined
from tock_vision.registration.registrar import Registrar, SearchPlan
from tock_vision.registration.results import Refusal, Registration
from tock_vision.registration.search import refine_until_tight
from tock_vision.registration.touches import register_by_touches
from tock_vision.rendering.appearance import Appearance, pose_of

pytestmark = pytest.mark.whole

MARKERS_ONLY = SearchPlan(pattern=False)


def gray(frame: Any) -> Any:
    return cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)


def miss_pitches(board: BoardFile, found: Registration | Refusal, appearance: Appearance) -> float:
    """Distance of the holes from their true places, rms in pitches."""
    assert isinstance(found, Registration), found
    points = hole_points_mm(board)
    true = pose_of(board, appearance)
    off = np.linalg.norm(found.pose.project(points) - true.project(points), axis=1)
    pitch_px = board.pitch_mm * float(np.median(true.scale(points)))
    return float(np.sqrt((off**2).mean())) / pitch_px


@pytest.mark.parametrize(
    "appearance",
    [SMALL, shifted(SMALL, tilt_deg=35.0, turn_deg=130.0), shifted(SMALL, focal=0.5, radial=-0.15)],
    ids=["usual", "tilted and turned", "wide lens"],
)
def test_markers_and_holes_give_the_place_of_every_hole(
    board: BoardFile, draw: Callable[..., Any], appearance: Appearance
) -> None:
    found = Registrar(board, plan=MARKERS_ONLY).locate(gray(draw(START, appearance)))
    assert miss_pitches(board, found, appearance) < 0.1


def test_two_markers_suffice(board: BoardFile, draw: Callable[..., Any]) -> None:
    frame = draw(START)
    pose = pose_of(board, SMALL)
    for marker in board.markers[:2]:
        x, y = pose.project(np.array([[marker.x_mm, marker.y_mm]]))[0].astype(int)
        cv2.circle(frame, (int(x), int(y)), 45, (70, 60, 50), -1)
    found = Registrar(board, plan=MARKERS_ONLY).locate(gray(frame))
    assert miss_pitches(board, found, SMALL) < 0.1


def test_an_arm_over_markers_does_not_lose_the_board(board: BoardFile, draw: Callable[..., Any]) -> None:
    registrar = Registrar(board, plan=MARKERS_ONLY)
    first = registrar.locate(gray(draw(START)))
    with_arm = registrar.locate(gray(draw(START, hand_mm=(120.0, 150.0))))
    assert with_arm == first


def test_a_moved_board_is_found_at_its_new_place(board: BoardFile, draw: Callable[..., Any]) -> None:
    registrar = Registrar(board, plan=MARKERS_ONLY)
    registrar.locate(gray(draw(START)))
    for turn_deg in (1.0, 14.0):
        appearance = shifted(SMALL, turn_deg=turn_deg)
        assert miss_pitches(board, registrar.locate(gray(draw(START, appearance))), appearance) < 0.12


def test_a_picture_without_the_board_is_refused(board: BoardFile) -> None:
    rng = np.random.default_rng(4)
    noise = cv2.resize(rng.integers(0, 255, (45, 60), dtype=np.uint8), (960, 720))
    found = Registrar(board, plan=MARKERS_ONLY).locate(noise)
    assert isinstance(found, Refusal)
    assert found.code == "camera/no_board"


def test_markers_of_a_board_with_other_holes_are_refused(board: BoardFile, draw: Callable[..., Any]) -> None:
    # The holes of this file are all a third of a pitch off, a pattern that is not in the picture.
    points = [
        replace(
            hole, x_mm=hole.x_mm + 7.0 * (-1) ** hole.index, y_mm=hole.y_mm + 6.0 * (-1) ** (hole.index // 2)
        )
        for hole in board.holes
    ]
    other = replace(board, holes=tuple(points))
    found = Registrar(other, plan=MARKERS_ONLY).locate(gray(draw(START)))
    assert isinstance(found, Refusal)
    assert found.code == "camera/other_board"


@pytest.mark.parametrize("kind", [HoleKind.CAMP, HoleKind.HOME])
def test_a_board_file_whose_track_fits_and_whose_camps_or_homes_do_not_is_refused(
    board: BoardFile, draw: Callable[..., Any], kind: HoleKind
) -> None:
    middle = np.array(board.size_mm) / 2
    points = []
    for hole in board.holes:
        out = np.array([hole.x_mm, hole.y_mm]) - middle
        away = 1.5 * board.pitch_mm * out / np.linalg.norm(out) if hole.kind is kind else np.zeros(2)
        points.append(replace(hole, x_mm=hole.x_mm + float(away[0]), y_mm=hole.y_mm + float(away[1])))
    other = replace(board, holes=tuple(points))
    found = Registrar(other, plan=MARKERS_ONLY).locate(gray(draw(START)))
    assert isinstance(found, Refusal)
    assert found.code == "camera/other_board"


def test_a_hand_over_one_camp_does_not_make_it_another_board(
    board: BoardFile, draw: Callable[..., Any]
) -> None:
    camp = [hole for hole in board.holes if hole.kind is HoleKind.CAMP and hole.seat == board.seats[0]]
    middle = float(np.mean([hole.x_mm for hole in camp])), float(np.mean([hole.y_mm for hole in camp]))
    assert (
        miss_pitches(
            board, Registrar(board, plan=MARKERS_ONLY).locate(gray(draw(START, hand_mm=middle))), SMALL
        )
        < 0.1
    )


def test_four_rough_touches_find_a_board_without_markers(board: BoardFile, draw: Callable[..., Any]) -> None:
    appearance = shifted(SMALL, markers=False, tilt_deg=20.0)
    frame = gray(draw(START, appearance))
    assert isinstance(Registrar(board, plan=MARKERS_ONLY).locate(frame), Refusal)
    pose = pose_of(board, appearance)
    rng = np.random.default_rng(2)
    touches = {}
    for name in map(Hole.track, (0, 18, 36, 54)):
        hole = board.hole(name)
        place = pose.project(np.array([[hole.x_mm, hole.y_mm]]))[0] + rng.uniform(-9, 9, 2)
        touches[name] = (float(place[0]), float(place[1]))
    found = register_by_touches(frame, board, touches)
    assert miss_pitches(board, found, appearance) < 0.1


def test_a_fit_on_wrong_neighbours_in_a_corner_is_found_out_and_tried_again(
    board: BoardFile, draw: Callable[..., Any]
) -> None:
    true, points = pose_of(board, SMALL), hole_points_mm(board)
    pitch_px = board.pitch_mm * float(np.median(true.scale(points)))
    corner = np.prod(points / np.array(board.size_mm), axis=1)[:, None]
    pose = fit(true, points, true.project(points) + 0.9 * pitch_px * corner * [1.0, -1.0], 1.0)
    first = Refined(pose, rms_px=0.06 * pitch_px, matched=0.5, score=0.45)
    better = refine_until_tight(gray(draw(START)), board, first)
    off = np.linalg.norm(better.pose.project(points) - true.project(points), axis=1)
    assert np.linalg.norm(pose.project(points) - true.project(points), axis=1).max() > 0.4 * pitch_px
    assert off.max() < 0.12 * pitch_px


def test_a_pose_beside_the_holes_is_put_right_by_the_network_and_kept_where_no_holes_are(
    board: BoardFile, draw: Callable[..., Any]
) -> None:
    true, points = pose_of(board, SMALL), hole_points_mm(board)
    pitch_px = board.pitch_mm * float(np.median(true.scale(points)))
    beside = fit(true, points, true.project(points) + 0.3 * pitch_px * np.array([0.8, -0.6]), 1.0)
    frame = gray(draw(START))
    off = np.linalg.norm(fit_to_holes(frame, beside, board).project(points) - true.project(points), axis=1)
    assert off.max() < 0.1 * pitch_px
    assert fit_to_holes(np.full_like(frame, 90), beside, board) is beside


@pytest.mark.parametrize(
    "touches",
    [
        {"T0": (1.0, 2.0)},
        {"T0": (1.0, 2.0), "T18": (1.0, 2.0), "T36": (1.0, 2.0), "T99": (1.0, 2.0)},
        {"T0": (1.0, 2.0), "T1": (1.0, 2.0), "T2": (1.0, 2.0), "T3": (1.0, 2.0)},
    ],
    ids=["too few", "unknown hole", "all in a row"],
)
def test_touches_that_cannot_do_are_refused(
    board: BoardFile, touches: dict[str, tuple[float, float]]
) -> None:
    with pytest.raises(BadInputError):
        register_by_touches(
            np.zeros((480, 640), np.uint8), board, {Hole.parse(hole): at for hole, at in touches.items()}
        )
