"""Bundle adjustment: the poses and lenses of all photographs and the places of the holes, fitted together.

See Triggs et al., *Bundle Adjustment – A Modern Synthesis* (2000). Fitted one after the other they would stay where
they began, because moving the holes makes up for a wrong lens. One zone of 26 holes stands for the board: hole k of
zone z is seen where pose and lens project its place, turned by z zones. The rows of the Jacobian, whose residuals are
in sigmas:

                       8 parameters per photograph    2 per hole
    images, x and y    of that photograph             of that hole      reprojection, two rows per image seen
    prior              focal length, lens             all, loosely      so that nothing turns or zooms without reason
    steps              -                              of both ends      18 steps of the track are one pitch long

A photograph of a board for four with all 104 images seen gives 208 + 2 + 52 + 18 rows and 8 + 52 columns. Cauchy's
loss lets single wrong spots pull hardly at all. Of 28 pictures of made boards, fitting together lowered the 95th
percentile of misplacement from 0.107 to 0.088 pitches on average.

Constants set in `907639e7`; KINDS in `08d87b9a`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tock_vision.arrays import Floats, Ints
from tock_vision.camera_pose import CameraPose, jacobian, unproject
from tock_vision.discovery.orbits import Orbits, moved_onto
from tock_vision.discovery.regularity import Regularity, regularity_of
from tock_vision.discovery.structure import Layout
from tock_vision.discovery.views import KNOWN_SIGMA
from tock_vision.least_squares import Cauchy, least_squares


class Lens(NamedTuple):
    """A kind of lens: its focal length in widths of the frame and its radial term."""

    focal: float
    radial: float
    focal_sigma: float
    """Freedom of the logarithm of the focal length."""
    radial_sigma: float = 0.035


KINDS = (Lens(0.85, 0.0, 0.3), Lens(0.6, -0.12, 0.15))
"""Lenses of phones and most cameras, and wide ones, which bend lines: a lens that sees little bends little."""
ROUNDS = 15
FAR_SIGMAS = 2.0
"""Residuals beyond this many sigmas are down-weighted: a wrong spot must not move a hole."""
SEEN_SIGMAS = (0.03, 0.12)
"""Bounds, in pitches, of the sigma that the images of a board's holes themselves show at the start."""
PLACE_SIGMA_PITCHES = 3.0
"""Loose, for what no image fixes: how the board is turned on its plane."""
LENSES = (-0.35, 0.05)
"""Radial terms beyond these belong to no camera: the fit went astray."""
MIN_IMAGES = 40


@dataclass(frozen=True)
class _Seen:
    """One photograph: which images of which holes are seen, and where (shapes: [n], [n], [n, 2])."""

    orbit: Ints
    zone: Ints
    at_px: Floats


def adjust_bundle(
    poses: Sequence[CameraPose],
    found_px: Sequence[Floats],
    orbits: Orbits,
    layout: Layout,
    radials: Sequence[float | None],
) -> tuple[list[CameraPose], Orbits] | None:
    """Fit poses and orbits together; `found_px` is where each photograph shows the holes of the layout.

    Its shape is [26, zones, 2], NaN where a hole is not seen; `radials` are the radial terms that straight lines show.
    None if too few holes are seen or a lens comes out impossible.
    """
    # Only holes of the layout are fitted; other orbits follow the plane (`moved_onto`).
    nodes = [orbit for orbit, _ in layout.nodes()]
    shown = [np.isfinite(found).all(axis=2) for found in found_px]
    if min(int(seen.sum()) for seen in shown) < MIN_IMAGES:
        return None
    seen, places = tuple(_seen(found) for found in found_px), orbits.places[nodes]
    regular = regularity_of(layout, places, max(_spreads(poses, seen, places, orbits.zones)))
    begun = tuple(_with_radial(pose, radial) for pose, radial in zip(poses, radials, strict=True))
    kinds = [_kinds(radial) for radial in radials]
    lenses = tuple(_nearest_kind(pose, own) for pose, own in zip(begun, kinds, strict=True))
    best = _Problem(begun, seen, places, orbits.zones, regular, lenses).solved()
    for number, lens in enumerate(lenses):
        others = (*lenses[:number], *(kind for kind in kinds[number] if kind != lens), *lenses[number + 1 :])
        other = _Problem(begun, seen, places, orbits.zones, regular, others).solved()
        if other.loss < best.loss:
            best, lenses = other, others
    better, places = best.poses, best.places
    if not all(LENSES[0] < pose.params[7] < LENSES[1] for pose in better):
        return None
    moved = moved_onto(orbits, poses[0], better[0])
    whole, found = moved.places.copy(), moved.found.copy()
    whole[nodes] = places
    own = np.stack([_on_plane(pose, seen) for pose, seen in zip(better, found_px, strict=True)])
    # Each image is placed where the photographs that see it put it, in the middle of them.
    some = np.isfinite(own[..., 0]).any(axis=0)
    clear = found[nodes]
    clear[some] = np.nanmedian(own[:, some], axis=0)
    found[nodes] = clear
    return better, replace(moved, places=whole, found=found)


