"""The view of a camera on one board: pose, focal length and lens, and their fit to points.

Board points are millimetres of the board file (x right, y down) with a height above the wood. Pixels are those
of the frame, x right and y down. The lens is one radial term around the middle of the frame.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_vision.arrays import Floats, on_grid
from tock_vision.least_squares import Huber, Prior, least_squares

PRIOR_SIGMA = np.array([np.inf, np.inf, np.inf, np.inf, np.inf, np.inf, 0.25, 0.12])
"""Freedom of each parameter around the start of a fit (pose, log focal length, lens term), as one sigma; inf: free."""
LENSES = ((1.0, 0.0), (0.6, -0.12))
"""Focal length in widths of the frame and radial term of a usual and of a wide lens, to start from."""
MAX_BEND_RADIUS_SQ = 1.5**2
"""Square of the distance from the middle, in `radius_px`, up to which the radial term grows.

Beyond it the term is meaningless and would fold the picture back.
"""
PARAM_STEP = 2.0 ** np.array([-20, -20, -20, -9, -9, -9, -18, -18])
"""Steps to which a fitted pose is rounded (`on_grid`); moves no hole by more than a hundredth of a pixel."""
RIDGE = 1e-12
"""Added to the normal matrix of a fit, which four points in a bad position leave singular."""
BEND_SIGMAS = 1.5
"""A point farther off pulls with constant force: one wrong hole must not tilt the board."""


@dataclass(frozen=True)
class CameraPose:
    """A camera above a board; `params` are rotation vector, translation in mm, log focal px, radial term."""

    params: Floats
    size_px: tuple[int, int]
    """Width and height of the frame."""
    covariance: Floats | None = None
    """Of `params` (shape: [8, 8]), known after a fit."""

    @property
    def center_px(self) -> Floats:
        """The middle of the frame, where the lens looks straight."""
        return np.array([(self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2])

    @property
    def radius_px(self) -> float:
        """Half the diagonal of the frame, the unit of the radial term."""
        return float(np.hypot(*self.size_px)) / 2

    def project(self, points_mm: Floats, height_mm: Floats | float = 0.0) -> Floats:
        """Project points of the board into the frame (shape: [n, 2] to [n, 2])."""
        return project(self.params, self.center_px, self.radius_px, points_mm, height_mm)

    def up(self, points_mm: Floats, height_mm: float = 1.0) -> Floats:
        """Pixels by which a point moves in the frame per mm that it is raised (shape: [n, 2])."""
        return (self.project(points_mm, height_mm) - self.project(points_mm)) / height_mm

    def scale(self, points_mm: Floats) -> Floats:
        """Pixels per mm around points, as the geometric mean over directions (shape: [n])."""
        step_x, step_y = np.array([0.5, 0.0]), np.array([0.0, 0.5])
        right = self.project(points_mm + step_x) - self.project(points_mm - step_x)
        down = self.project(points_mm + step_y) - self.project(points_mm - step_y)
        area: Floats = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
        size: Floats = np.sqrt(np.maximum(area, 1e-9))
        return size

    def spread(self, points_mm: Floats) -> Floats:
        """One-sigma uncertainty of projected points in px (shape: [n])."""
        if self.covariance is None:
            return np.full(len(points_mm), np.inf)
        slope = jacobian(self.params, self.radius_px, points_mm)
        variance = np.einsum("nki,ij,nkj->nk", slope, self.covariance, slope)
        sigma: Floats = np.sqrt(np.maximum(variance.sum(axis=1), 0.0))
        return sigma

    def scaled(self, factor: float) -> "CameraPose":
        """The same pose for a frame whose sides are `factor` times as long."""
        params = self.params.copy()
        params[6] += np.log(factor)
        size = (round(self.size_px[0] * factor), round(self.size_px[1] * factor))
        return replace(self, params=params, size_px=size, covariance=None)


def project(
    params: Floats, center_px: Floats, radius_px: float, points_mm: Floats, height_mm: Floats | float = 0.0
) -> Floats:
    """Project board points with the eight parameters of a pose."""
    rotation = rotation_matrix(params[:3])
    x, y, z = points_mm[:, 0], points_mm[:, 1], -np.asarray(height_mm)
    depth = rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z + params[5]
    depth = np.where(np.abs(depth) < 1e-6, 1e-6, depth)
    focal = np.exp(params[6]) / depth
    u = (rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z + params[3]) * focal
    v = (rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z + params[4]) * focal
    bend = 1.0 + params[7] * np.minimum((u * u + v * v) / (radius_px * radius_px), MAX_BEND_RADIUS_SQ)
    places: Floats = np.stack([u * bend + center_px[0], v * bend + center_px[1]], axis=-1)
    return places


def unproject(pose: CameraPose, places_px: Floats) -> Floats:
    """The points of a board's plane that pixels look at; NaN above the horizon (shape: [n, 2])."""
    # The lens term is a function of the straight place, which is sought: seven rounds of a fixed point come close.
    bent = (places_px - pose.center_px) / pose.radius_px
    straight = bent
    for _ in range(7):
        r2 = np.minimum(straight[:, 0] ** 2 + straight[:, 1] ** 2, MAX_BEND_RADIUS_SQ)
        straight = bent / (1 + pose.params[7] * r2)[:, None]
    rotation = rotation_matrix(pose.params[:3])
    scaled = straight * (pose.radius_px / np.exp(pose.params[6]))
    rays = np.column_stack([scaled, np.ones(len(scaled))]) @ rotation
    origin = pose.params[3:6] @ rotation
    # Rays nearly parallel to the plane, or away from it, look above its horizon.
    facing = rays[:, 2] * np.sign(origin[2])
    far = np.where(facing > 0.03, abs(origin[2]) / np.maximum(facing, 0.03), np.nan)
    points: Floats = rays[:, :2] * far[:, None] - origin[:2]
    return points


