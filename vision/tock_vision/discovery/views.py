"""The plane of a board seen through an unmeasured lens: from pixels to pitches, found by even steps.

Holes lie evenly on a board and unevenly in a photograph from the side. So a view is judged by the logarithms of the
distances from each spot to its three nearest, once the view has put them on the plane: `_evenness` counts how many
lie near the commonest one (the mode of a density, O(steps * 48)). From the best of 66 starts, `_refined` makes them
still more even by Gauss-Newton steps with Welsch's weights, exp(-(off / sigma)²/2), whose sigma shrinks from 0.16 to
0.07: steps that are no pitch stop pulling one after the other (graduated non-convexity, Blake and Zisserman 1987).

A grid of 9 by 9 holes, seen by a camera tilted by 0.4 rad whose focal length is the width of its frame:

>>> holes = 0.08 * np.array([[x, y] for x in range(-4, 5) for y in range(-4, 5)], dtype=float)
>>> true = View(np.array([0.4, 0.0, np.log(640), 0.0]), (640, 480))
>>> found = find_even_views(true.pose().project(holes), (640, 480))[0]
>>> [round(float(value), 2) + 0.0 for value in found.view.params[:2]], round(found.step, 3)
([0.4, 0.0], 0.08)

Tilt and lens do nearly the same to even steps, hence `nearby_views`. Thresholds were set on the stills of D01 to D12
and on made boards (docs/measurements/board-discovery.md).

Constants set in `4c76c3e3`; FOCAL_BOUNDS, RADIAL_BOUNDS in `88d4c84f`; OTHER_VIEW, REFINED_STARTS in `62d5e4e2`;
NEARBY_FOCALS, NEARBY_RADIAL, NEARBY_TILTS in `3de285a5`; KNOWN_SIGMA in `08d87b9a`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, rotation_matrix, unproject

FOCALS = (1.0, 0.68)
"""Focal lengths to start from, in widths of the frame."""
START_TILTS_RAD = (0.0, 0.3, 0.55, 0.8, 1.0)
START_TURNS = 8
FOCAL_SIGMA, RADIAL_SIGMA = 0.3, 0.08
"""Freedom of log focal length and lens term around a start, as one sigma."""
KNOWN_SIGMA = 0.012
"""Freedom of a radial term that straight lines show."""
FOCAL_BOUNDS, RADIAL_BOUNDS = (0.45, 2.0), (-0.2, 0.05)
"""Lenses of cameras and phones: focal lengths in widths of the frame, and radial terms."""
NEIGHBOURS = 3
"""Number of nearest spots that count as neighbours of a spot."""
STEP_SIGMA = 0.07
"""Spread of the steps of a board, as a logarithm."""
REFINED_STARTS = 4
OTHER_VIEW = 0.25
"""Views count as one when tilts (rad) and log focal lengths differ by less."""
NEARBY_FOCALS, NEARBY_TILTS, NEARBY_RADIAL = (0.72, 0.9, 1.1), (0.75, 1.0, 1.3), -0.03
STARTED_WITH = 170
"""Spots by which starts are ranked; all spots are used to refine the best."""


@dataclass(frozen=True)
class View:
    """The orientation of a plane before a camera: tilted about two axes, with a focal length and one lens term."""

    params: Floats
    """Tilt about x and y in rad, log focal length in px, radial term."""
    size_px: tuple[int, int]

    def pose(self) -> CameraPose:
        """The pose of a camera that sees the origin of the plane in the middle of the frame, at depth 1."""
        tilt = np.array([self.params[0], self.params[1], 0.0])
        return CameraPose(np.concatenate([tilt, [0.0, 0.0, 1.0], self.params[2:]]), self.size_px)

    def to_plane(self, places_px: Floats) -> Floats:
        """The points of the plane that pixels look at (shape: [n, 2]); the unit is the camera's distance."""
        return unproject(self.pose(), places_px)


@dataclass(frozen=True)
class EvenView:
    """A view in which many neighbouring spots are equally far apart."""

    view: View
    step: float
    """The common distance, in units of the plane."""
    score: float
    """Number of even steps, counted softly."""


def view_of(pose: CameraPose) -> View:
    """The tilt and the lens of a pose, without its place and its turn about the axis of the plane."""
    normal = rotation_matrix(pose.params[:3])[:, 2]
    angle = float(np.arccos(np.clip(normal[2], -1, 1)))
    axis = np.array([-normal[1], normal[0]]) / max(float(np.hypot(normal[0], normal[1])), 1e-9)
    return View(np.concatenate([axis * angle, pose.params[6:]]), pose.size_px)


def even_step(view: View, places_px: Floats) -> EvenView:
    """The commonest distance between neighbours in a known view."""
    return _evenness(view, places_px)


