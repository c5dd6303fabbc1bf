"""The geometry of a camera above a board, and the lens from straight lines."""

import cv2
import numpy as np
import pytest

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Frame
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import fit, from_points
from tock_vision.discovery.straight_lines import radial_term
from tock_vision.rendering.appearance import Appearance, pose_of


@pytest.mark.parametrize(
    "appearance", [Appearance(), Appearance(tilt_deg=35, turn_deg=70), Appearance(focal=0.5, radial=-0.16)]
)
def test_a_view_is_found_again_from_the_places_of_the_holes(board: BoardFile, appearance: Appearance) -> None:
    points = hole_points_mm(board)
    true = pose_of(board, appearance)
    seen = true.project(points)
    best = np.inf
    for focal, radial in ((1.0, 0.0), (0.55, -0.12)):
        for start in from_points(points, seen, appearance.size_px, focal * appearance.size_px[0], radial):
            pose = fit(start, points, seen, 1.0, rounds=30)
            best = min(best, float(np.abs(pose.project(points) - seen).max()))
    assert best < 0.5


def test_tall_pawns_appear_further_from_the_foot_of_the_camera(board: BoardFile) -> None:
    pose = pose_of(board, Appearance(tilt_deg=0))
    points = np.array([[200.0, 200.0], [380.0, 200.0], [200.0, 20.0]])
    up = pose.up(points, 10.0)
    assert np.abs(up[0]).max() < 0.05
    assert up[1, 0] > 0.1
    assert up[2, 1] < -0.1


def test_one_wild_point_does_not_spoil_a_fit(board: BoardFile) -> None:
    points = hole_points_mm(board)
    true = pose_of(board, Appearance(tilt_deg=20))
    seen = true.project(points)
    seen[5] += 80.0
    start = from_points(points, true.project(points), true.size_px, float(true.size_px[0]))[0]
    pose = fit(start, points, seen, 1.0)
    assert np.delete(np.abs(pose.project(points) - true.project(points)).max(axis=1), 5).max() < 1.0


def test_few_points_leave_an_uncertainty_that_grows_away_from_them(board: BoardFile) -> None:
    true = pose_of(board, Appearance())
    near = np.array([[40.0, 40.0], [70.0, 40.0], [70.0, 70.0], [40.0, 70.0]])
    pose = fit(true, near, true.project(near), 1.0)
    close, far = pose.spread(np.array([[55.0, 55.0], [360.0, 360.0]]))
    assert far > 5 * close


SIZE_PX = (960, 720)


def photo(radial: float) -> Frame:
    """A pale board on a dark table, turned a little, through a lens."""
    x, y = np.meshgrid(np.arange(SIZE_PX[0]), np.arange(SIZE_PX[1]))
    bent = np.stack([x, y], axis=-1) - (np.array(SIZE_PX) - 1) / 2
    radius = np.hypot(*SIZE_PX) / 2
    straight = bent
    for _ in range(8):
        straight = bent / (1 + radial * (straight**2).sum(axis=-1, keepdims=True) / radius**2)
    turned = straight @ np.array([[0.97, -0.24], [0.24, 0.97]])
    board = (np.abs(turned) < (330, 290)).all(axis=-1)
    rings = np.abs(np.hypot(turned[..., 0] - 150, turned[..., 1] + 60) - 110) < 4
    gray = np.where(board & ~rings, 190.0, 70.0) + np.random.default_rng(1).normal(0, 3, board.shape)
    return np.repeat(np.clip(gray, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@pytest.mark.parametrize("radial", [-0.15, 0.0, 0.02])
def test_the_edges_of_a_board_tell_the_lens(radial: float) -> None:
    assert radial_term(photo(radial)) == pytest.approx(radial, abs=0.012)


def test_a_large_photo_is_looked_at_smaller() -> None:
    large = cv2.resize(photo(-0.15), (1920, 1440))
    assert radial_term(large) == pytest.approx(-0.15, abs=0.012)


def test_nothing_straight_shows_no_lens() -> None:
    noise = np.random.default_rng(2).normal(128, 20, (*SIZE_PX[::-1], 3))
    assert radial_term(np.clip(noise, 0, 255).astype(np.uint8)) is None
    wave = np.hypot(*np.meshgrid(np.arange(960) - 480.0, np.arange(720) - 360.0))
    rings = (128 + 60 * np.sign(np.sin(wave / 20))).astype(np.uint8)
    assert radial_term(np.repeat(rings[..., None], 3, axis=2)) is None
