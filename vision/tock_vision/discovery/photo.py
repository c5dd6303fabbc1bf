"""Finds a board in one photograph: the view of its plane, its symmetry, its holes and their names.

Constants set in `1f377510`; MAX_OUTSIDE_SHARE, MIN_SPOTS, STRONGEST_FITTED in `4c76c3e3`; FAINT_BANDS in `267b8779`;
MIN_EVEN_STEPS in `62d5e4e2`; CUT_OFF_COST in `d0cdcf1d`; EXTENT_PITCHES in `1d778ed5`; BEYOND_PITCHES in `4a0b9128`;
NEARBY_FITTED, SYMMETRIC_SHARE in `3de285a5`; BENT in `4107ae4c`; PROMISING, SIZES_IN_VAIN in `6af95672`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery import scores
from tock_vision.discovery.bundle_adjustment import adjust_bundle, seen_px
from tock_vision.discovery.candidates import CLEAR_SHARE, FAINT_SHARE, Band, Bands, likeliest
from tock_vision.discovery.color_channels import Shades
from tock_vision.discovery.orbits import (
    Orbits,
    find_orbits,
    refit,
    usual_strength,
    with_gaps,
    with_start,
)
from tock_vision.discovery.straightened import Flat, flatten, in_pitches, moved
from tock_vision.discovery.structure import Layout, find_layout
from tock_vision.discovery.symmetry import Turned, find_centres, fit_turned
from tock_vision.discovery.touch_hints import Starts
from tock_vision.discovery.track import TOCK, Form, Spots
from tock_vision.discovery.views import EvenView, even_step, find_even_views, nearby_views, refine_view

MIN_SPOTS = 40
FAINT_BANDS = 2
"""Number of sizes at which faint spots are tried too."""
EXTENT_PITCHES = {4: 17.5, 6: 22.5, 8: 28.5}
"""Maximum distance of holes from the centre of a Tock board, by number of zones."""
TRIED_IN_PASS, VIEWS_TRIED = 2, 2
"""Hypotheses tried in a pass, and views of a set of spots: a steep view can look as even as the true one."""
MIN_EVEN_STEPS, PROMISING = 0.6, 0.8
"""Even steps per spot from which the spots may be holes, and from which they are likely to be; other things lie at
random."""
SIZES_IN_VAIN = (4, 2)
"""Sizes after which a search ends that has seen no clear holes, even steps or symmetry: in grey, by all colours."""
MIN_CENTRE_SPOTS = 24.0
"""Spots that must map onto spots when a good part of a board is seen."""
MAX_OUTSIDE_SHARE, CUT_OFF_COST = 0.02, 2.0
SYMMETRIC_SHARE, NEARBY_FITTED = 0.5, 8
"""Share of spots that map onto spots below which nearby views are tried too, and how many centres are fitted."""
STRONGEST_FITTED = 40
BENT = 0.04
"""Radial term from which views are sought through the lens that straight lines show; the usual ones find others."""
BEYOND_PITCHES = 7.0
FITS, SETTLED_PITCHES = 2, 0.1


@dataclass(frozen=True)
class Pass:
    """One pass over the photograph: straightened once, with hypotheses about its board."""

    flat: Flat
    pose: CameraPose
    spots: Floats
    """Places that look like holes, in pitches (shape: [n, 2])."""
    evenness: float
    """Even steps per spot."""
    hypotheses: list[Turned]
    even: EvenView
    """The view in which spots lie most evenly."""


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
        """Whether the sighting is good enough to end the search."""
        is_good = self.layout.score > scores.CLEAR and self.layout.margin > scores.CLEAR_MARGIN
        return is_good and not self.is_cut_off

    @property
    def worth(self) -> float:
        """Score for ranking; a board that seems cut off is usually another one, seen wrongly."""
        return self.layout.score - CUT_OFF_COST * self.is_cut_off

    @property
    def is_cut_off(self) -> bool:
        """Whether some of its holes lie outside the photograph."""
        if self.orbits.is_asymmetric:
            # Every hole of it is seen.
            return False
        table = spots_of(self.orbits).table
        holes = np.array([table[orbit] for orbit, _ in self.layout.nodes()]).ravel()
        places = self.pose.project(np.column_stack([holes.real, holes.imag]))
        outside = ((places < 0) | (places > np.array(self.pose.size_px) - 1)).any(axis=1)
        return bool(outside.mean() > MAX_OUTSIDE_SHARE)

    def unplaced(self) -> Floats:
        """Places that look like holes but are not in the layout, the likeliest first (shape: [n, 2])."""
        used = {orbit for orbit, _ in self.layout.nodes()}
        others = [orbit for orbit in range(len(self.orbits.places)) if orbit not in used]
        places = spots_of(self.orbits).table[others].ravel()
        return np.column_stack([places.real, places.imag])


def passes(
    bands: Bands, zones: Sequence[int], starts: Starts | None, radial: float | None = None
) -> Iterator[Pass]:
    """Yield passes over the photograph with the planes and centres that each suggests, the most promising first.

    `radial` is the radial term of its lens, where straight lines show it.
    """
    if radial is not None and abs(radial) < BENT:
        radial = None
    is_promising = starts is not None
    for number, (band, share) in enumerate(_bands(bands)):
        for rough, places_px in _first_views(bands, band, share, starts, radial):
            pass_ = _make_pass(bands.shades, rough, places_px, share, zones, starts, radial)
            if pass_ is not None:
                is_promising = is_promising or bool(pass_.hypotheses) or pass_.evenness > PROMISING
                yield pass_
        is_promising = is_promising or bands.are_clear
        if number + 1 == SIZES_IN_VAIN[len(bands.greys) > 1] and not is_promising:
            return


def _make_pass(
    shades: Shades,
    rough: EvenView,
    places_px: Floats,
    share: float,
    zones: Sequence[int],
    starts: Starts | None,
    radial: float | None,
) -> Pass | None:
    points = _on_plane(rough, places_px)
    if len(points) < MIN_SPOTS:
        return None
    pose = _pose(rough, np.zeros(2))
    flat = flatten(shades, pose, *_corners(points))
    places, chance = flat.spots()
    spots = places[likeliest(chance, share)]
    clean_px = pose.project(spots)
    if len(clean_px) < MIN_SPOTS:
        return None
    # Spots found in the straightened picture lie more evenly than those found before.
    even = refine_view(rough, clean_px, radial)
    points = _on_plane(even, clean_px)
    if len(points) < MIN_SPOTS:
        return None
    evenness = even.score / len(points)
    if evenness < MIN_EVEN_STEPS and starts is None:
        return Pass(flat, pose, spots, evenness, [], even)
    starting = [
        (count, _pose(even, centre.place)) for count in zones for centre in find_centres(points, count)
    ]
    if starts is not None:
        starting = [(starts.zones, _pose(even, _on_plane(even, starts.places_px).mean(axis=0))), *starting]
    found = _with_twice_the_zones(_fitted(starting, clean_px), clean_px, zones)
    if not found or found[0].score < SYMMETRIC_SHARE * len(clean_px):
        found = _best_first([*found, *_fitted(_starting_nearby(even, clean_px, zones, radial), clean_px)])
    return Pass(flat, pose, spots, evenness, found, even)


def _fitted(starting: Sequence[tuple[int, CameraPose]], places_px: Floats) -> list[Turned]:
    turned = [fit_turned(begun, places_px, count) for count, begun in starting]
    return _best_first([one for one in turned if one is not None and one.score > MIN_CENTRE_SPOTS])


def _with_twice_the_zones(found: list[Turned], places_px: Floats, zones: Sequence[int]) -> list[Turned]:
    """The same views and, where the best has half the zones of a board, that board: it maps onto itself so, too."""
    best = found[0] if found else None
    if best is None or 2 * best.zones not in zones or best.score < SYMMETRIC_SHARE * len(places_px):
        return found
    twice = fit_turned(best.pose, places_px, 2 * best.zones)
    return found if twice is None or twice.score < best.score else [twice, *found]


def _best_first(found: list[Turned]) -> list[Turned]:
    return sorted(found, key=lambda one: -one.score)


def _starting_nearby(
    even: EvenView, places_px: Floats, zones: Sequence[int], radial: float | None
) -> list[tuple[int, CameraPose]]:
    """The likeliest centres in views near an even one, since rows side by side and bad drilling mislead evenness."""
    centres = [
        (centre, near)
        for near in nearby_views(even, places_px, radial)
        for points in (_on_plane(near, places_px),)
        for count in zones
        for centre in find_centres(points, count)
    ]
    centres.sort(key=lambda pair: -pair[0].votes)
    return [(centre.zones, _pose(near, centre.place)) for centre, near in centres[:NEARBY_FITTED]]


def _first_views(
    bands: Bands, band: Band, share: float, starts: Starts | None, radial: float | None
) -> Iterator[tuple[EvenView, Floats]]:
    """Yield rough views of the spots at one size, `share` times as clear as usual ones or more, and those spots."""
    size_px = (bands.shades.shape[1], bands.shades.shape[0])
    places_px = band.places_px[likeliest(band.chances, share)]
    if len(places_px) < MIN_SPOTS:
        return
    if starts is not None:
        views = [even_step(even.view, places_px) for even in starts.views(size_px, radial)]
        if views:
            yield max(views, key=lambda view: view.score), places_px
    for view in find_even_views(places_px, size_px, radial)[:VIEWS_TRIED]:
        yield view, places_px


def _bands(bands: Bands) -> Iterator[tuple[Band, float]]:
    """Yield spots at one size after the other, clear ones alone, then at some sizes with faint ones too."""
    for band in bands:
        yield band, CLEAR_SHARE
    for band in islice(bands, FAINT_BANDS):
        yield band, FAINT_SHARE


def _on_plane(even: EvenView, places_px: Floats) -> Floats:
    points = even.view.to_plane(places_px) / even.step
    return points[np.isfinite(points).all(axis=1)]


def _pose(even: EvenView, origin: Floats) -> CameraPose:
    return in_pitches(even.view.pose(), even.step, origin * even.step)


def _corners(points: Floats) -> tuple[Floats, Floats]:
    """Corners around most spots and those somewhat beyond, as rows of camps may lead far out."""
    low, high = np.quantile(points, 0.04, axis=0), np.quantile(points, 0.96, axis=0)
    near = points[((points > low - BEYOND_PITCHES) & (points < high + BEYOND_PITCHES)).all(axis=1)]
    return np.minimum(low - 3, near.min(axis=0) - 1), np.maximum(high + 3, near.max(axis=0) + 1)


def extent_pitches(zones: int, form: Form) -> float:
    """Maximum distance of holes from the centre; a longer ring reaches farther out."""
    return EXTENT_PITCHES[zones] * max(1.0, form.length / TOCK.length)


def same_plane(one: Turned, other: Turned) -> bool:
    """Whether two hypotheses nearly coincide."""
    probe = np.array([[0.0, 0.0], [4, 0], [0, 4], [-4, 0], [0, -4]])
    mine, its = one.pose.project(probe), other.pose.project(probe)
    step = float(np.linalg.norm(mine[1] - mine[0])) / 4
    return one.zones == other.zones and float(np.linalg.norm(mine - its, axis=1).max()) < 0.25 * step


def settle(pass_: Pass, hypothesis: Turned, starts: Starts | None, form: Form = TOCK) -> Sighting | None:
    """Fit the pose to the symmetry, then look for a layout."""
    pose, zones = hypothesis.pose, hypothesis.zones
    extent = extent_pitches(zones, form)
    corner = np.full(2, extent + 1)
    probe = 0.7 * extent * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    for _ in range(FITS):
        flat = moved(pass_.flat, pass_.pose, pose, -corner, corner)
        orbits = find_orbits(flat, zones, extent)
        fitted = refit(pose, orbits, STRONGEST_FITTED)
        shift = np.abs(fitted.project(probe) - pose.project(probe)).max() / pose.scale(probe).min()
        if shift < SETTLED_PITCHES:
            break
        pose = fitted
    else:
        flat = moved(pass_.flat, pass_.pose, pose, -corner, corner)
        orbits = find_orbits(flat, zones, extent)
    return _with_layout(pose, flat, orbits, starts, form)


def see_again(
    shades: Shades,
    found: Sighting,
    starts: Starts | None,
    radial: float | None = None,
) -> Sighting:
    """Straighten the photograph by the pose that was found, and find the layout again.

    `radial` is the radial term of its lens, where straight lines show it.
    """
    extent = extent_pitches(found.zones, found.layout.form)
    corner = np.full(2, extent + 1)
    flat = flatten(shades, found.pose, -corner, corner)
    pose = refit(found.pose, find_orbits(flat, found.zones, extent), STRONGEST_FITTED)
    flat = moved(flat, found.pose, pose, -corner, corner)
    again = _with_layout(pose, flat, find_orbits(flat, found.zones, extent), starts, found.layout.form)
    kept = found if again is None or again.layout.score < found.layout.score - scores.WORSE else again
    adjusted = _adjusted(kept, radial)
    if adjusted.layout.margin > scores.CLEAR_MARGIN and adjusted.layout.camp_margin > scores.CLEAR_MARGIN:
        return adjusted
    # Exact places may tell layouts apart that were nearly equal before.
    start = None if starts is None else starts.start(adjusted.pose)
    better = layout_of(adjusted.orbits, start, found.layout.form)
    if better is None or better.nodes() == adjusted.layout.nodes():
        return adjusted
    return _adjusted(replace(adjusted, layout=better), radial)


def _adjusted(found: Sighting, radial: float | None) -> Sighting:
    nodes = [orbit for orbit, _ in found.layout.nodes()]
    seen = seen_px(found.orbits.found[nodes], found.pose)
    return with_bundle_adjusted(found, [found.pose], [seen], [radial])[0]


def with_bundle_adjusted(
    found: Sighting, poses: list[CameraPose], seen: Sequence[Floats], radials: Sequence[float | None]
) -> tuple[Sighting, list[CameraPose]]:
    """Fit the poses of all photographs and the holes of the board together; the first pose is the sighting's.

    `seen` is where the photographs show the holes of the layout, and `radials` the radial terms of their lenses, both
    as `adjust_bundle` takes them.
    """
    fitted = adjust_bundle(poses, seen, found.orbits, found.layout, radials)
    if fitted is None:
        return found, poses
    better, orbits = fitted
    corner = np.full(2, extent_pitches(found.zones, found.layout.form) + 1)
    flat = moved(found.flat, found.pose, better[0], -corner, corner)
    return replace(found, pose=better[0], flat=flat, orbits=orbits), better


def _with_layout(
    pose: CameraPose, flat: Flat, orbits: Orbits, starts: Starts | None, form: Form
) -> Sighting | None:
    if len(orbits.places) < form.holes:
        return None
    orbits = with_gaps(orbits, flat)
    start = None if starts is None else starts.start(pose)
    if start is not None:
        orbits = with_start(orbits, flat, start)
    layout = layout_of(orbits, start, form)
    return None if layout is None else Sighting(pose, flat, orbits, layout)


def layout_of(orbits: Orbits, start: complex | None, form: Form) -> Layout | None:
    """The likeliest layout, its score as if its zones had as many holes as those of a Tock board."""
    layout = find_layout(spots_of(orbits), start, form)
    if layout is None or form == TOCK:
        return layout
    return replace(layout, score=layout.score + scores.FULL * (1 - form.holes / TOCK.holes))


def spots_of(orbits: Orbits) -> Spots:
    """Orbits as input for the search for a layout."""
    usual = usual_strength(orbits)
    places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    return Spots(orbits.zones, places, np.clip(orbits.strengths / usual, 0, 1))
