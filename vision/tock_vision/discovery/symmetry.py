"""The point around which spots on a plane map onto themselves when turned by one zone."""

from dataclasses import dataclass

import numpy as np

from tock_vision.arrays import Bools, Floats

BIN_PITCHES = 0.4
REACH_PITCHES = (2.0, 22.0)
"""How near and how far from the centre holes lie."""
MATCH_PITCHES = 0.35
PEAKS = 2


@dataclass(frozen=True)
class Centre:
    """A centre of symmetry; lengths are in pitches."""

    zones: int
    place: Floats
    score: float
    """How many spots have all their images but one, at least; more than chance gives."""


def find_centres(points: Floats, zones: int) -> list[Centre]:
    """The likeliest centres, the best first (points: [n, 2])."""
    flat = points[:, 0] + 1j * points[:, 1]
    turn = np.exp(2j * np.pi / zones)
    votes = (flat[None, :] - turn * flat[:, None]) / (1 - turn)
    away = np.abs(votes - flat[:, None])
    votes = votes[(away > REACH_PITCHES[0]) & (away < REACH_PITCHES[1])]
    low, high = points.min(axis=0), points.max(axis=0)
    shape = np.ceil((high - low) / BIN_PITCHES).astype(int) + 1
    x = ((votes.real - low[0]) / BIN_PITCHES).astype(int)
    y = ((votes.imag - low[1]) / BIN_PITCHES).astype(int)
    inside = (votes.real >= low[0]) & (votes.imag >= low[1]) & (x < shape[0]) & (y < shape[1])
    count = np.bincount(x[inside] * shape[1] + y[inside], minlength=int(shape.prod())).reshape(shape)
    soft = _block_sums(count)
    centres = []
    for _ in range(PEAKS):
        column, row = np.unravel_index(int(soft.argmax()), soft.shape)
        rough = low + (np.array([column, row]) + 0.5) * BIN_PITCHES
        soft[max(0, column - 2) : column + 3, max(0, row - 2) : row + 3] = 0
        centres.append(_settled(points, rough, zones))
    return sorted(centres, key=lambda centre: -centre.score)


def images(points: Floats, centre: Floats, zones: int) -> Floats:
    """Where points come to lie turned by 0, 1, 2, … zones (shape: [zones, n, 2])."""
    angle = 2 * np.pi * np.arange(zones) / zones
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    off = points - centre
    x, y = cos * off[:, 0] - sin * off[:, 1], sin * off[:, 0] + cos * off[:, 1]
    turned: Floats = np.stack([x, y], axis=2) + centre
    return turned


def matches(points: Floats, centre: Floats, zones: int) -> tuple[Bools, Floats]:
    """Which images of each point lie on a point (shape: [zones, n]), and how far off the nearest is ([zones, n, 2])."""
    turned = images(points, centre, zones)
    flat = points[:, 0] + 1j * points[:, 1]
    gap = np.abs((turned[..., 0] + 1j * turned[..., 1])[:, :, None] - flat[None, None])
    near = gap.argmin(axis=2)
    off = points[near] - turned
    return np.linalg.norm(off, axis=2) < MATCH_PITCHES, off


def _settled(points: Floats, rough: Floats, zones: int) -> Centre:
    place = rough
    for _ in range(2):
        near = np.linalg.norm(points - place, axis=1) < REACH_PITCHES[1]
        some = points[near]
        found, off = matches(some, place, zones)
        whole = found.sum(axis=0) >= zones - 1
        if whole.sum() < 4:
            return Centre(zones, place, 0.0)
        # A centre that is off by e moves the image by (1 - turn) e.
        angle = 2 * np.pi * np.arange(1, zones) / zones
        turn = np.exp(1j * angle)[:, None]
        shift = (off[1:, :, 0] + 1j * off[1:, :, 1]) / (1 - turn)
        good = found[1:] & whole[None]
        step = np.mean(shift[good])
        place = place + np.array([step.real, step.imag])
    density = len(some) / (np.pi * 13.0**2)
    chance = (density * np.pi * MATCH_PITCHES**2) ** (zones - 2) * (zones - 1) * len(some)
    return Centre(zones, place, float(whole.sum() - chance))


def _block_sums(count: Floats) -> Floats:
    """Sums over blocks of three by three bins."""
    padded = np.pad(count, 1)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    sums: Floats = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return sums.astype(float)
