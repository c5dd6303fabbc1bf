"""The holes as a pattern: where round things are on the board as seen, and fitting a camera pose to them.

A hole, painted ring or pawn is round: brightness changes along its radius, all around. That holds for dark
holes in light wood and for white rings on dark paint, in sun and in shadow.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_vision.arrays import Bools, Floats, Gray, Ints, Singles, on_grid, sample
from tock_vision.board_points import bare_points_mm, hole_points_mm, spacing_mm
from tock_vision.camera_pose import CameraPose, fit

PITCH_PX = 15
"""Pixels from one hole to the next in the straightened picture."""
MARGIN_PITCHES = 0.8
"""The straightened picture shows this much around the board."""
MAX_GATE_PITCHES = 0.33
"""A hole is searched for this far from its expected place, less far where the pose is better known."""
MIN_ROUNDNESS = 0.16
FIT_ROUNDS = 6
HOLE_SIGMA_PITCHES = 0.08
"""Precision with which the centre of a hole is seen: shadows and pawns shift it."""
PLACE_STEP_PX = 1 / 32
"""Step to which places to sample are rounded (`on_grid`); OpenCV interpolates no finer."""
LEVELS = 256
"""Steps of a grey level while a picture is smoothed: whole numbers add up the same in any order."""
SLOPE_STEP, KERNEL_STEP = 2.0**-14, 2.0**-16
"""Steps to which slopes of brightness and kernels are rounded: their products add up without loss in a double."""
MAX_STRAIGHT_PX = 1000
"""A side of the straightened board: sixty pitches with their margin."""
GROUPS = (HoleKind.CAMP, HoleKind.HOME)


class View(Protocol):
    """Anything that tells where points of the board are in a frame."""

    def project(self, points_mm: Floats, /) -> Floats:
        """Project points of the board into the frame (shape: [n, 2] to [n, 2])."""


@dataclass(frozen=True)
class Straight:
    """The board straightened by a rough pose: `px = (mm - origin) * scale`."""

    gray: Singles
    origin_mm: Floats
    scale: float
    """Pixels per mm."""
    inside: Bools
    """Mask of the pixels that lie in the camera's frame."""

    def to_px(self, points_mm: Floats) -> Floats:
        """Convert points on the board to the straightened picture."""
        return (points_mm - self.origin_mm) * self.scale

    def to_mm(self, points_px: Floats) -> Floats:
        """Convert pixels of the straightened picture to points on the board."""
        return points_px / self.scale + self.origin_mm


@dataclass(frozen=True)
class Refined:
    """A pose fitted to the hole pattern, and how well it fits."""

    pose: CameraPose
    rms_px: float
    """Of the holes matched, in pixels of the frame."""
    matched: float
    """Share of the holes in the frame with something round close to their place."""
    score: float
    """Mean roundness at the places of the holes in the frame, 0 to about 1."""
    beside: float = 0.0
    """Mean roundness where rows of holes would continue if the board did not end: a dotted cloth is round there too."""
    weakest: float = 1.0
    """Roundness of the camps or the homes, whichever is lower, relative to the track (`weakest_group`)."""


@dataclass(frozen=True)
class Anchors:
    """Points known from elsewhere (markers, touches) that constrain a fit."""

    points_mm: Floats
    points_px: Floats
    sigma_px: Floats


def _px_per_mm(board: BoardFile) -> float:
    return min(PITCH_PX / board.pitch_mm, MAX_STRAIGHT_PX / max(board.size_mm))


def straighten(gray: Gray, pose: View, board: BoardFile) -> Straight:
    """Resample the frame as if seen from straight above."""
    scale = _px_per_mm(board)
    origin = np.array([-MARGIN_PITCHES, -MARGIN_PITCHES]) * board.pitch_mm
    width, height = (round((side + 2 * MARGIN_PITCHES * board.pitch_mm) * scale) for side in board.size_mm)
    # The pose is smooth: project a coarse grid and let the resampling fill in.
    step = 8
    xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    grid_mm = np.stack([xs, ys], axis=-1).reshape(-1, 2) / scale + origin
    coarse = on_grid(pose.project(grid_mm), PLACE_STEP_PX).astype(np.float32).reshape(*xs.shape, 2)
    matrix = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float32)
    fine = cv2.warpAffine(coarse, matrix, (width, height), flags=cv2.INTER_LINEAR)
    out = sample(gray, on_grid(fine, PLACE_STEP_PX))
    inside = (
        (fine[..., 0] >= 0)
        & (fine[..., 1] >= 0)
        & (fine[..., 0] < gray.shape[1])
        & (fine[..., 1] < gray.shape[0])
    )
    return Straight(out.astype(np.float32), origin, scale, inside)