def rotation_matrix(vector: Floats) -> Floats:
    """Matrix of a rotation vector (Rodrigues)."""
    angle = float(np.sqrt(vector @ vector))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    matrix: Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    return matrix


def rotation_vector(matrix: Floats) -> Floats:
    """Rotation vector of a matrix."""
    vector: Floats = cv2.Rodrigues(matrix)[0].ravel()
    return vector


def jacobian(params: Floats, radius_px: float, points_mm: Floats) -> Floats:
    """d(pixel)/d(params) (shape: [n, 2, 8]): analytic for the projection, by differences for the rotation."""
    rotation = rotation_matrix(params[:3])
    flat = points_mm @ rotation[:, :2].T + params[3:6]
    depth = np.where(np.abs(flat[:, 2]) < 1e-6, 1e-6, flat[:, 2])
    focal = np.exp(params[6]) / depth
    u, v = flat[:, 0] * focal, flat[:, 1] * focal
    r2 = (u * u + v * v) / (radius_px * radius_px)
    inside = r2 < MAX_BEND_RADIUS_SQ
    r2 = np.minimum(r2, MAX_BEND_RADIUS_SQ)
    bend, slope = 1.0 + params[7] * r2, 2.0 * params[7] / (radius_px * radius_px) * inside
    # d(pixel)/d(u, v), where (u, v) is the place without the lens term; then d(pixel)/d(point before the camera).
    across, aside, down = bend + slope * u * u, slope * u * v, bend + slope * v * v
    out = np.empty((len(u), 2, 8))
    for row, (by_u, by_v) in enumerate(((across, aside), (aside, down))):
        out[:, row, 6] = by_u * u + by_v * v
        out[:, row, 3], out[:, row, 4], out[:, row, 5] = by_u * focal, by_v * focal, -out[:, row, 6] / depth
    out[:, 0, 7], out[:, 1, 7] = r2 * u, r2 * v
    for index in range(3):
        moved = params[:3].copy()
        moved[index] += 1e-6
        shift = points_mm @ ((rotation_matrix(moved) - rotation)[:, :2] / 1e-6).T
        out[:, :, index] = (
            out[:, :, 3] * shift[:, 0, None]
            + out[:, :, 4] * shift[:, 1, None]
            + out[:, :, 5] * shift[:, 2, None]
        )
    return out


def fit(
    start: CameraPose,
    points_mm: Floats,
    points_px: Floats,
    sigma_px: Floats | float,
    prior: CameraPose | None = None,
    rounds: int = 12,
) -> CameraPose:
    """Fit a pose to points seen with an uncertainty, robustly.

    Focal length and lens are held loosely to those of `prior` (else of `start`), so that few points suffice.
    """
    center, radius = start.center_px, start.radius_px
    weight = 1.0 / np.broadcast_to(np.asarray(sigma_px, dtype=float), (len(points_mm),))

    def residuals(params: Floats) -> Floats:
        return (project(params, center, radius, points_mm) - points_px) * weight[:, None]

    def slopes(params: Floats) -> Floats:
        return jacobian(params, radius, points_mm) * weight[:, None, None]

    held = Prior((prior or start).params, np.diag(1.0 / PRIOR_SIGMA**2))
    loss = Huber(BEND_SIGMAS)
    found = least_squares(residuals, slopes, start.params, loss, rounds=rounds, prior=held, ridge=RIDGE)
    covariance = np.linalg.pinv(found.normal, hermitian=True)
    return CameraPose(on_grid(found.params, PARAM_STEP), start.size_px, covariance)


def from_points(
    points_mm: Floats, points_px: Floats, size_px: tuple[int, int], focal_px: float, radial: float = 0.0
) -> list[CameraPose]:
    """At most two poses from which a camera of known focal length sees four or more points like this."""
    center = np.array([(size_px[0] - 1) / 2, (size_px[1] - 1) / 2])
    radius = float(np.hypot(*size_px)) / 2
    flat = points_px - center
    # The lens term is a function of the straight place, which is sought here: three rounds come close enough.
    for _ in range(3):
        straight = flat / (1.0 + radial * (flat**2).sum(axis=1, keepdims=True) / radius**2)
        flat = (points_px - center) * (straight / np.where(flat == 0, 1, flat)).clip(0.5, 2.0)
    matrix = np.array([[focal_px, 0, 0], [0, focal_px, 0], [0, 0, 1.0]])
    flat_mm = np.column_stack([points_mm, np.zeros(len(points_mm))])
    try:
        found, turns, shifts, _ = cv2.solvePnPGeneric(
            flat_mm, np.ascontiguousarray(flat), matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE
        )
    except cv2.error:
        return []
    poses = []
    for turn, shift in zip(turns[:found], shifts[:found], strict=False):
        params = np.concatenate([turn.ravel(), shift.ravel(), [np.log(focal_px), radial]])
        pose = CameraPose(params, size_px)
        # A camera under the table would see the mirror image.
        if rotation_matrix(params[:3])[2, 2] > 0 and shift.ravel()[2] > 0:
            poses.append(pose)
    return poses
