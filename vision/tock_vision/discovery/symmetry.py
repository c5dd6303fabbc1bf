"""The point around which spots on a plane map onto themselves when turned by one zone.

A Hough transform: each pair of spots votes for the centre around which a turn by one zone maps one onto the other (as
Loy and Eklundh 2006 do with image features), O(n²) votes in bins of half a pitch. A turn by 90 degrees around 0:

>>> cross = np.array([[5.0, 1], [-1, 5], [-5, -1], [1, -5], [7, 2], [-2, 7], [-7, -2], [2, -7]])
>>> best = find_centres(cross + (20, 10), 4)[0]
>>> best.place.round(6).tolist(), best.votes
([20.0, 10.0], 8.0)

Constants set in `88d4c84f`; REACH_PITCHES in `1d778ed5`; ROUNDS in `6af95672`; ENOUGH in `eaa811b7`.
"""

from dataclasses import dataclass

import numpy as np

from tock_vision.arrays import Bools, Floats, Ints
from tock_vision.camera_pose import CameraPose, fit, unproject

BIN_PITCHES = 0.5
REACH_PITCHES = (2.0, 29.0)
"""Minimum and maximum distance of holes from the centre."""
NEARING_PITCHES = (0.9, 0.7, 0.5, 0.4, 0.3, 0.3)
PEAKS = 4
ROUNDS = ((0.9, 0.0), (0.6, 0.3), (0.4, 0.25), (0.3, 0.19))
"""For each round of fitting centre and view the distance allowed between images and spots, in pitches, and the share of
all images on spots from which it is worth its time.

What explained 40 spots in the end, or a board, had 0.32, 0.33 and 0.25 at least in the last three rounds; of what
explained hardly any nine in ten have less in the third.
"""
ENOUGH = 60
"""Spots with images, on average over the turns, from which no round is left out: a board may lie on checked cloth."""
NEAR_PITCHES = ROUNDS[-1][0]
MIN_IMAGES = 8
SPOT_SIGMA_PITCHES = 0.06
"""Error with which a spot shows the place of a hole, as one sigma."""


@dataclass(frozen=True)
class Centre:
    """A centre of symmetry; lengths are in pitches."""

    zones: int
    place: Floats
    votes: float
    """Number of pairs of spots that vote for it."""


@dataclass(frozen=True)
class Turned:
    """A view in which spots map onto themselves; the origin of the pose is the centre."""

    pose: CameraPose
    zones: int
    score: float
    """Number of spots with all their images or all but one, less what chance gives."""


def find_centres(points: Floats, zones: int, beyond: float = 0.0) -> list[Centre]:
    """Find the likeliest centres, the best first, at least `beyond` pitches from the origin (points: [n, 2])."""
    flat = points[:, 0] + 1j * points[:, 1]
    turn = np.exp(2j * np.pi / zones)
    # The c with other = c + turn * (one - c), for each pair.
    votes = (flat[None, :] - turn * flat[:, None]) / (1 - turn)
    away = np.abs(votes - flat[:, None])
    votes = votes[(away > REACH_PITCHES[0]) & (away < REACH_PITCHES[1]) & (np.abs(votes) >= beyond)]
    low, high = points.min(axis=0), points.max(axis=0)
    shape = np.ceil((high - low) / BIN_PITCHES).astype(int) + 1
    x = ((votes.real - low[0]) / BIN_PITCHES).astype(int)
    y = ((votes.imag - low[1]) / BIN_PITCHES).astype(int)
    inside = (votes.real >= low[0]) & (votes.imag >= low[1]) & (x < shape[0]) & (y < shape[1])
    count = np.bincount(x[inside] * shape[1] + y[inside], minlength=int(shape.prod())).reshape(shape)
    soft = _block_sums(count)
    centres = []
    for _ in range(PEAKS):
        column, row = np.unravel_index(int(soft.argmax()), soft.shape)
        place = low + (np.array([column, row]) + 0.5) * BIN_PITCHES
        centres.append(Centre(zones, _densest(votes, place), float(soft[column, row])))
        # The same centre fills neighbouring bins: the next peak must be another one.
        soft[max(0, column - 2) : column + 3, max(0, row - 2) : row + 3] = 0
    return centres