@lru_cache(maxsize=64)
def _ring(radius_px: float) -> tuple[Singles, Singles]:
    """Kernels that sum how far the gradient points along the radius of a ring."""
    half = int(np.ceil(radius_px * 1.6))
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(float)
    r = np.hypot(x, y)
    weight = np.exp(-0.5 * ((r - radius_px) / (0.28 * radius_px)) ** 2) * (r > 0)
    weight /= weight.sum()
    r[r == 0] = 1
    # cv2.filter2D correlates, so the kernel is the outward direction itself.
    return on_grid(weight * x / r, KERNEL_STEP), on_grid(weight * y / r, KERNEL_STEP)


def roundness(straight: Straight, radii_px: tuple[float, ...]) -> Singles:
    """Measure at every pixel how round the picture is around it, from 0 to about 1."""
    smooth = cv2.GaussianBlur((straight.gray * LEVELS).astype(np.uint16), (0, 0), 0.9)
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3)
    size = np.sqrt(dx * dx + dy * dy)
    # Faint and strong edges count nearly the same, so that shadows and lamps do not decide.
    norm = size + max(4.0 * LEVELS, float(np.median(size)))
    dx, dy = on_grid(dx / norm, SLOPE_STEP), on_grid(dy / norm, SLOPE_STEP)
    best = np.zeros_like(dx)
    for radius in radii_px:
        along_x, along_y = _ring(round(radius, 2))
        answer = cv2.filter2D(dx, cv2.CV_64F, along_x) + cv2.filter2D(dy, cv2.CV_64F, along_y)
        best = np.maximum(best, np.abs(on_grid(answer, SLOPE_STEP * KERNEL_STEP)).astype(np.float32))
    return best


def hole_radii_px(board: BoardFile) -> tuple[float, ...]:
    """The ring radii to search for, in pixels of the straightened picture."""
    scale = _px_per_mm(board)
    hole = float(np.median([hole.d_mm for hole in board.holes])) / 2 * scale
    return tuple(sorted({round(max(2.0, hole * factor), 1) for factor in (0.9, 1.4)}))


def refine(
    gray: Gray, start: CameraPose, board: BoardFile, anchors: Anchors | None = None, rounds: int = FIT_ROUNDS
) -> Refined | None:
    """Fit the pose to the holes, starting with those whose place is known best; None when nothing fits.

    `start` needs a covariance: it tells how far from the holes' places they are looked for.
    """
    points = hole_points_mm(board)
    gaps = spacing_mm(board)
    pose = start
    for number in range(rounds):
        straight = straighten(gray, pose, board)
        answer = roundness(straight, hole_radii_px(board))
        answer[~straight.inside] = 0
        spread_mm = pose.spread(points) / pose.scale(points)
        usable = spread_mm < 0.22 * gaps
        if usable.sum() < 6:
            # No hole is known well enough: start with the seven known best.
            usable = spread_mm <= np.partition(spread_mm, 6)[6]
        gate = np.clip(2.5 * spread_mm, 0.12 * gaps, MAX_GATE_PITCHES * gaps) * straight.scale
        found, places_px = match(answer, straight.to_px(points), gate)
        found &= usable
        if found.sum() < 6:
            return None
        seen_px = pose.project(straight.to_mm(places_px[found]))
        sigma = np.maximum(HOLE_SIGMA_PITCHES * gaps[found] * pose.scale(points[found]), 0.5)
        before = pose
        if anchors is None:
            pose = fit(pose, points[found], seen_px, sigma, prior=start)
        else:
            pose = fit(
                pose,
                np.vstack([points[found], anchors.points_mm]),
                np.vstack([seen_px, anchors.points_px]),
                np.concatenate([sigma, anchors.sigma_px]),
                prior=start,
            )
        moved = np.abs(pose.project(points) - before.project(points)).max()
        if number >= 1 and usable.all() and moved < 0.4:
            break
    return _judge(pose, board, answer, straight, points[found], seen_px)


