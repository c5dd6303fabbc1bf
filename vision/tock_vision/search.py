"""Finding the hole pattern near a rough view: many small changes are tried on one straightened picture.

The view may be wrong by more than half a pitch, so following the nearest round thing would lock onto the
neighbouring hole. Here whole patterns are compared instead, in a few rounds that narrow (cross-entropy search).
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_vision.arrays import Floats, Gray, Singles
from tock_vision.pattern import (
    PITCH_PX,
    Anchors,
    Refined,
    hole_points_mm,
    hole_radii_px,
    refine,
    roundness,
    straighten,
)
from tock_vision.register import NO_FIT_TOUCH, Refusal, Registration, accept
from tock_vision.view import View, fit, from_points

ROUNDS = ((700, 0.20), (400, 0.12), (300, 0.07), (200, 0.05))
"""How many changes are tried in each round, and the blur of the picture in pitches."""
ELITE = 24
LENSES = ((1.0, 0.0), (0.78, 0.0), (0.6, -0.12), (0.47, -0.16))
TOUCH_SIGMA = 0.35
"""In pitches: how far a finger misses a hole."""
LEAST_TOUCHES = 4
TIGHT = 0.03
"""In pitches: a fit with a larger rest may sit on wrong neighbours in a corner of the board, and is tried again.

Of 69 ray-traced pictures found by rough touches one was refused and six were off by more than an eighth of the pitch;
tried again none is refused and one is off.
"""
TRIES, NEARER = 5, 0.3
HOPELESS = 0.4
"""Roundness under which no trying helps."""


def search_around(
    gray: Gray, view: View, board: BoardFile, reach: float, seed: int = 1
) -> tuple[View, float]:
    """Return the view near a rough one whose pattern fits best, and how well (roundness, 0 to about 1).

    `reach` is how far the rough view may be off, in pitches, as one sigma at the corners of the board.
    """
    rng = np.random.default_rng(seed)
    straight = straighten(gray, view, board)
    answer = roundness(straight, hole_radii_px(board))
    answer[~straight.inside] = 0
    holes = straight.to_px(hole_points_mm(board))
    low, high = holes.min(axis=0), holes.max(axis=0)
    basis = _corner_weights(holes, low, high)
    mean, sigma = np.zeros((4, 2)), np.full((4, 2), reach * PITCH_PX)
    best, best_score = mean, -1.0
    for count, blur in ROUNDS:
        soft = cv2.GaussianBlur(answer, (0, 0), blur * PITCH_PX)
        moves = mean + sigma * rng.normal(size=(count, 4, 2))
        # Most of the error is common to all corners: a shifted or turned board.
        moves[: count // 2] = mean + sigma * rng.normal(size=(count // 2, 1, 2))
        moves[0] = mean
        places = holes + np.einsum("hc,mcx->mhx", basis, moves)
        scores = _score(soft, places)
        order = np.argsort(scores)[::-1][:ELITE]
        best, best_score = moves[order[0]], float(scores[order[0]])
        mean = moves[order].mean(axis=0)
        sigma = np.maximum(moves[order].std(axis=0), 0.03 * PITCH_PX)
    found_mm = straight.to_mm(holes + basis @ best)
    seen_px = view.project(found_mm)
    pitch_px = board.pitch_mm * float(np.median(view.scale(hole_points_mm(board))))
    return fit(view, hole_points_mm(board), seen_px, 0.1 * pitch_px), best_score


def retried(gray: Gray, board: BoardFile, first: Refined) -> Refined:
    """Return a fit, or a better one found by searching around it when it does not fit tightly."""
    best = first
    for number in range(TRIES):
        pitch_px = board.pitch_mm * float(np.median(best.view.scale(hole_points_mm(board))))
        if best.rms_px < TIGHT * pitch_px or best.score < HOPELESS:
            break
        near, _ = search_around(gray, best.view, board, NEARER, seed=2 + number)
        again = refine(gray, near, board)
        if again is not None and again.score > best.score:
            best = again
    return best


def _corner_weights(holes: Floats, low: Floats, high: Floats) -> Floats:
    """Return how much each hole follows each corner (shape: [holes, 4])."""
    u, v = ((holes - low) / (high - low)).T
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


def _score(answer: Singles, places: Floats) -> Floats:
    """Return the mean of the answer at the places of every trial (shape: [trials, holes, 2] to [trials])."""
    xs = np.clip(places[..., 0].round().astype(int), 0, answer.shape[1] - 1)
    ys = np.clip(places[..., 1].round().astype(int), 0, answer.shape[0] - 1)
    score: Floats = answer[ys, xs].mean(axis=1)
    return score


def register_by_touches(
    gray: Gray, board: BoardFile, touches: Mapping[str, tuple[float, float]]
) -> Registration | Refusal:
    """Find the board from rough pixel places of four or more holes; BadInputError for unusable touches."""
    check_touches(board, touches)
    points_mm = _touched_mm(board, touches)
    points_px = np.array([list(place) for place in touches.values()], dtype=float)
    size_px = (gray.shape[1], gray.shape[0])
    best: Refined | None = None
    for start in _starts(points_mm, points_px, size_px, board):
        rough, _ = search_around(gray, start, board, TOUCH_SIGMA)
        refined = refine(gray, rough, board, _anchors(points_mm, points_px, rough, board))
        if refined is not None and (best is None or refined.score > best.score):
            best = refined
    found = accept(retried(gray, board, best), board, "touch", "sure") if best is not None else None
    return found or NO_FIT_TOUCH


def check_touches(board: BoardFile, touches: Mapping[str, tuple[float, float]]) -> None:
    """Raise BadInputError when touches are too few, of unknown holes, or too close together."""
    for hole_id in touches:
        if hole_id not in board.by_id:
            raise BadInputError(f"touch '{hole_id}': the board has no such hole; use ids of its board file")
    if len(touches) < LEAST_TOUCHES:
        raise BadInputError(
            f"{len(touches)} touches are too few; touch at least four holes far from each other"
        )
    area = cv2.contourArea(cv2.convexHull(_touched_mm(board, touches).astype(np.float32)))
    if area < 0.1 * board.size_mm[0] * board.size_mm[1]:
        raise BadInputError("the touched holes lie too close together; touch holes on all sides of the board")


def _touched_mm(board: BoardFile, touches: Mapping[str, tuple[float, float]]) -> Floats:
    return np.array([[board.hole(name).x_mm, board.hole(name).y_mm] for name in touches])


def _starts(
    points_mm: Floats, points_px: Floats, size_px: tuple[int, int], board: BoardFile
) -> Sequence[View]:
    """Return views that put the touched holes about where they were touched, the closest first, at most three."""
    views: list[tuple[float, View]] = []
    for focal, radial in LENSES:
        for start in from_points(points_mm, points_px, size_px, focal * size_px[0], radial):
            sigma = TOUCH_SIGMA * board.pitch_mm * float(np.median(start.scale(points_mm)))
            view = fit(start, points_mm, points_px, sigma)
            off = np.linalg.norm(view.project(points_mm) - points_px, axis=1) / sigma
            views.append((float((off**2).sum()), view))
    views.sort(key=lambda pair: pair[0])
    kept: list[View] = []
    for cost, view in views:
        focal = view.params[6]
        if cost < views[0][0] + 4.0 and all(abs(focal - other.params[6]) > 0.15 for other in kept):
            kept.append(view)
    return kept[:3]


def _anchors(points_mm: Floats, points_px: Floats, view: View, board: BoardFile) -> Anchors:
    sigma = TOUCH_SIGMA * board.pitch_mm * view.scale(points_mm)
    return Anchors(points_mm, points_px, sigma)
