"""The symmetry of a board: turned by one zone it shows the same pattern of holes."""

from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Gray
from tock_vision.camera_pose import CameraPose, rotation_matrix, rotation_vector
from tock_vision.registration.pattern import refine
from tock_vision.registration.results import LOOSE_COVARIANCE, Registration, accept_pattern


def turned_by_zones(pose: CameraPose, board: BoardFile, zones: int) -> CameraPose:
    """Turn the board under the camera by some zones; the pattern of holes stays the same."""
    angle = 2 * np.pi * zones / board.zones
    spin = rotation_matrix(np.array([0.0, 0.0, angle]))
    rotation = rotation_matrix(pose.params[:3])
    middle = np.array([*board.size_mm, 0.0]) / 2
    params = pose.params.copy()
    params[:3] = rotation_vector(rotation @ spin)
    params[3:6] = pose.params[3:6] + rotation @ (middle - spin @ middle)
    return CameraPose(params, pose.size_px)


def symmetric_registrations(gray: Gray, board: BoardFile, found: Registration) -> list[Registration]:
    """Refit a registration for every turn by a zone; turns that do not fit are left out."""
    ways = (turned_registration(gray, board, found, zones) for zones in range(board.zones))
    return [way for way in ways if way is not None]


def turned_registration(gray: Gray, board: BoardFile, found: Registration, zones: int) -> Registration | None:
    """Refit a registration after a turn by some zones; None where the holes do not fit."""
    pose = replace(turned_by_zones(found.pose, board, zones), covariance=LOOSE_COVARIANCE)
    refined = refine(gray, pose, board, rounds=3)
    return None if refined is None else accept_pattern(refined, board)