def match(answer: Singles, places_px: Floats, gate_px: Floats) -> tuple[Bools, Floats]:
    """Find the best round spot within the gate of each place: whether there is one, and where (shape: [n, 2])."""
    reach = int(np.ceil(gate_px.max()))
    steps = np.arange(-reach, reach + 1)
    middle = places_px.round().astype(int)
    ys = np.clip(middle[:, 1, None, None] + steps[None, :, None], 1, answer.shape[0] - 2)
    xs = np.clip(middle[:, 0, None, None] + steps[None, None, :], 1, answer.shape[1] - 2)
    away = np.hypot(xs - places_px[:, 0, None, None], ys - places_px[:, 1, None, None])
    # Of two round things the nearer one wins, unless the other is much rounder.
    value = answer[ys, xs] - 0.6 * away / PITCH_PX
    value[away > gate_px[:, None, None]] = -np.inf
    flat = value.reshape(len(value), -1)
    best = flat.argmax(axis=1)
    row, column = np.unravel_index(best, value.shape[1:])
    number = np.arange(len(value))
    x, y = xs[number, 0, column], ys[number, row, 0]
    height = answer[y, x].astype(float)
    around = np.stack([answer[y, x - 1], answer[y, x + 1], answer[y - 1, x], answer[y + 1, x]]).astype(float)
    found = (height > MIN_ROUNDNESS) & (height >= around.max(axis=0)) & np.isfinite(flat[number, best])
    return found, np.stack([x + _summit(around[:2], height), y + _summit(around[2:], height)], axis=1)


def _summit(sides: Floats, middle: Floats) -> Floats:
    """Locate the vertex of a parabola through three neighbours, from -0.5 to 0.5."""
    bend = np.minimum(sides[0] + sides[1] - 2 * middle, -1e-6)
    top: Floats = np.clip(0.5 * (sides[0] - sides[1]) / bend, -0.5, 0.5)
    return top


def _judge(
    pose: CameraPose, board: BoardFile, answer: Singles, straight: Straight, found_mm: Floats, seen_px: Floats
) -> Refined:
    points = hole_points_mm(board)
    off = np.linalg.norm(pose.project(found_mm) - seen_px, axis=1)
    near = off < np.quantile(off, 0.8) + 1e-9
    rms_px = float(np.sqrt((off[near] ** 2).mean()))
    # Around every hole's place, the roundest point within a sixth of the pitch.
    reach = max(1, round(0.14 * PITCH_PX))
    best = cv2.dilate(answer, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)))
    px = straight.to_px(points).round().astype(int)
    px = np.clip(px, 0, [answer.shape[1] - 1, answer.shape[0] - 1])
    inside = straight.inside[px[:, 1], px[:, 0]]
    if inside.sum() < 0.3 * len(points):
        return Refined(pose, rms_px, 0.0, 0.0)
    values = best[px[:, 1], px[:, 0]]
    bare = straight.to_px(bare_points_mm(board)).round().astype(int)
    bare = np.clip(bare, 0, [answer.shape[1] - 1, answer.shape[0] - 1])
    bare = bare[straight.inside[bare[:, 1], bare[:, 0]]]
    beside = float(best[bare[:, 1], bare[:, 0]].mean()) if len(bare) else 0.0
    matched = min(1.0, len(found_mm) / float(inside.sum()))
    weakest = weakest_group(values, inside, board)
    return Refined(pose, rms_px, matched, float(values[inside].mean()), beside, weakest)


@lru_cache(maxsize=64)
def _alike(board: BoardFile) -> dict[HoleKind, Ints]:
    """Indices of the holes that map onto each other when the board is turned by a zone (shape: [holes, zones])."""
    rows: dict[HoleKind, dict[int, list[int]]] = {}
    track = sum(hole.kind is HoleKind.TRACK for hole in board.holes) // board.zones
    for number, hole in enumerate(board.holes):
        place = hole.index % track if hole.kind is HoleKind.TRACK else hole.index
        rows.setdefault(hole.kind, {}).setdefault(place, []).append(number)
    return {
        kind: np.array(list(places.values()))
        for kind, places in rows.items()
        if kind in (*GROUPS, HoleKind.TRACK) and len({len(own) for own in places.values()}) == 1
    }


def weakest_group(values: Floats, inside: Bools, board: BoardFile) -> float:
    """Measure how round the camps or the homes are, whichever is lower, relative to the track.

    Of the holes that are each other's image the second roundest counts, so one seat or two may be covered; 1 where too
    little is in the picture. `values` and `inside` are of all holes (shape: [n] each).
    """
    seen = np.where(inside, values, np.nan)
    means = {}
    for kind, numbers in _alike(board).items():
        some = seen[numbers]
        usable = (~np.isnan(some)).sum(axis=1) >= 2
        if usable.any():
            means[kind] = float(np.sort(np.nan_to_num(some[usable], nan=-1.0), axis=1)[:, -2].mean())
    track = means.get(HoleKind.TRACK, 0.0)
    if track <= 0:
        return 1.0
    return min((means[kind] / track for kind in GROUPS if kind in means), default=1.0)
