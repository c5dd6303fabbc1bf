"""The lens of a photograph from the track in it: turning by a zone leaves the lens open, even steps do not."""

import numpy as np

from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, fit
from tock_vision.discovery.orbits import Orbits, moved_onto, seen_images
from tock_vision.discovery.structure import Layout

ROUNDS = 2
STEP_SIGMA, HUBER = 0.03, 1.5
"""How even steps of a well drilled track are, as a logarithm; a corner that is cut may be off by more."""
STRETCH_SIGMA = 0.02
"""By how much a lens that was not seen stretches the rim of a board, relative to its middle."""
STRETCHES = np.linspace(-0.09, 0.09, 61)
PLACE_SIGMA_PITCHES = 0.06
LENSES = (-0.35, 0.08)
"""Terms of lenses that phones and cameras have; others come from a track that is uneven itself."""


def even_lens(pose: CameraPose, orbits: Orbits, layout: Layout) -> CameraPose:
    """The pose with that lens in which the holes of the track lie most evenly."""
    known = pose
    for _ in range(ROUNDS):
        rim = float(np.linalg.norm(orbits.places[[orbit for orbit, _ in layout.track]], axis=1).max())
        stretch = _most_even(_track(orbits, layout), rim)
        seen = seen_images(orbits)
        if seen is None:
            return known
        places, found = seen
        far = np.linalg.norm(places, axis=1, keepdims=True) / rim
        places = places * (1 + stretch * far**2)
        better = fit(pose, places, pose.project(found), PLACE_SIGMA_PITCHES * pose.scale(places))
        orbits, pose = moved_onto(orbits, pose, better), better
    return pose if LENSES[0] < pose.params[7] < LENSES[1] else known


def _track(orbits: Orbits, layout: Layout) -> Floats:
    """Where the track runs from one start to the next: complex (shape: [19])."""
    places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    zone = [places[orbit] * np.exp(2j * np.pi * turn / orbits.zones) for orbit, turn in layout.track]
    return np.array([*zone, zone[0] * np.exp(2j * np.pi / orbits.zones)])


def _most_even(track: Floats, rim: float) -> float:
    """By how much the rim must be stretched to make steps even."""
    stretched = track[None] * (1 + STRETCHES[:, None] * (np.abs(track[None]) / rim) ** 2)
    steps = np.log(np.abs(np.diff(stretched, axis=1)))
    off = np.abs(steps - np.median(steps, axis=1, keepdims=True))
    sigma = max(STEP_SIGMA, float(np.median(off, axis=1).min()) / 0.6745)
    off /= sigma
    uneven = np.where(off < HUBER, off**2, HUBER * (2 * off - HUBER)).sum(axis=1)
    return float(STRETCHES[int((uneven + (STRETCHES / STRETCH_SIGMA) ** 2).argmin())])
