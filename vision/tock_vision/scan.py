"""Finding the hole pattern anywhere in a frame, without markers or touches.

Many poses are drawn by chance and compared with a map of round things; the best ones are narrowed down, then
fitted. A board looks the same after a turn by one zone, so the orientation is only guessed here.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats, Gray, Singles
from tock_vision.pattern import Refined, Straight, hole_points_mm, refine, roundness
from tock_vision.register import Refusal, Registration, accept
from tock_vision.search import retried, search_around
from tock_vision.view import View, rotation_vector

Lens = tuple[float, float]
NOT_FOUND = Refusal(
    "camera/no_board", "no pattern of holes like this board's is in the picture; show the whole board"
)
HALF = 0.5
"""The map is made of the frame at half its size."""
RADII_PX = (2.2, 3.2, 4.6, 6.6)
"""Radii of holes in the halved frame that maps are made for."""
POSES = 24_000
KEPT = 40
NARROWINGS = 5
LEAST_SCORE = 0.5
"""Roundness at the holes' places that must be reached."""
WORST_RMS = 0.052
"""In pitches: a pattern that is one hole off, or another board's, fits worse than this."""
SURE_SCORE = 0.75
NEARBY = 1.0
"""In pitches: how far a bumped board is searched around its last place, as one sigma."""
TILT_LIMIT = np.radians(42)
LENSES = ((0.95, 0.0), (0.55, -0.13))
"""Focal length in widths of the frame and radial term to search with; the fit finds the true ones."""


@dataclass(frozen=True)
class Poses:
    """Poses of a board before a camera of one focal length (shape: [n, 6] each row).

    Columns: middle of the board in the frame (x, y in widths of the frame), log of the distance in board
    widths, turn, and tilt as two components, in radians.
    """

    rows: Floats
    focal: float
    radial: float


def find_pattern(gray: Gray, board: BoardFile, seed: int = 1) -> Registration | Refusal:
    """Find the board by its holes alone; the orientation is guessed."""
    maps = _maps(gray)
    rng = np.random.default_rng(seed)
    best: Refined | None = None
    for lens in LENSES:
        found = _best_views(maps, board, (gray.shape[1], gray.shape[0]), lens, rng)
        for view in found:
            near, _ = search_around(gray, view, board, 0.5)
            refined = refine(gray, near, board)
            if refined is not None and (best is None or refined.score > best.score):
                best = refined
        if best is not None and best.score > SURE_SCORE:
            break
    return (accept_pattern(retried(gray, board, best), board) if best is not None else None) or NOT_FOUND


def accept_pattern(refined: Refined, board: BoardFile) -> Registration | None:
    """Return a registration when a pattern fits so well that it cannot be another one."""
    found = accept(refined, board, "pattern", "guessed", LEAST_SCORE)
    pitch_px = board.pitch_mm * float(np.median(refined.view.scale(hole_points_mm(board))))
    return found if found is not None and found.rms_px < WORST_RMS * pitch_px else None


def find_nearby(gray: Gray, known: Registration, board: BoardFile) -> Registration | None:
    """Find a board within about a pitch of where it was, in the same orientation; a fifth of a second."""
    near, _ = search_around(gray, known.view, board, NEARBY)
    refined = refine(gray, near, board)
    found = accept_pattern(refined, board) if refined is not None else None
    return replace(found, method="stored", orientation=known.orientation) if found is not None else None


def _maps(gray: Gray) -> list[Singles]:
    """Return maps of roundness for each radius, less what is usual around."""
    half = cv2.resize(gray, None, fx=HALF, fy=HALF, interpolation=cv2.INTER_AREA).astype(np.float32)
    whole = Straight(half, np.zeros(2), 1.0, np.ones(half.shape, dtype=bool))
    maps = []
    for radius in RADII_PX:
        answer = roundness(whole, (radius,))
        answer -= cv2.GaussianBlur(answer, (0, 0), 5 * radius)
        maps.append(answer)
    return maps


