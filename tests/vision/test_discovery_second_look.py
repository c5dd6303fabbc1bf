"""A second look at a board that was found: holes where they lie, none on cards, none on bare ground."""

import cv2
import numpy as np
import pytest

from tock_companion.boardfile import generate
from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose, project, unproject
from tock_vision.discovery.flat import in_pitches
from tock_vision.discovery.inspection import CELL_PITCHES, CELLS, HALF_PITCHES, Inspected, inspect, leaning
from tock_vision.discovery.second_look import chance_near, likeliest
from tock_vision.rendering.renderer import Appearance, Renderer, pose_of

BOARD = generate(4, 460)
APPEARANCE = Appearance(size_px=(1120, 840), turn_deg=5, tilt_deg=25)
HOLES: Floats = (np.array([(hole.x_mm, hole.y_mm) for hole in BOARD.holes]) - 230.0) / BOARD.pitch_mm
POSE: CameraPose = in_pitches(pose_of(BOARD, APPEARANCE), BOARD.pitch_mm, np.full(2, 230.0))


@pytest.fixture(scope="module")
def frame() -> Frame:
    """An empty board."""
    return Renderer(BOARD, APPEARANCE).frame([])


def seen_at(frame: Frame, places: Floats) -> Inspected:
    return inspect(frame, POSE, places, HOLES[:72])


def test_holes_are_seen_where_they_lie_from_places_beside_them(frame: Frame) -> None:
    beside = np.random.default_rng(3).normal(0, 0.1, HOLES.shape)
    off, chance = likeliest(seen_at(frame, HOLES + beside), 0.12)
    assert np.mean(chance > 0.5) > 0.95
    assert np.mean(np.linalg.norm(off + beside, axis=1) < 0.1) > 0.95


def test_no_hole_is_seen_on_bare_ground_nor_on_a_card(frame: Frame) -> None:
    corners = POSE.project(HOLES[9] + np.array([[-2.2, -2.0], [2.0, -2.2], [2.2, 2.0], [-2.0, 2.2]]))
    cv2.fillPoly(frame := frame.copy(), [corners.round().astype(np.int32)], (232, 236, 238))
    grid = np.stack(np.meshgrid(*[np.arange(-7.5, 8.0, 0.5)] * 2), axis=-1).reshape(-1, 2)
    bare = grid[np.linalg.norm(grid[:, None] - HOLES[None], axis=2).min(axis=1) > 0.9]
    assert np.mean(chance_near(seen_at(frame, bare)) < 0.25) > 0.9
    assert chance_near(seen_at(frame, HOLES[9:10]))[0] < 0.25


def test_a_place_is_turned_so_that_what_stands_there_leans_upwards() -> None:
    places = np.array([[5.0, 5.0], [-6.0, 2.0], [0.0, -7.0]])
    top = unproject(POSE, project(POSE.params, POSE.center_px, POSE.radius_px, places, 0.5))
    turns, leans = leaning(POSE, places)
    for lean, turn, length in zip(top - places, turns, leans, strict=True):
        upwards = np.array([np.sin(turn), -np.cos(turn)])
        assert lean @ upwards == pytest.approx(np.linalg.norm(lean), rel=1e-3)
        assert np.linalg.norm(lean) == pytest.approx(0.5 * length, rel=0.1)


def test_a_hole_drilled_well_is_not_taken_for_a_spot_far_from_its_place() -> None:
    steps = (np.arange(CELLS) + 0.5) * CELL_PITCHES - HALF_PITCHES
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    cells = np.zeros((1, CELLS, CELLS), np.float32)
    cells[0, 10, 14], cells[0, 10, 10] = 0.7, 0.2
    seen = Inspected(cells, np.array([0.05]), np.array([0.05]), offsets)
    near, far = likeliest(seen, 0.06)[0][0], likeliest(seen, 0.2)[0][0]
    assert np.linalg.norm(near) < 0.1
    assert np.linalg.norm(far) > 0.3
