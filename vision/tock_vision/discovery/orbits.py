"""Orbits: sets of holes that map onto each other when the board is turned by a zone, located from all their images.

A pawn, a card or a hand hides a hole in one zone or two, hardly ever in all. So the pictures of all zones are averaged
around the centre, and the better half of the images of an orbit counts three times as much as the rest:

    zone 0   zone 1   zone 2   zone 3     mean   better half   strength
     0.9      0.8      0.1      0.9       0.68      0.90         0.79      a hole with a card on it in zone 2
     0.1      0.0      0.2      0.1       0.10      0.15         0.13      wood

Constants set in `4c76c3e3`; CLEAR_SHARE, GAP_SHARE in `88d4c84f`; CLEAR_COPY, COPY_REACH_PITCHES in `4d258a53`;
TOUCH_REACH_PITCHES in `dd40f1a2`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_vision.arrays import Floats, Singles
from tock_vision.camera_pose import CameraPose, fit, unproject
from tock_vision.discovery.hidden_holes import find_gaps
from tock_vision.discovery.roundness import summits, vertices
from tock_vision.discovery.straightened import Flat
from tock_vision.discovery.symmetry import images
from tock_vision.holeness import PITCH_PX

MIN_STRENGTH = 0.1
COPY_REACH_PITCHES = 0.45
MIN_COPY_SCORE, CLEAR_COPY = 0.12, 0.4
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=np.uint8)
"""A pixel and its neighbours."""
MAX_ORBITS = 60
MIN_GAP_PITCHES = 0.6
SOFT_PX = 1.3
BORDER_RAD = 0.03
HOLES_IN_ZONE, HOLES_UNLIKE = 26, 4
"""Holes of a zone of Tock, and those of any zone that may differ in two views of one board."""
TOUCH_REACH_PITCHES = 0.45
"""How far from the mean of all touches a start may seem to lie."""
CLEAR_SHARE, GAP_SHARE = 0.6, 0.42
"""Strength, relative to the usual hole, of a clear one, and that given to one only inferred."""


@dataclass(frozen=True)
class Orbits:
    """Places in the zone from angle 0 to 360/zones around the centre, the strongest first; lengths in pitches."""

    zones: int
    places: Floats
    """Shape: [n, 2], the centre of the board being the origin."""
    strengths: Floats
    """Probability of being holes, from all images (shape: [n])."""
    copies: Floats
    """Chance of each image (shape: [n, zones])."""
    found: Floats
    """The place where each image is seen (shape: [n, zones, 2]); NaN where it is not."""
    is_asymmetric: bool = False
    """Whether zones are not alike, so that the mean of a hole's images says nothing about its place."""


def find_orbits(flat: Flat, zones: int, extent: float) -> Orbits:
    """Find places that look like holes in all zones; the origin of `flat` is the centre of the board."""
    side = 2 * round(extent * PITCH_PX) + 1
    middle = flat.to_px(np.zeros((1, 2)))[0]
    half = (side - 1) / 2
    count, total = np.zeros((side, side), np.float32), np.zeros((side, side), np.float32)
    for zone in range(zones):
        matrix = _turn(middle, 2 * np.pi * zone / zones, half)
        total += _moved(flat.answer, matrix, side)
        count += _moved(flat.inside.astype(np.float32), matrix, side)
    mean = total / np.maximum(count, 1.0)
    # Where less than half of the zones lie in the photograph the mean says little.
    mean[count < zones / 2] = 0
    blurred = cv2.GaussianBlur(mean, (0, 0), SOFT_PX)
    x, y, height = summits(blurred, MIN_STRENGTH)
    places = (np.column_stack([x, y]) - half) / PITCH_PX
    angle = np.arctan2(places[:, 1], places[:, 0]) % (2 * np.pi)
    # A little more than a zone: a hole on its border may seem to lie on either side.
    some = ((angle < 2 * np.pi / zones + BORDER_RAD) | (angle > 2 * np.pi - BORDER_RAD)) & (
        np.linalg.norm(places, axis=1) > MIN_GAP_PITCHES
    )
    places, height = _apart(places[some], height[some], zones)
    copies, found = copies_in(flat, places, zones)
    places = _centred(places, copies, found)
    copies, found = copies_in(flat, places, zones)
    strengths = _strengths(copies)
    order = np.argsort(-strengths, kind="stable")
    return Orbits(zones, places[order], strengths[order], copies[order], found[order])