def _best_views(
    maps: list[Singles], board: BoardFile, size_px: tuple[int, int], lens: Lens, rng: np.random.Generator
) -> list[View]:
    span = 2 * np.pi / board.zones
    rows = np.column_stack(
        [
            rng.normal(0, 0.1, POSES),
            rng.normal(0, 0.07, POSES),
            np.log(lens[0] / rng.uniform(0.3, 0.8, POSES)),
            rng.uniform(0, span, POSES),
            *_tilts(rng, POSES),
        ]
    )
    sigma = np.array([0.02, 0.02, 0.05, 0.06, 0.08, 0.08])
    blurred = [
        cv2.GaussianBlur(one, (0, 0), 2.2 * radius) for one, radius in zip(maps, RADII_PX, strict=True)
    ]
    scores = _scores(blurred, Poses(rows, *lens), board, size_px)
    rows = rows[np.argsort(scores)[::-1][:KEPT]]
    for number in range(NARROWINGS):
        blur = 1.6 * 0.7**number
        blurred = [cv2.GaussianBlur(one, (0, 0), blur * r) for one, r in zip(maps, RADII_PX, strict=True)]
        trial = np.repeat(rows, 60, axis=0)
        trial += rng.normal(size=trial.shape) * sigma * 0.6**number
        trial = np.vstack([rows, trial])
        scores = _scores(blurred, Poses(trial, *lens), board, size_px)
        rows = trial[np.argsort(scores)[::-1][: max(6, KEPT // (number + 1))]]
    return [_view(row, lens, size_px, board) for row in rows[:2]]


def _tilts(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    tilt = TILT_LIMIT * np.sqrt(rng.uniform(0, 1, count))
    way = rng.uniform(0, 2 * np.pi, count)
    return tilt * np.cos(way), tilt * np.sin(way)


def _turns(rows: Floats) -> Floats:
    """Return rotation matrices: turned on the table, then tilted (shape: [n, 3, 3])."""
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
    """Return where the middle of the board is before the camera, in mm (shape: [n, 3])."""
    depth = np.exp(rows[:, 2]) * width_mm
    return np.stack([rows[:, 0] / focal * depth, rows[:, 1] / focal * depth, depth], axis=1)


def _scores(maps: list[Singles], poses: Poses, board: BoardFile, size_px: tuple[int, int]) -> Floats:
    points = hole_points_mm(board) - np.array(board.size_mm) / 2
    width_mm = max(board.size_mm)
    turned = _turns(poses.rows)[:, :, :2] @ points.T
    placed = turned + _shifts(poses.rows, poses.focal, width_mm)[:, :, None]
    focal_px = poses.focal * size_px[0] * HALF
    center = (np.array(size_px) * HALF - 1) / 2
    right, down = placed[:, 0] / placed[:, 2] * focal_px, placed[:, 1] / placed[:, 2] * focal_px
    bend = 1 + poses.radial * np.minimum((right**2 + down**2) / (center**2).sum(), 2.25)
    x = (right * bend + center[0]).round().astype(int)
    y = (down * bend + center[1]).round().astype(int)
    height, width = maps[0].shape
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    hole_mm = float(np.median([hole.d_mm for hole in board.holes])) / 2
    radius = hole_mm * focal_px / (np.exp(poses.rows[:, 2]) * width_mm)
    level = np.abs(np.log(radius[:, None] / np.array(RADII_PX)[None])).argmin(axis=1)
    stack = np.stack(maps)
    values = stack[level[:, None], np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    values = np.where(inside, values, -0.05)
    score: Floats = values.mean(axis=1)
    return score


def _view(row: Floats, lens: Lens, size_px: tuple[int, int], board: BoardFile) -> View:
    rotation = _turns(row[None])[0]
    shift = (
        _shifts(row[None], lens[0], max(board.size_mm))[0] - rotation @ np.array([*board.size_mm, 0.0]) / 2
    )
    return View(
        np.concatenate([rotation_vector(rotation), shift, [np.log(lens[0] * size_px[0]), lens[1]]]), size_px
    )
