"""Finding the hole pattern near a rough pose: many small changes are tried on one straightened picture.

The pose may be wrong by more than half a pitch, so following the nearest round thing would lock onto the
neighbouring hole. Here whole patterns are compared instead, in a few rounds that narrow (cross-entropy search).
"""

from dataclasses import replace

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats, Gray, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, fit
from tock_vision.registration.pattern import PITCH_PX, Refined, hole_radii_px, refine, roundness, straighten
from tock_vision.registration.results import Registration, accept_pattern

SEARCH_ROUNDS = ((700, 0.20), (400, 0.12), (300, 0.07), (200, 0.05))
"""Candidates in each round, and the blur of the picture in pitches: wide basins first, then precision."""
ELITE = 24
TIGHT_RMS_PITCHES = 0.03
"""A fit with a larger residual may sit on wrong neighbours in a corner of the board, and is tried again.

Of 69 ray-traced pictures found by rough touches one was refused and six were off by more than an eighth of the pitch;
tried again none is refused and one is off.
"""
RETRIES, RETRY_REACH_PITCHES = 5, 0.3
HOPELESS_ROUNDNESS = 0.4
"""Roundness below which further attempts are pointless."""
NEARBY_REACH_PITCHES = 1.0
"""Distance from its last place at which a bumped board is searched for, as one sigma."""


def search_around(
    gray: Gray, pose: CameraPose, board: BoardFile, reach: float, seed: int = 1
) -> tuple[CameraPose, float]:
    """Find the pose near a rough one whose pattern fits best, and how well it does (roundness, 0 to about 1).

    `reach` is how far the rough pose may be off, in pitches, as one sigma at the corners of the board.
    """
    rng = np.random.default_rng(seed)
    straight = straighten(gray, pose, board)
    answer = roundness(straight, hole_radii_px(board))
    answer[~straight.inside] = 0
    holes = straight.to_px(hole_points_mm(board))
    low, high = holes.min(axis=0), holes.max(axis=0)
    basis = _corner_weights(holes, low, high)
    mean, sigma = np.zeros((4, 2)), np.full((4, 2), reach * PITCH_PX)
    best, best_score = mean, -1.0
    for count, blur in SEARCH_ROUNDS:
        soft = cv2.GaussianBlur(answer, (0, 0), blur * PITCH_PX)
        moves = mean + sigma * rng.normal(size=(count, 4, 2))
        # Most of the error is common to all corners, a shifted or turned board: half of the candidates assume that.
        moves[: count // 2] = mean + sigma * rng.normal(size=(count // 2, 1, 2))
        moves[0] = mean
        places = holes + np.einsum("hc,mcx->mhx", basis, moves)
        scores = _score(soft, places)
        order = np.argsort(scores)[::-1][:ELITE]
        best, best_score = moves[order[0]], float(scores[order[0]])
        mean = moves[order].mean(axis=0)
        sigma = np.maximum(moves[order].std(axis=0), 0.03 * PITCH_PX)
    found_mm = straight.to_mm(holes + basis @ best)
    seen_px = pose.project(found_mm)
    pitch_px = board.pitch_mm * float(np.median(pose.scale(hole_points_mm(board))))
    return fit(pose, hole_points_mm(board), seen_px, 0.1 * pitch_px), best_score


def refine_until_tight(gray: Gray, board: BoardFile, first: Refined) -> Refined:
    """Search around a fit that is not tight for a better one."""
    best = first
    for number in range(RETRIES):
        pitch_px = board.pitch_mm * float(np.median(best.pose.scale(hole_points_mm(board))))
        if best.rms_px < TIGHT_RMS_PITCHES * pitch_px or best.score < HOPELESS_ROUNDNESS:
            break
        near, _ = search_around(gray, best.pose, board, RETRY_REACH_PITCHES, seed=2 + number)
        again = refine(gray, near, board)
        if again is not None and again.score > best.score:
            best = again
    return best


def find_nearby(gray: Gray, known: Registration, board: BoardFile) -> Registration | None:
    """Find a board within about a pitch of its last place, in the same orientation; takes a fifth of a second."""
    near, _ = search_around(gray, known.pose, board, NEARBY_REACH_PITCHES)
    refined = refine(gray, near, board)
    found = accept_pattern(refined, board) if refined is not None else None
    return replace(found, method="stored", orientation=known.orientation) if found is not None else None


def _corner_weights(holes: Floats, low: Floats, high: Floats) -> Floats:
    """Bilinear weight of each corner for each hole (shape: [holes, 4])."""
    u, v = ((holes - low) / (high - low)).T
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


def _score(answer: Singles, places: Floats) -> Floats:
    """Mean roundness at the places of every candidate (shape: [candidates, holes, 2] to [candidates])."""
    xs = np.clip(places[..., 0].round().astype(int), 0, answer.shape[1] - 1)
    ys = np.clip(places[..., 1].round().astype(int), 0, answer.shape[0] - 1)
    score: Floats = answer[ys, xs].mean(axis=1)
    return score