def _centred(places: Floats, copies: Floats, found: Floats) -> Floats:
    """Move places to the mean of their clear images: where holes are drilled off, one image alone makes the summit."""
    zones = copies.shape[1]
    back = (found[..., 0] + 1j * found[..., 1]) * np.exp(-2j * np.pi * np.arange(zones) / zones)
    clear = np.isfinite(back) & (copies > CLEAR_COPY)
    enough = clear.sum(axis=1) > zones / 2
    mean = np.where(clear, back, 0).sum(axis=1) / np.maximum(clear.sum(axis=1), 1)
    return np.where(enough[:, None], np.column_stack([mean.real, mean.imag]), places)


def seen_in_all(orbits: Orbits, flats: Sequence[Flat]) -> Orbits:
    """The same orbits, each image placed where the photographs that show it clearly see it (median)."""
    seen = [copies_in(flat, orbits.places, orbits.zones) for flat in flats]
    chances = np.stack([chance for chance, _ in seen])
    found = np.stack([places for _, places in seen])
    found[chances < CLEAR_COPY] = np.nan
    shown = np.isfinite(found[..., 0]).any(axis=0)
    # The median over photographs outvotes a single one that is wrong.
    usual = orbits.found.copy()
    usual[shown] = np.nanmedian(found[:, shown], axis=0)
    return replace(orbits, found=usual, copies=np.maximum(orbits.copies, chances.max(axis=0)))


def with_gaps(orbits: Orbits, flat: Flat) -> Orbits:
    """The same orbits and those inferred from interrupted rows; faint ones near these are dropped."""
    usual = usual_strength(orbits)
    clear = orbits.strengths > CLEAR_SHARE * usual
    turned = images(orbits.places[clear], np.zeros(2), orbits.zones)
    gaps = find_gaps((turned[..., 0] + 1j * turned[..., 1]).ravel(), orbits.zones)
    if not len(gaps):
        return orbits
    flat_places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    turns = np.exp(2j * np.pi * np.arange(orbits.zones) / orbits.zones)
    near = np.abs(flat_places[:, None, None] - gaps[None, :, None] * turns).min(axis=(1, 2)) < MIN_GAP_PITCHES
    kept = ~near | (orbits.strengths > GAP_SHARE * usual)
    free = (
        np.abs(flat_places[kept][:, None, None] - gaps[None, :, None] * turns).min(axis=(0, 2))
        > MIN_GAP_PITCHES
    )
    if not free.any():
        return orbits
    places = np.column_stack([gaps.real, gaps.imag])[free]
    copies, found = copies_in(flat, places, orbits.zones)
    return replace(
        orbits,
        places=np.vstack([orbits.places[kept], places]),
        strengths=np.append(orbits.strengths[kept], np.full(len(places), GAP_SHARE * usual)),
        copies=np.vstack([orbits.copies[kept], copies]),
        found=np.vstack([orbits.found[kept], found]),
    )


def with_start(orbits: Orbits, flat: Flat, start: complex) -> Orbits:
    """The same orbits, and one at a start hole that was touched if none lies there."""
    turns = np.exp(2j * np.pi * np.arange(orbits.zones) / orbits.zones)
    places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    if np.abs(places[:, None] * turns - start).min(initial=np.inf) < TOUCH_REACH_PITCHES:
        return orbits
    first = start * turns[np.flatnonzero(np.angle(start * turns) % (2 * np.pi) < 2 * np.pi / orbits.zones)[0]]
    place = np.array([[first.real, first.imag]])
    copies, found = copies_in(flat, place, orbits.zones)
    return replace(
        orbits,
        places=np.vstack([orbits.places, place]),
        strengths=np.append(orbits.strengths, GAP_SHARE * usual_strength(orbits)),
        copies=np.vstack([orbits.copies, copies]),
        found=np.vstack([orbits.found, found]),
    )


def usual_strength(orbits: Orbits) -> float:
    """The median strength of the 26 strongest orbits."""
    return float(np.median(np.sort(orbits.strengths)[-HOLES_IN_ZONE:]))