def _densest(votes: Floats, place: Floats) -> Floats:
    """The mean of the votes near a place, in ever narrower circles."""
    middle = complex(*place)
    # No circle leads farther away than all of them together.
    far = sum(NEARING_PITCHES)
    votes = votes[(np.abs(votes.real - middle.real) < far) & (np.abs(votes.imag - middle.imag) < far)]
    for reach in NEARING_PITCHES:
        near = votes[np.abs(votes - middle) < reach]
        if len(near):
            middle = complex(near.mean())
    return np.array([middle.real, middle.imag])


def images(points: Floats, centre: Floats, zones: int) -> Floats:
    """Points turned by 0, 1, 2, … zones (shape: [zones, n, 2])."""
    angle = 2 * np.pi * np.arange(zones) / zones
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    off = points - centre
    x, y = cos * off[:, 0] - sin * off[:, 1], sin * off[:, 0] + cos * off[:, 1]
    turned: Floats = np.stack([x, y], axis=2) + centre
    return turned


def fit_turned(pose: CameraPose, places_px: Floats, zones: int) -> Turned | None:
    """Fit a pose whose origin is about the centre so that spots map onto spots when turned by a zone.

    None where few of them do, as soon as that is clear.
    """
    for tolerance, least in ROUNDS:
        points = unproject(pose, places_px)
        near = np.isfinite(points).all(axis=1) & (
            np.linalg.norm(np.nan_to_num(points), axis=1) < REACH_PITCHES[1]
        )
        points, seen_px = points[near], places_px[near]
        if len(points) < MIN_IMAGES:
            return None
        other, found = _matched(points, zones, tolerance)
        if found[1:].sum() < max(MIN_IMAGES, min(ENOUGH, least * len(points))) * (zones - 1):
            return None
        turn = np.exp(2j * np.pi * np.arange(zones) / zones)[:, None]
        flat = points[:, 0] + 1j * points[:, 1]
        # All images of a spot turned back onto it: their median is the model of that orbit.
        back = flat[other] / turn
        middle = _median(back.real, found) + 1j * _median(back.imag, found)
        model = (middle[None] * turn)[found]
        places = np.column_stack([model.real, model.imag])
        sigma = SPOT_SIGMA_PITCHES * pose.scale(places)
        pose = fit(pose, places, seen_px[other[found]], sigma)
    return rated(pose, places_px[near], zones)


def rated(pose: CameraPose, places_px: Floats, zones: int) -> Turned | None:
    """A pose, scored by the spots that map onto spots; None where it does not see the plane."""
    points = unproject(pose, places_px)
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) < MIN_IMAGES:
        return None
    _, found = _matched(points, zones, NEAR_PITCHES)
    # Spots everywhere would match by chance: as many are taken off as their density predicts.
    whole = int((found.sum(axis=0) >= zones - 1).sum())
    area = np.pi * float(np.quantile(np.linalg.norm(points, axis=1), 0.9)) ** 2
    hit = len(points) / area * np.pi * NEAR_PITCHES**2
    return Turned(pose, zones, whole - min(1.0, hit ** (zones - 2) * (zones - 1)) * len(points))


def _matched(points: Floats, zones: int, tolerance: float) -> tuple[Ints, Bools]:
    """For each image of each point the nearest point, and whether it is near enough (shapes: [zones, n])."""
    count = len(points)
    other, found = np.zeros((zones, count), int), np.zeros((zones, count), bool)
    other[0], found[0] = np.arange(count), True
    turned = images(points, np.zeros(2), zones)
    x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
    for zone in range(1, zones // 2 + 1):
        gap = (turned[zone, :, 0, None] - x) ** 2
        gap += (turned[zone, :, 1, None] - y) ** 2
        one, its = np.nonzero(gap < tolerance**2)
        # Of several near enough the nearest is written last.
        order = np.argsort(-gap[one, its], kind="stable")
        one, its = one[order], its[order]
        # Turned forwards one lies on the other, so the other lies on it turned backwards.
        for number, image, point in ((zone, one, its), (zones - zone, its, one)):
            other[number, image], found[number, image] = point, True
    return other, found


def _median(values: Floats, known: Bools) -> Floats:
    """The median of the known values of each column, of which there is one at least."""
    ordered = np.sort(np.where(known, values, np.inf), axis=0)
    count = known.sum(axis=0)
    columns = np.arange(values.shape[1])
    middle: Floats = (ordered[(count - 1) // 2, columns] + ordered[count // 2, columns]) / 2
    return middle


def _block_sums(count: Floats) -> Floats:
    """Sums over blocks of three by three bins."""
    padded = np.pad(count, 1)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    sums: Floats = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return sums.astype(float)
