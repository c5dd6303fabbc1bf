"""The search for a board whose zones are not alike, in one photograph that shows every hole.

Constants set in `550b6b82`.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tock_rules import PAWNS_PER_SEAT
from tock_vision.arrays import Floats
from tock_vision.camera_pose import unproject
from tock_vision.discovery import scores
from tock_vision.discovery.asymmetric_layout import AsymmetricLayout, find_asymmetric_layout
from tock_vision.discovery.candidates import CLEAR_SHARE, likeliest
from tock_vision.discovery.color_channels import Shades
from tock_vision.discovery.orbits import HOLES_IN_ZONE, Orbits
from tock_vision.discovery.photo import Pass, Sighting
from tock_vision.discovery.straightened import flatten, in_pitches
from tock_vision.discovery.structure import Layout
from tock_vision.discovery.views import refine_view

MIN_EVEN_STEPS = 0.8
"""Even steps per spot below which the photograph cannot show every hole."""
MARGIN_PITCHES = 2.0
MAX_MIDDLE_PITCHES = 3.0
"""Distance of the middle hole from the mean of the inner ends of all homes."""


def find_asymmetric(shades: Shades, pass_: Pass, counts: Sequence[int]) -> Sighting | None:
    """Find the board that a pass over the photograph shows; None where it shows none, or not every hole."""
    if pass_.evenness < MIN_EVEN_STEPS:
        return None
    spots_px = pass_.pose.project(pass_.spots)
    even = refine_view(pass_.even, spots_px)
    pose = in_pitches(even.view.pose(), even.step, np.zeros(2))
    points = unproject(pose, spots_px)
    middle = np.nanmean(points, axis=0)
    pose, points = in_pitches(pose, 1.0, middle), points - middle
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    flat = flatten(shades, pose, low - MARGIN_PITCHES, high + MARGIN_PITCHES)
    spots, chances = flat.spots()
    clear = likeliest(chances)
    spots, chances = spots[clear], chances[clear]
    strengths = np.clip(chances / np.median(chances), 0, 1)
    found = find_asymmetric_layout(spots[:, 0] + 1j * spots[:, 1], strengths, counts)
    if found is None or found.score < scores.TOUCHED:
        return None
    middle = _middle(found, spots, chances)
    pose, flat = in_pitches(pose, 1.0, middle), replace(flat, origin=flat.origin - middle)
    return Sighting(pose, flat, _orbits(found, spots - middle, chances), _layout(found))


def _middle(found: AsymmetricLayout, spots: Floats, chances: Floats) -> Floats:
    """The place of the middle hole: a clear spot left between the homes, else their mean."""
    inner = spots[[zone[HOLES_IN_ZONE - PAWNS_PER_SEAT - 1] for zone in found.zones]].mean(axis=0)
    left = np.setdiff1d(np.arange(len(spots)), np.ravel(found.zones))
    left = left[chances[left] > CLEAR_SHARE * np.median(chances)]
    far = np.linalg.norm(spots[left] - inner, axis=1)
    if not len(left) or far.min() > MAX_MIDDLE_PITCHES:
        return np.asarray(inner)
    return np.asarray(spots[left[int(far.argmin())]])


def _layout(found: AsymmetricLayout) -> Layout:
    nodes = tuple((number, 0) for number in range(HOLES_IN_ZONE))
    return Layout(
        len(found.zones),
        nodes[:18],
        nodes[18:22],
        nodes[22:],
        found.score,
        found.margin,
        found.score,
    )


def _orbits(layout: AsymmetricLayout, spots: Floats, chances: Floats) -> Orbits:
    """The holes of all zones, put side by side as if they were images of each other."""
    numbers = np.array(layout.zones).T
    found, copies = spots[numbers], chances[numbers]
    back = np.exp(-2j * np.pi * np.arange(len(layout.zones)) / len(layout.zones))
    mean = ((found[..., 0] + 1j * found[..., 1]) * back).mean(axis=1)
    places = np.column_stack([mean.real, mean.imag])
    return Orbits(len(layout.zones), places, copies.mean(axis=1), copies, found, is_asymmetric=True)