def _strengths(copies: Floats) -> Floats:
    """Probability that orbits are holes; the better half of the images counts most, as hands and cards hide the
    others."""
    better = np.sort(copies, axis=1)[:, copies.shape[1] // 2 :]
    strengths: Floats = (copies.mean(axis=1) + better.mean(axis=1)) / 2
    return strengths


def _turn(middle: Floats, angle: float, half: float) -> Floats:
    """The affine map from a turned picture to the flat one, `middle` coming to its middle."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array(
        [
            [cos, -sin, middle[0] - cos * half + sin * half],
            [sin, cos, middle[1] - sin * half - cos * half],
        ]
    )


def _moved(picture: Singles, matrix: Floats, side: int) -> Singles:
    return cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def _apart(places: Floats, height: Floats, zones: int) -> tuple[Floats, Floats]:
    """Keep the strongest of orbits whose holes would touch."""
    order = np.argsort(-height)[: 2 * MAX_ORBITS]
    places, height = places[order], height[order]
    turned = images(places, np.zeros(2), zones)
    flat = turned[..., 0] + 1j * turned[..., 1]
    gap = np.abs(flat[:, :, None] - flat[0][None, None])
    own = gap[1:, np.arange(len(places)), np.arange(len(places))].min(axis=0, initial=np.inf)
    gap = gap.min(axis=0)
    kept = own > MIN_GAP_PITCHES
    for number in range(len(places)):
        if kept[number]:
            kept[number + 1 :] &= gap[number, number + 1 :] > MIN_GAP_PITCHES
    return places[kept][:MAX_ORBITS], height[kept][:MAX_ORBITS]


def copies_in(flat: Flat, places: Floats, zones: int) -> tuple[Floats, Floats]:
    """The chance and the place of the likeliest point near each image."""
    turned = images(places, np.zeros(2), zones).transpose(1, 0, 2)
    at = flat.to_px(turned.reshape(-1, 2))
    is_summit = flat.answer >= cv2.dilate(flat.answer, CROSS)
    reach = int(np.ceil(COPY_REACH_PITCHES * PITCH_PX))
    steps = np.arange(-reach, reach + 1)
    middle = at.round().astype(int)
    height, width = flat.answer.shape
    ys = np.clip(middle[:, 1, None, None] + steps[None, :, None], 1, height - 2)
    xs = np.clip(middle[:, 0, None, None] + steps[None, None, :], 1, width - 2)
    away = np.hypot(xs - at[:, 0, None, None], ys - at[:, 1, None, None])
    # Nearer points count more, but only local maxima: a slope belongs to something else.
    value = flat.answer[ys, xs] - 0.5 * away / PITCH_PX - ~is_summit[ys, xs]
    value[away > COPY_REACH_PITCHES * PITCH_PX] = -2
    best = value.reshape(len(value), (2 * reach + 1) ** 2).argmax(axis=1)
    row, column = np.unravel_index(best, value.shape[1:])
    number = np.arange(len(value))
    x, y = xs[number, 0, column], ys[number, row, 0]
    top = flat.answer[y, x].astype(float)
    good = (top > MIN_COPY_SCORE) & is_summit[y, x]
    spot = np.column_stack(vertices(flat.answer, x, y))
    found = np.where(good[:, None], flat.to_plane(spot), np.nan)
    return top.reshape(-1, zones), found.reshape(-1, zones, 2)


def refit(pose: CameraPose, orbits: Orbits, strongest: int) -> CameraPose:
    """Fit the pose so that the images of each orbit's mean place lie where they are seen."""
    seen = seen_images(orbits, strongest)
    if seen is None:
        return pose
    places, found = seen
    return fit(pose, places, pose.project(found), 0.06 * pose.scale(places))


def seen_images(orbits: Orbits, strongest: int = HOLES_IN_ZONE) -> tuple[Floats, Floats] | None:
    """The images of each orbit's mean place, and where they are seen (shapes: [n, 2]); None if too few are."""
    found = orbits.found[:strongest]
    zones = orbits.zones
    angle = -2 * np.pi * np.arange(zones) / zones
    back = (found[..., 0] + 1j * found[..., 1]) * np.exp(1j * angle)[None]
    seen = np.isfinite(back)
    enough = seen.sum(axis=1) >= max(2, zones - 2)
    if enough.sum() < 5:
        return None
    back, seen, found = back[enough], seen[enough], found[enough]
    middle = np.nanmean(back, axis=1)
    # The mean of the images turned back, with weights that forget those far off (Cauchy, three rounds).
    for _ in range(3):
        weight = np.where(seen, 1 / (1 + (np.abs(np.nan_to_num(back) - middle[:, None]) / 0.1) ** 2), 0)
        middle = (weight * np.nan_to_num(back)).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    model = middle[:, None] * np.exp(-1j * angle)[None]
    return np.stack([model.real, model.imag], axis=2)[seen], found[seen]


def moved_onto(orbits: Orbits, pose: CameraPose, other: CameraPose) -> Orbits:
    """The same orbits on the plane of another pose of the same photograph."""
    turned = images(orbits.places, np.zeros(2), orbits.zones)
    at = unproject(other, pose.project(turned.reshape(-1, 2))).reshape(turned.shape)
    back = np.exp(-2j * np.pi * np.arange(orbits.zones) / orbits.zones)[:, None]
    mean = ((at[..., 0] + 1j * at[..., 1]) * back).mean(axis=0)
    found = orbits.found.copy()
    seen = np.isfinite(found).all(axis=2)
    found[seen] = unproject(other, pose.project(found[seen]))
    return replace(orbits, places=np.column_stack([mean.real, mean.imag]), found=found)
