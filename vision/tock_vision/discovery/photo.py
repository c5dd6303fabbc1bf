"""A board found in one photograph: the view of its plane, its symmetry, its holes and what they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tock_companion.boardfile.model import ZONES
from tock_vision.arrays import Floats, Gray
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.candidates import find_candidates
from tock_vision.discovery.flat import Flat, flatten, in_pitches
from tock_vision.discovery.orbits import Orbits, find_orbits, refit
from tock_vision.discovery.structure import Layout, find_layout
from tock_vision.discovery.symmetry import find_centres
from tock_vision.discovery.touched import Starts
from tock_vision.discovery.track import Spots
from tock_vision.discovery.views import EvenView, even_step, find_even_views, refine_view

BANDS_PX = (5.2, 3.7, 7.4, 2.6, 10.5)
BAND = 1.5
"""Holes of one board seem at most this much larger or smaller than their usual size in a photograph."""
MOST_SPOTS = 320
FEWEST_SPOTS = 40
EXTENT_PITCHES = {4: 12.5, 6: 15.5, 8: 17.5}
"""How far from the centre holes lie at most."""
TRIED_IN_BAND = 3
TOUCHED_VIEWS = 2
LEAST_CENTRE = 6.0
CLEAR_SCORE, CLEAR_MARGIN = 9.5, 0.6
"""A layout as good as this needs no rival."""
HOLES_IN_ZONE = 26
STRONGEST_FITTED = 40
FITS, SETTLED_PITCHES = 4, 0.06


@dataclass(frozen=True)
class Hypothesis:
    """A plane and a centre of symmetry on it (the origin of the pose, the unit being a pitch)."""

    zones: int
    pose: CameraPose
    score: float


@dataclass(frozen=True)
class Sighting:
    """A board as one photograph shows it."""

    pose: CameraPose
    flat: Flat
    orbits: Orbits
    layout: Layout

    @property
    def zones(self) -> int:
        """The number of zones."""
        return self.layout.zones

    @property
    def is_clear(self) -> bool:
        """Whether no other reading of the photograph needs to be tried."""
        return self.layout.score > CLEAR_SCORE and self.layout.margin > CLEAR_MARGIN

    def spare(self) -> Floats:
        """What looks like holes and is none of the layout, the likeliest first (shape: [n, 2])."""
        used = {orbit for orbit, _ in self.layout.nodes()}
        others = [orbit for orbit in range(len(self.orbits.places)) if orbit not in used]
        places = spots_of(self.orbits).table[others].ravel()
        return np.column_stack([places.real, places.imag])


def find_board(gray: Gray, zones: Sequence[int] = ZONES, starts: Starts | None = None) -> Sighting | None:
    """Find a board whose holes nobody has described; None when no layout fits."""
    if starts is not None:
        zones = (starts.zones,)
    best: Sighting | None = None
    tried: list[Hypothesis] = []
    for hypotheses in _hypotheses(gray, zones, starts):
        for hypothesis in hypotheses[:TRIED_IN_BAND]:
            if any(_same(hypothesis, other) for other in tried):
                continue
            tried.append(hypothesis)
            found = _settled(gray, hypothesis, starts)
            if found is not None and (best is None or found.layout.score > best.layout.score):
                best = found
            if best is not None and best.is_clear:
                return best
    return best


def _hypotheses(gray: Gray, zones: Sequence[int], starts: Starts | None) -> Iterator[list[Hypothesis]]:
    """Planes and centres from each way of looking at the photograph, the best first."""
    for rough, places_px in _first_views(gray, starts):
        clean_px = _clean(gray, rough, places_px)
        if len(clean_px) < FEWEST_SPOTS:
            continue
        # What looks like a hole once straightened lies more evenly than what was round before.
        even = refine_view(rough, clean_px)
        points = _on_plane(even, clean_px)
        if len(points) < FEWEST_SPOTS:
            continue
        found = [
            Hypothesis(count, _pose(even, centre.place), centre.score)
            for count in zones
            for centre in find_centres(points, count)
            if centre.score > LEAST_CENTRE
        ]
        yield sorted(found, key=lambda one: -one.score)


def _first_views(gray: Gray, starts: Starts | None) -> Iterator[tuple[EvenView, Floats]]:
    """Rough views, with the spots that they are to hold for."""
    size_px = (gray.shape[1], gray.shape[0])
    candidates = find_candidates(gray)
    bands = []
    for radius in BANDS_PX:
        band = (candidates.radii_px > radius / BAND) & (candidates.radii_px < radius * BAND)
        places_px = candidates.take(band).places_px[:MOST_SPOTS]
        if len(places_px) >= FEWEST_SPOTS:
            bands.append(places_px)
    if starts is not None:
        views = [(even_step(even.view, spots), spots) for even in starts.views(size_px) for spots in bands]
        yield from sorted(views, key=lambda row: -row[0].score / len(row[1]))[:TOUCHED_VIEWS]
    for spots in bands:
        yield find_even_views(spots, size_px)[0], spots


def _clean(gray: Gray, even: EvenView, places_px: Floats) -> Floats:
    """What looks like holes in the photograph straightened, in pixels of the photograph."""
    points = _on_plane(even, places_px)
    if len(points) < FEWEST_SPOTS:
        return np.zeros((0, 2))
    pose = _pose(even, np.zeros(2))
    places, chance = flatten(gray, pose, *_corners(points)).spots()
    return pose.project(places[np.argsort(-chance)[:MOST_SPOTS]])


def _on_plane(even: EvenView, places_px: Floats) -> Floats:
    points = even.view.to_plane(places_px) / even.step
    return points[np.isfinite(points).all(axis=1)]


def _pose(even: EvenView, origin: Floats) -> CameraPose:
    return in_pitches(even.view.pose(), even.step, origin * even.step)


def _corners(points: Floats) -> tuple[Floats, Floats]:
    return np.quantile(points, 0.04, axis=0) - 3, np.quantile(points, 0.96, axis=0) + 3


def _same(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses say nearly the same."""
    probe = np.array([[0.0, 0.0], [4, 0], [0, 4], [-4, 0], [0, -4]])
    mine, its = one.pose.project(probe), other.pose.project(probe)
    step = float(np.linalg.norm(mine[1] - mine[0])) / 4
    return one.zones == other.zones and float(np.linalg.norm(mine - its, axis=1).max()) < 0.25 * step


def _settled(gray: Gray, hypothesis: Hypothesis, starts: Starts | None) -> Sighting | None:
    """Fit the pose to the symmetry, then look for a layout."""
    pose, zones = hypothesis.pose, hypothesis.zones
    extent = EXTENT_PITCHES[zones]
    corner = np.full(2, extent + 1)
    probe = 0.7 * extent * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    for _ in range(FITS):
        flat = flatten(gray, pose, -corner, corner)
        orbits = find_orbits(flat, zones, extent)
        fitted = refit(pose, orbits, STRONGEST_FITTED)
        moved = np.abs(fitted.project(probe) - pose.project(probe)).max() / pose.scale(probe).min()
        if moved < SETTLED_PITCHES:
            break
        pose = fitted
    if len(orbits.places) < HOLES_IN_ZONE:
        return None
    layout = find_layout(spots_of(orbits), None if starts is None else starts.start(pose))
    return None if layout is None else Sighting(pose, flat, orbits, layout)


def spots_of(orbits: Orbits) -> Spots:
    """Orbits as the search for a layout takes them."""
    usual = float(np.median(np.sort(orbits.strengths)[-HOLES_IN_ZONE:]))
    places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    return Spots(orbits.zones, places, np.clip(orbits.strengths / usual, 0, 1))