def _seen(found_px: Floats) -> _Seen:
    shown = np.isfinite(found_px).all(axis=2)
    orbit, zone = np.nonzero(shown)
    return _Seen(orbit, zone, found_px[shown])


def _spins(zones: int) -> Floats:
    """Turns by 0, 1, 2, … zones: constant matrices, so an image is linear in the place of its hole."""
    angle = 2 * np.pi * np.arange(zones) / zones
    return np.array([[[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]] for a in angle])


def _images(places: Floats, seen: _Seen, zones: int) -> Floats:
    """The places of the images that a photograph shows, on the plane (shape: [n, 2])."""
    at: Floats = np.einsum("nij,nj->ni", _spins(zones)[seen.zone], places[seen.orbit])
    return at


def _spreads(poses: Sequence[CameraPose], seen: Sequence[_Seen], places: Floats, zones: int) -> list[float]:
    """The sigma of the images in each photograph, in pitches, from how far they are off at the start."""
    spreads = []
    for pose, one in zip(poses, seen, strict=True):
        at = _images(places, one, zones)
        off = np.abs(pose.project(at) - one.at_px) / pose.scale(at)[:, None]
        # Half of all values lie within 0.6745 sigmas.
        spreads.append(float(np.clip(np.median(off) / 0.6745, *SEEN_SIGMAS)))
    return spreads


def _with_radial(pose: CameraPose, radial: float | None) -> CameraPose:
    """The same pose with the radial term that straight lines show, where they do."""
    if radial is None:
        return pose
    params = pose.params.copy()
    params[7] = radial
    return replace(pose, params=params, covariance=None)


def _kinds(radial: float | None) -> tuple[Lens, ...]:
    """The kinds of lenses that a photograph may have been taken with."""
    if radial is None:
        return KINDS
    return tuple(kind._replace(radial=radial, radial_sigma=KNOWN_SIGMA) for kind in KINDS)


def _nearest_kind(pose: CameraPose, kinds: Sequence[Lens]) -> Lens:
    """The kind that bends lines as the pose does, or else with the nearest focal length."""
    focal, radial = float(pose.params[6]) - np.log(pose.size_px[0]), float(pose.params[7])
    return min(kinds, key=lambda kind: (abs(kind.radial - radial), abs(np.log(kind.focal) - focal)))


class _Solved(NamedTuple):
    poses: list[CameraPose]
    places: Floats
    loss: float