def find_even_views(
    places_px: Floats, size_px: tuple[int, int], radial: float | None = None
) -> list[EvenView]:
    """Different views in which steps between neighbouring spots are even, the best first.

    `radial` is the radial term of the lens, where straight lines show it.
    """
    starts = []
    for focal in FOCALS:
        for tilt in START_TILTS_RAD:
            for turn in range(START_TURNS if tilt else 1):
                angle = 2 * np.pi * turn / START_TURNS
                params = [tilt * np.cos(angle), tilt * np.sin(angle), np.log(focal * size_px[0])]
                usual = -0.05 if focal < 0.8 else 0.0
                starts.append(View(np.array([*params, usual if radial is None else radial]), size_px))
    # Spots come likeliest first.
    few = places_px[:STARTED_WITH]
    ranked = sorted((_evenness(view, few) for view in starts), key=lambda even: -even.score)
    refined = [refine_view(even, places_px, radial) for even in ranked[:REFINED_STARTS]]
    views: list[EvenView] = []
    for even in sorted(refined, key=lambda even: -even.score):
        if all(np.abs(even.view.params - one.view.params)[:3].max() > OTHER_VIEW for one in views):
            views.append(even)
    return views


def nearby_views(even: EvenView, places_px: Floats, radial: float | None = None) -> Iterator[EvenView]:
    """Views tilted more and less, through usual lenses, which even steps hardly tell from the view itself."""
    bent = NEARBY_RADIAL if radial is None else radial
    tilt, width = even.view.params[:2], even.view.size_px[0]
    for focal in NEARBY_FOCALS:
        for share in NEARBY_TILTS:
            params = np.array([*(share * tilt), np.log(focal * width), bent])
            yield even_step(View(params, even.view.size_px), places_px)


def refine_view(even: EvenView, places_px: Floats, radial: float | None = None) -> EvenView:
    """Refine a view found before on other spots; its radial term is held to the one that straight lines show."""
    return _refined(even, places_px, RADIAL_SIGMA if radial is None else KNOWN_SIGMA)


def _steps(points: Floats) -> tuple[Floats, Floats]:
    """Pairs of neighbours (shape: [m, 2]) and the logarithms of their distances."""
    flat = points[:, 0] + 1j * points[:, 1]
    gap = np.abs(flat[:, None] - flat[None])
    gap[np.isnan(gap)] = np.inf
    np.fill_diagonal(gap, np.inf)
    near = np.argpartition(gap, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    first = np.repeat(np.arange(len(points)), NEIGHBOURS)
    pairs = np.column_stack([first, near.ravel()])
    far = gap[pairs[:, 0], pairs[:, 1]]
    pairs, far = pairs[np.isfinite(far)], far[np.isfinite(far)]
    return pairs, np.log(np.maximum(far, 1e-9))


def _evenness(view: View, places_px: Floats, sigma: float = 0.12) -> EvenView:
    _, steps = _steps(view.to_plane(places_px))
    if not len(steps):
        return EvenView(view, 1.0, 0.0)
    # Quantiles, so that a few stray spots do not stretch the range.
    grid = np.linspace(np.quantile(steps, 0.03), np.quantile(steps, 0.9), 48)
    density = np.exp(-0.5 * ((steps[None] - grid[:, None]) / sigma) ** 2).sum(axis=1)
    best = int(density.argmax())
    return EvenView(view, float(np.exp(grid[best])), float(density[best]))


def _refined(even: EvenView, places_px: Floats, radial_sigma: float) -> EvenView:
    """Make the steps of a view as even as they can be, starting from the step they have in common."""
    start = even.view.params
    params = np.append(start, np.log(even.step))
    stiff = np.array([0.0, 0.0, 1 / FOCAL_SIGMA, 1 / radial_sigma, 0.0])
    score = even.score
    for sigma in (0.16, 0.12, 0.1, 0.08, STEP_SIGMA, STEP_SIGMA):
        pairs, _ = _steps(View(params[:4], even.view.size_px).to_plane(places_px))
        for _ in range(2):
            # Forward differences suffice for five parameters.
            off = _uneven(params, pairs, places_px, even.view.size_px)
            weight = np.exp(-0.25 * (off / sigma) ** 2)
            slope = np.empty((len(off), 5))
            for index in range(5):
                moved = params.copy()
                moved[index] += 1e-5
                slope[:, index] = (_uneven(moved, pairs, places_px, even.view.size_px) - off) / 1e-5
            rows = slope * (weight / sigma)[:, None]
            good = np.isfinite(rows).all(axis=1) & np.isfinite(off)
            normal = rows[good].T @ rows[good] + np.diag(stiff**2) + 1e-6 * np.eye(5)
            pull = rows[good].T @ (off * weight / sigma)[good] + stiff**2 * np.append(params[:4] - start, 0.0)
            # Steps are bounded: far from the solution the linear model promises too much.
            params = params - np.clip(np.linalg.solve(normal, pull), -0.2, 0.2)
            params[:2] *= min(1.0, 1.25 / max(float(np.hypot(*params[:2])), 1e-9))
            params[2] = np.clip(params[2], *np.log(np.array(FOCAL_BOUNDS) * even.view.size_px[0]))
            params[3] = np.clip(params[3], *RADIAL_BOUNDS)
        score = float(np.exp(-0.5 * (off / STEP_SIGMA) ** 2)[np.isfinite(off)].sum())
    return EvenView(View(params[:4], even.view.size_px), float(np.exp(params[4])), score)


def _uneven(params: Floats, pairs: Floats, places_px: Floats, size_px: tuple[int, int]) -> Floats:
    points = View(params[:4], size_px).to_plane(places_px)
    step = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    uneven: Floats = np.log(np.maximum(step, 1e-9)) - params[4]
    return uneven
