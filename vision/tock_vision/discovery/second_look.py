"""Looks at a board once more when its layout is known: each place closely, in colour.

What the first network takes for holes, as symbols on cards and heads of pawns beside their holes, is put right:

    1  spots that are no holes are taken out of the straightened picture, and the layout is searched again
    2  each hole is placed where the photographs show it near the mean of its images, or not at all where it is covered
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from tock_vision.arrays import Bools, Floats, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.bundle_adjustment import seen_px
from tock_vision.discovery.drafting import SEEN_SIGMA_PITCHES, SURE_CHANCE, drilling_of
from tock_vision.discovery.flat import Flat
from tock_vision.discovery.inspection import Inspected, inspect
from tock_vision.discovery.joining import Joined
from tock_vision.discovery.orbits import Orbits, find_orbits, with_gaps, with_start
from tock_vision.discovery.photo import EXTENT_PITCHES, Sighting, spots_of, with_bundle_adjusted
from tock_vision.discovery.structure import Layout, find_layout
from tock_vision.discovery.symmetry import images
from tock_vision.discovery.touch_hints import Starts
from tock_vision.holeness import PITCH_PX

NEAR_PITCHES = 0.25
"""How far from a spot a hole may be seen for the spot to be that hole."""
MIN_SEEN = 0.25
"""Chance of a hole at a spot below which the spot is taken out."""
OUT_PITCHES = 0.35
"""What is taken out around a spot that is no hole."""
WORSE = 0.5
"""By how much a layout found without such spots may score less and still replace the first."""
MIN_SPREAD, TRAINED_SIGMA, TRAINED_WIDE, TRAINED_WIDE_SHARE = 0.05, 0.12, 0.3, 0.3
"""Least spread of holes around the mean of their images; and how far off the places of training were."""
SPREAD_FACTOR = 1.4
"""How much farther from the mean than its usual spread a hole is searched for."""
MIN_CHANCE, SEEN_CHANCE, UNSEEN_CHANCE = 0.5, 0.7, 0.25
"""Chance from which a hole counts as seen, and the least and the most that is then said of one seen and of one not."""
AGREE_PITCHES, MAY_BE, MAX_OFF_SIGMAS = 0.15, 0.2, 5.5
PEAK_PITCHES = 0.13
"""Around the likeliest cell, how far cells count for the place of the hole."""


def searched_again(frame: Frame, found: Sighting, starts: Starts | None) -> Sighting:
    """The same board, or a likelier one without spots that are no holes."""
    if found.orbits.is_asymmetric:
        return found
    flat = _without_false_spots(frame, found)
    if flat is None:
        return found
    orbits = with_gaps(find_orbits(flat, found.zones, EXTENT_PITCHES[found.zones]), flat)
    start = None if starts is None else starts.start(found.pose)
    if start is not None:
        orbits = with_start(orbits, flat, start)
    layout = find_layout(spots_of(orbits), start)
    if layout is None or layout.score < found.layout.score - WORSE:
        return found
    again = replace(found, flat=flat, orbits=orbits, layout=layout)
    nodes = [orbit for orbit, _ in layout.nodes()]
    return with_bundle_adjusted(again, [again.pose], [seen_px(orbits.found[nodes], again.pose)])[0]


def _without_false_spots(frame: Frame, found: Sighting) -> Flat | None:
    """The straightened picture without spots that are no holes; None where all are."""
    places, _ = found.flat.spots()
    places = places[np.linalg.norm(places, axis=1) < EXTENT_PITCHES[found.zones] + 1]
    seen = inspect(frame, found.pose, places, track_of(found.orbits, found.layout))
    false = places[chance_near(seen) < MIN_SEEN]
    if not len(false):
        return None
    answer = found.flat.answer.copy()
    for x, y in found.flat.to_px(false).round().astype(int).tolist():
        cv2.circle(answer, (x, y), round(OUT_PITCHES * PITCH_PX), 0.0, -1)
    return replace(found.flat, answer=answer)


def chance_near(seen: Inspected) -> Floats:
    """The chance that a hole is seen near each place (shape: [n])."""
    near = np.linalg.norm(seen.offsets, axis=2) < NEAR_PITCHES
    chance: Floats = (seen.cells.reshape(len(near), -1) * near).sum(axis=1)
    return chance


def track_of(orbits: Orbits, layout: Layout) -> Floats:
    """The places of all holes of the track (shape: [n, 2])."""
    track = [orbit for orbit, _ in layout.track]
    return np.asarray(images(orbits.places[track], np.zeros(2), orbits.zones).reshape(-1, 2))


def placed_again(frames: Sequence[Frame], joined: Joined) -> Joined:
    """The same board with each hole where the photographs show it from close by."""
    found = joined.sighting
    if found.orbits.is_asymmetric:
        return joined
    nodes = [orbit for orbit, _ in found.layout.nodes()]
    shown = []
    for number, pose in zip(joined.used, joined.poses, strict=True):
        places = images_seen(frames[number], pose, found.orbits, found.layout)
        shown.append(seen_px(places, pose))
    fitted, poses = with_bundle_adjusted(found, list(joined.poses), shown)
    is_seen = np.any([np.isfinite(places).all(axis=2) for places in shown], axis=0)
    copies, own = fitted.orbits.copies.copy(), fitted.orbits.found.copy()
    copies[nodes] = np.where(
        is_seen, np.maximum(copies[nodes], SEEN_CHANCE), np.minimum(copies[nodes], UNSEEN_CHANCE)
    )
    own[nodes] = np.where(is_seen[..., None], own[nodes], np.nan)
    fitted = replace(fitted, orbits=replace(fitted.orbits, copies=copies, found=own))
    return replace(joined, sighting=fitted, poses=tuple(poses))


def images_seen(frame: Frame, pose: CameraPose, orbits: Orbits, layout: Layout) -> Floats:
    """Where a photograph shows the images of the holes (shape: [26, zones, 2]); NaN where it does not."""
    nodes = [orbit for orbit, _ in layout.nodes()]
    spread = max(drilling_of(layout, orbits).spread, MIN_SPREAD)
    mean = images(orbits.places[nodes], np.zeros(2), orbits.zones).transpose(1, 0, 2)
    seen = inspect(frame, pose, mean.reshape(-1, 2), track_of(orbits, layout))
    off, chance = likeliest(seen, float(np.hypot(SPREAD_FACTOR * spread, SEEN_SIGMA_PITCHES)))
    off[chance < MIN_CHANCE] = np.nan
    spots = (orbits.found[nodes] - mean).reshape(-1, 2)
    return mean + _with_spots(
        seen, off, spots, orbits.copies[nodes].ravel(), MAX_OFF_SIGMAS * spread
    ).reshape(mean.shape)


def _with_spots(seen: Inspected, off: Floats, spots: Floats, chances: Floats, most: float) -> Floats:
    """The offsets seen from close by, together with the spots that the first network took for the holes.

    Where both agree the hole lies between them. A clear spot near which a hole may be seen stays where it is.
    """
    away = np.linalg.norm(seen.offsets - np.nan_to_num(spots, nan=9.0)[:, None], axis=2)
    may_be = (seen.cells.reshape(len(away), -1) * (away < AGREE_PITCHES)).sum(axis=1) > MAY_BE
    agrees = np.linalg.norm(off - spots, axis=1) < AGREE_PITCHES
    stays = ~agrees & may_be & (chances > SURE_CHANCE) & (np.linalg.norm(spots, axis=1) < most)
    both: Floats = np.where(agrees[:, None], (off + spots) / 2, np.where(stays[:, None], spots, off))
    return both


def likeliest(seen: Inspected, sigma: float) -> tuple[Floats, Floats]:
    """The likeliest offset of each hole and the chance that it is seen, drilled off by `sigma`."""
    cells = seen.cells.reshape(len(seen.cells), -1).astype(float)
    square = (seen.offsets**2).sum(axis=2)
    # The network's answers have in them how far off the places of its training were; that is taken out.
    trained = (1 - TRAINED_WIDE_SHARE) * _density(square, TRAINED_SIGMA) + TRAINED_WIDE_SHARE * _density(
        square, TRAINED_WIDE
    )
    weight = cells * _density(square, sigma) / trained
    top = weight.argmax(axis=1)
    at = seen.offsets[np.arange(len(top)), top]
    near: Bools = np.linalg.norm(seen.offsets - at[:, None], axis=2) < PEAK_PITCHES
    peak = cells * near
    off = (peak[..., None] * seen.offsets).sum(axis=1) / np.maximum(peak.sum(axis=1), 1e-12)[:, None]
    total = weight.sum(axis=1)
    return off, total / np.maximum(total + seen.hidden + seen.bare, 1e-12)


def _density(square: Floats, sigma: float) -> Floats:
    """Of a normal distribution in two directions."""
    density: Floats = np.exp(-square / (2 * sigma**2)) / (2 * np.pi * sigma**2)
    return density
