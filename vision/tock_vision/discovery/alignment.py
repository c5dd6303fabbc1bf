"""Aligns a photograph with a board that another photograph showed, by the places of its holes alone.

Constants set in `4d258a53`.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, fit, unproject
from tock_vision.discovery.orbits import HOLES_IN_ZONE, HOLES_UNLIKE
from tock_vision.discovery.photo import TRIED_IN_PASS, Pass, Sighting, spots_of
from tock_vision.discovery.straightened import in_pitches, turned
from tock_vision.discovery.symmetry import SPOT_SIGMA_PITCHES, images

TURNS = 60
"""Turns tried within a zone, evenly spaced."""
SCALES = (0.94, 1.0, 1.06)
NEAR_PITCHES = 0.35
TOLERANCES_PITCHES = (0.6, 0.4, 0.3)
"""Largest distance of a hole from its spot in each round of fitting the pose."""


def align(passes: Iterable[Pass], board: Sighting) -> CameraPose | None:
    """Find the pose on the plane of a board, up to a turn by some zones; None if another board is seen, or none."""
    places = _zone(board)
    for pass_ in passes:
        for pose in _poses(pass_, places, board.zones):
            if _holes_seen(pass_, pose, places, board.zones) >= board.layout.form.holes - HOLES_UNLIKE:
                return pose
    return None


def _holes_seen(pass_: Pass, pose: CameraPose, zone: Floats, zones: int) -> int:
    """Number of holes of a zone that lie near spots in at least half of the zones."""
    spots = unproject(pose, pass_.pose.project(pass_.spots))
    gap = _nearest(spots, images(zone, np.zeros(2), zones).reshape(-1, 2))[1].reshape(zones, -1)
    return int(((gap < NEAR_PITCHES).sum(axis=0) >= zones / 2).sum())


def _zone(board: Sighting) -> Floats:
    """The places of the holes of the first zone (shape: [26, 2])."""
    spots = spots_of(board.orbits)
    zone = np.array([spots.place(node) for node in board.layout.nodes()])
    return np.column_stack([zone.real, zone.imag])


def _poses(pass_: Pass, zone: Floats, zones: int) -> Iterator[CameraPose]:
    spots_px = pass_.pose.project(pass_.spots)
    board = images(zone, np.zeros(2), zones).reshape(-1, 2)
    for hypothesis in [one for one in pass_.hypotheses if one.zones == zones][:TRIED_IN_PASS]:
        pose = _turned_onto(hypothesis.pose, spots_px, board, zones)
        for tolerance in TOLERANCES_PITCHES:
            nearest, gap = _nearest(unproject(pose, spots_px), board)
            near = gap < tolerance
            if near.sum() < HOLES_IN_ZONE:
                break
            sigma = SPOT_SIGMA_PITCHES * pose.scale(board[near])
            pose = fit(pose, board[near], spots_px[nearest[near]], sigma)
        else:
            yield pose


def _turned_onto(pose: CameraPose, spots_px: Floats, board: Floats, zones: int) -> CameraPose:
    """Turn and scale the pose so that most holes of the board lie near spots."""
    best = (-1, pose)
    spots = unproject(pose, spots_px)
    for scale in SCALES:
        for turn in 2 * np.pi * np.arange(TURNS) / TURNS / zones:
            cos, sin = scale * np.cos(turn), scale * np.sin(turn)
            moved = board @ np.array([[cos, sin], [-sin, cos]])
            near = int((_nearest(spots, moved)[1] < NEAR_PITCHES).sum())
            if near > best[0]:
                best = (near, turned(in_pitches(pose, scale, np.zeros(2)), -turn))
    return best[1]


def _nearest(spots: Floats, places: Floats) -> tuple[Floats, Floats]:
    """For each place the number of the nearest spot and how far it is."""
    flat = np.nan_to_num(spots[:, 0] + 1j * spots[:, 1], nan=1e3)
    gap = np.abs((places[:, 0] + 1j * places[:, 1])[:, None] - flat[None])
    nearest = gap.argmin(axis=1)
    return nearest, gap[np.arange(len(places)), nearest]
