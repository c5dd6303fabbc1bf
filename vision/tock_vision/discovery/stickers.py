"""Markers stuck on a board: where they lie on its plane, and which way up it is.

Constants set in `4ed83a15`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tock_vision.arrays import Floats, Gray
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.registration.markers import detect_all_markers

SIDES_PITCHES = (0.5, 4.0)
UNEVEN, ASKEW_RAD = 0.15, 0.12
"""Relative difference allowed between sides, of one marker and of all, and difference of directions."""
BESIDE_PITCHES = 4.0
"""Maximum distance of a marker outside the holes."""
MIN_STICKERS = 2
"""A single one may be something that only looks like a marker."""


@dataclass(frozen=True)
class Sticker:
    """A marker on the plane of a board; lengths are in pitches."""

    id: int
    place: tuple[float, float]
    """Its middle, from the middle of the board."""
    side: float
    turn_rad: float
    """Angle of its upper side from the x axis, clockwise."""


def find_stickers(views: Sequence[tuple[Gray, CameraPose]], holes: Floats) -> tuple[Sticker, ...]:
    """Find markers alike in size and direction, as a board file needs them; `holes` in pitches (shape: [n, 2])."""
    seen: dict[int, list[Sticker]] = {}
    for gray, pose in views:
        for sticker in _on_plane(gray, pose, holes):
            seen.setdefault(sticker.id, []).append(sticker)
    mean = [_mean(several) for _, several in sorted(seen.items())]
    if len(mean) < MIN_STICKERS:
        return ()
    side = float(np.median([sticker.side for sticker in mean]))
    turn = turn_of(mean)
    alike = tuple(
        sticker
        for sticker in mean
        if abs(sticker.side / side - 1) < UNEVEN and abs(_angle(sticker.turn_rad - turn)) < ASKEW_RAD
    )
    return alike if len(alike) >= MIN_STICKERS else ()


def turn_of(stickers: Sequence[Sticker]) -> float:
    """Angle by which a board must be turned back so that its markers stand upright; in rad."""
    turns = np.exp(1j * np.array([sticker.turn_rad for sticker in stickers]))
    return float(np.angle(np.median(turns.real) + 1j * np.median(turns.imag)))


def turned_sticker(sticker: Sticker, angle: float) -> Sticker:
    """The same on a plane whose axes are turned, so that `p` becomes `p` turned by the angle."""
    place = complex(*sticker.place) * np.exp(1j * angle)
    return replace(sticker, place=(place.real, place.imag), turn_rad=_angle(sticker.turn_rad + angle))


def _on_plane(gray: Gray, pose: CameraPose, holes: Floats) -> Iterator[Sticker]:
    farthest = float(np.linalg.norm(holes, axis=1).max()) + BESIDE_PITCHES
    for number, corners_px in detect_all_markers(gray).items():
        corners = unproject(pose, corners_px)
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        middle = corners.mean(axis=0)
        if not np.isfinite(corners).all() or np.abs(sides / sides.mean() - 1).max() > UNEVEN:
            continue
        side = float(sides.mean())
        off_holes = float(np.linalg.norm(holes - middle, axis=1).min())
        if (
            SIDES_PITCHES[0] < side < SIDES_PITCHES[1]
            and off_holes > side / 2
            and np.hypot(*middle) < farthest
        ):
            upper = corners[1] - corners[0] + corners[2] - corners[3]
            place = (float(middle[0]), float(middle[1]))
            yield Sticker(number, place, side, float(np.arctan2(upper[1], upper[0])))


def _mean(several: Sequence[Sticker]) -> Sticker:
    x, y = np.median([sticker.place for sticker in several], axis=0)
    side = float(np.median([sticker.side for sticker in several]))
    return Sticker(several[0].id, (float(x), float(y)), side, turn_of(several))


def _angle(turn_rad: float) -> float:
    return float(np.angle(np.exp(1j * turn_rad)))