class _Problem:
    """Everything that is fitted, as one vector: eight parameters of each pose, then two of each hole."""

    def __init__(
        self,
        poses: tuple[CameraPose, ...],
        seen: tuple[_Seen, ...],
        places: Floats,
        zones: int,
        regular: Regularity,
        lenses: Sequence[Lens],
    ) -> None:
        self.poses, self.seen, self.zones, self.regular = poses, seen, zones, regular
        self.lenses = lenses
        self.start = np.concatenate([*(pose.params for pose in poses), places.ravel()])
        self.spins = _spins(zones)
        spreads = _spreads(poses, seen, places, zones)
        self.sigmas = [
            spread * pose.scale(_images(places, one, zones))
            for pose, one, spread in zip(poses, seen, spreads, strict=True)
        ]

    def solved(self) -> "_Solved":
        """The poses and places with the least loss."""
        loss = Cauchy(FAR_SIGMAS)
        found = least_squares(self._residuals, self._jacobian, self.start, loss, rounds=ROUNDS).params
        count = len(self.poses)
        poses = [
            replace(pose, params=own, covariance=None)
            for pose, own in zip(self.poses, found[: 8 * count].reshape(count, 8), strict=True)
        ]
        total = loss.total(np.abs(self._residuals(found)))
        return _Solved(poses, found[8 * count :].reshape(-1, 2), total)

    def _residuals(self, params: Floats) -> Floats:
        """All residuals in sigmas (shape: [m]): images, priors, steps."""
        places = self._places(params)
        images = [self._image_residuals(number, params) for number in range(len(self.poses))]
        off = self._prior_weights() * (params - self._usual())
        return np.concatenate([*images, off[self._prior_weights() > 0], self.regular.residuals(places)])

    def _jacobian(self, params: Floats) -> Floats:
        """The derivatives of the residuals by the parameters (shape: [m, p])."""
        images = [self._image_slopes(number, params) for number in range(len(self.poses))]
        weights = self._prior_weights()
        even = self.regular.slopes(self._places(params))
        even = np.column_stack([np.zeros((len(even), 8 * len(self.poses))), even])
        return np.concatenate([*images, np.diag(weights)[weights > 0], even])

    def _places(self, params: Floats) -> Floats:
        return params[8 * len(self.poses) :].reshape(-1, 2)

    def _pose(self, number: int, params: Floats) -> CameraPose:
        return replace(self.poses[number], params=params[8 * number : 8 * number + 8])

    def _image_residuals(self, number: int, params: Floats) -> Floats:
        seen = self.seen[number]
        at = _images(self._places(params), seen, self.zones)
        off = (self._pose(number, params).project(at) - seen.at_px) / self.sigmas[number][:, None]
        return off.ravel()

    def _image_slopes(self, number: int, params: Floats) -> Floats:
        seen, pose = self.seen[number], self._pose(number, params)
        at = _images(self._places(params), seen, self.zones)
        slope = np.zeros((len(at), 2, len(params)))
        slope[:, :, 8 * number : 8 * number + 8] = jacobian(pose.params, pose.radius_px, at)
        # How the pixel moves with the place, by central differences, turned back into the first zone.
        steps = [np.array([0.5, 0.0]), np.array([0.0, 0.5])]
        moved = np.stack([pose.project(at + step) - pose.project(at - step) for step in steps], axis=2)
        moved = moved @ self.spins[seen.zone]
        first = 8 * len(self.poses) + 2 * seen.orbit
        for axis in range(2):
            slope[np.arange(len(at)), :, first + axis] = moved[:, :, axis]
        return (slope / self.sigmas[number][:, None, None]).reshape(-1, len(params))

    def _usual(self) -> Floats:
        """The means of the priors: the start, and a usual lens."""
        usual = self.start.copy()
        for number, (pose, lens) in enumerate(zip(self.poses, self.lenses, strict=True)):
            usual[8 * number + 6 : 8 * number + 8] = np.log(lens.focal * pose.size_px[0]), lens.radial
        return usual

    def _prior_weights(self) -> Floats:
        """Weight of the prior of each parameter, as 1 / sigma; 0: none."""
        weights = np.zeros(len(self.start))
        for number, lens in enumerate(self.lenses):
            weights[8 * number + 6 : 8 * number + 8] = 1 / lens.focal_sigma, 1 / lens.radial_sigma
        weights[8 * len(self.poses) :] = 1 / PLACE_SIGMA_PITCHES
        return weights


def _on_plane(pose: CameraPose, found_px: Floats) -> Floats:
    places: Floats = np.full(found_px.shape, np.nan)
    shown = np.isfinite(found_px).all(axis=2)
    places[shown] = unproject(pose, found_px[shown])
    return places


def seen_px(found: Floats, pose: CameraPose) -> Floats:
    """Project places found on the plane into a photograph (shapes: [n, zones, 2]); NaN stays NaN."""
    at: Floats = np.full(found.shape, np.nan)
    shown = np.isfinite(found).all(axis=2)
    at[shown] = pose.project(found[shown])
    return at
