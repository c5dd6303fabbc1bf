"""Finding the pattern of holes anywhere in a frame, without markers or touches.

Many random poses are compared with a map of round things; the best ones are narrowed down, then
fitted. A board looks the same after a turn by one zone, so the orientation is only guessed here.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats, Gray, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import MAX_BEND_RADIUS_SQ, CameraPose, rotation_vector
from tock_vision.registration.markers import find_markers
from tock_vision.registration.pattern import Refined, Straight, refine, roundness
from tock_vision.registration.results import Refusal, Registration, accept_pattern
from tock_vision.registration.search import refine_until_tight, search_around
from tock_vision.registration.symmetry import symmetric_registrations

Lens = tuple[float, float]
NOT_FOUND = Refusal(
    "camera/no_board", "no pattern of holes like this board's is in the picture; show the whole board"
)
MAP_SCALE, MAP_SIDE_PX = 0.5, 650
"""The maps are made of the frame at half its size, of a large one at this many pixels along its longer side."""
RADII_PX = (2.2, 3.2, 4.6, 6.6)
"""Radii of holes, in pixels of the maps, for which one is made."""
TRIED_POSES = 24_000
POSES_AT_ONCE = 2_000
"""Poses that are compared with the maps in one piece, which bounds the memory."""
KEPT_POSES = 40
NARROWINGS = 5
ENOUGH_SCORE = 0.75
OUTSIDE_SCORE = -0.05
TILT_LIMIT_RAD = np.radians(42)
LENSES = ((0.95, 0.0), (0.55, -0.13))
"""Focal length in widths of the frame and radial term to search with; the fit finds the true ones."""
MARKER_MISS_SIDES = 0.5
"""Largest distance between a marker and the place where the pose puts it, in sides of the marker."""


@dataclass(frozen=True)
class Poses:
    """Poses of a board before a camera of one focal length (shape: [n, 6]).

    Columns: middle of the board in the frame (x, y in widths of the frame), log of the distance in board
    widths, turn, and tilt as two components, in radians.
    """

    rows: Floats
    focal: float
    radial: float


@dataclass(frozen=True)
class Maps:
    """Roundness of a frame at each place, for each radius of `RADII_PX` (shape of one: [height, width])."""

    levels: list[Singles]
    scale: float
    """Pixels of the maps per pixel of the frame."""

    def blurred(self, radii: float) -> "Maps":
        """Blur each map by a multiple of its radius."""
        soft = [
            cv2.GaussianBlur(one, (0, 0), radii * radius)
            for one, radius in zip(self.levels, RADII_PX, strict=True)
        ]
        return Maps(soft, self.scale)


def scan(gray: Gray, board: BoardFile) -> Registration | Refusal:
    """Find the board anywhere by its holes; where a lone marker is seen, it tells which way round the board lies."""
    found = find_pattern(gray, board)
    if isinstance(found, Refusal):
        return found
    seen = find_markers(gray, board)
    if seen.ids:
        side_px = float(np.median(_sides_px(seen.points_px)))
        for way in symmetric_registrations(gray, board, found):
            off_px = np.linalg.norm(way.pose.project(seen.points_mm) - seen.points_px, axis=1)
            if float(np.median(off_px)) < MARKER_MISS_SIDES * side_px:
                return replace(way, orientation="sure", markers=len(seen.ids))
    return found


def find_pattern(gray: Gray, board: BoardFile, seed: int = 1) -> Registration | Refusal:
    """Find the board by its holes alone; the orientation is guessed."""
    maps = _maps(gray)
    rng = np.random.default_rng(seed)
    best: Refined | None = None
    for lens in LENSES:
        found = _best_poses(maps, board, (gray.shape[1], gray.shape[0]), lens, rng)
        for pose in found:
            # The scan is only as exact as its map; half a pitch off, `refine` would take the neighbouring holes.
            near, _ = search_around(gray, pose, board, 0.5)
            refined = refine(gray, near, board)
            if refined is not None and (best is None or refined.score > best.score):
                best = refined
        # Most cameras have the first lens, and each lens takes as long as the first.
        if best is not None and best.score > ENOUGH_SCORE:
            break
    return (
        accept_pattern(refine_until_tight(gray, board, best), board) if best is not None else None
    ) or NOT_FOUND


def _sides_px(corners: Floats) -> Floats:
    square = corners.reshape(-1, 4, 2)
    sides: Floats = np.linalg.norm(square - np.roll(square, 1, axis=1), axis=2)
    return sides


def _maps(gray: Gray) -> Maps:
    """Maps of roundness for each radius, minus the local mean."""
    scale = min(MAP_SCALE, MAP_SIDE_PX / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    whole = Straight(small, np.zeros(2), 1.0, np.ones(small.shape, dtype=bool))
    levels = []
    for radius in RADII_PX:
        answer = roundness(whole, (radius,))
        # Texture is round everywhere a little; a hole is rounder than its surroundings.
        answer -= cv2.GaussianBlur(answer, (0, 0), 5 * radius)
        levels.append(answer)
    return Maps(levels, scale)


def _best_poses(
    maps: Maps, board: BoardFile, size_px: tuple[int, int], lens: Lens, rng: np.random.Generator
) -> list[CameraPose]:
    # Turns by a zone look the same: only one zone of them is searched.
    span = 2 * np.pi / board.zones
    rows = np.column_stack(
        [
            rng.normal(0, 0.1, TRIED_POSES),
            rng.normal(0, 0.07, TRIED_POSES),
            np.log(lens[0] / rng.uniform(0.3, 0.8, TRIED_POSES)),
            rng.uniform(0, span, TRIED_POSES),
            *_tilts(rng, TRIED_POSES),
        ]
    )
    sigma = np.array([0.02, 0.02, 0.05, 0.06, 0.08, 0.08])
    # Blurred as widely as the random poses are apart, so that a pose nearby scores too.
    scores = _scores(maps.blurred(2.2), Poses(rows, *lens), board, size_px)
    rows = rows[np.argsort(scores)[::-1][:KEPT_POSES]]
    for number in range(NARROWINGS):
        trial = np.repeat(rows, 60, axis=0)
        trial += rng.normal(size=trial.shape) * sigma * 0.6**number
        # The poses themselves stay in the race: a round never loses a pose.
        trial = np.vstack([rows, trial])
        scores = _scores(maps.blurred(1.6 * 0.7**number), Poses(trial, *lens), board, size_px)
        rows = trial[np.argsort(scores)[::-1][: max(6, KEPT_POSES // (number + 1))]]
    return [_pose(row, lens, size_px, board) for row in rows[:2]]


def _tilts(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    tilt = TILT_LIMIT_RAD * np.sqrt(rng.uniform(0, 1, count))
    way = rng.uniform(0, 2 * np.pi, count)
    return tilt * np.cos(way), tilt * np.sin(way)


def _turns(rows: Floats) -> Floats:
    """Rotation matrices: turned on the table, then tilted (shape: [n, 3, 3])."""
    cos, sin = np.cos(rows[:, 3]), np.sin(rows[:, 3])
    zero, one = np.zeros_like(cos), np.ones_like(cos)
    spin = np.stack([cos, -sin, zero, sin, cos, zero, zero, zero, one], axis=1).reshape(-1, 3, 3)
    angle = np.hypot(rows[:, 4], rows[:, 5])
    safe = np.maximum(angle, 1e-9)
    x, y = rows[:, 4] / safe, rows[:, 5] / safe
    cross = np.stack([zero, zero, y, zero, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    tilt = (
        np.eye(3) + np.sin(angle)[:, None, None] * cross + (1 - np.cos(angle))[:, None, None] * cross @ cross
    )
    turned: Floats = tilt @ spin
    return turned


def _shifts(rows: Floats, focal: float, width_mm: float) -> Floats:
    """The middle of the board in camera coordinates, in mm (shape: [n, 3])."""
    depth = np.exp(rows[:, 2]) * width_mm
    return np.stack([rows[:, 0] / focal * depth, rows[:, 1] / focal * depth, depth], axis=1)


def _scores(maps: Maps, poses: Poses, board: BoardFile, size_px: tuple[int, int]) -> Floats:
    stack = np.stack(maps.levels)
    parts = [
        _scores_of(
            stack, maps.scale, replace(poses, rows=poses.rows[at : at + POSES_AT_ONCE]), board, size_px
        )
        for at in range(0, len(poses.rows), POSES_AT_ONCE)
    ]
    return np.concatenate(parts)


def _scores_of(
    stack: Singles, scale: float, poses: Poses, board: BoardFile, size_px: tuple[int, int]
) -> Floats:
    points = hole_points_mm(board) - np.array(board.size_mm) / 2
    width_mm = max(board.size_mm)
    turned = _turns(poses.rows)[:, :, :2] @ points.T
    placed = turned + _shifts(poses.rows, poses.focal, width_mm)[:, :, None]
    focal_px = poses.focal * size_px[0] * scale
    center = (np.array(size_px) * scale - 1) / 2
    right, down = placed[:, 0] / placed[:, 2] * focal_px, placed[:, 1] / placed[:, 2] * focal_px
    bend = 1 + poses.radial * np.minimum((right**2 + down**2) / (center**2).sum(), MAX_BEND_RADIUS_SQ)
    x = (right * bend + center[0]).round().astype(int)
    y = (down * bend + center[1]).round().astype(int)
    height, width = stack.shape[1:]
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    hole_mm = float(np.median([hole.d_mm for hole in board.holes])) / 2
    radius = hole_mm * focal_px / (np.exp(poses.rows[:, 2]) * width_mm)
    # Each pose reads the map of the radius that its distance gives the holes.
    level = np.abs(np.log(radius[:, None] / np.array(RADII_PX)[None])).argmin(axis=1)
    values = stack[level[:, None], np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    # A hole outside the frame costs a little: else a pose with one hole in the frame could win.
    values = np.where(inside, values, OUTSIDE_SCORE)
    score: Floats = values.mean(axis=1)
    return score


def _pose(row: Floats, lens: Lens, size_px: tuple[int, int], board: BoardFile) -> CameraPose:
    rotation = _turns(row[None])[0]
    shift = (
        _shifts(row[None], lens[0], max(board.size_mm))[0] - rotation @ np.array([*board.size_mm, 0.0]) / 2
    )
    return CameraPose(
        np.concatenate([rotation_vector(rotation), shift, [np.log(lens[0] * size_px[0]), lens[1]]]), size_px
    )
