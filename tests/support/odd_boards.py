"""Boards that no drawing has: holes drilled beside their places, and a way that winds as it likes."""

from dataclasses import replace

import numpy as np

from tock_companion.boardfile import (
    BoardFile,
    DrilledHole,
    HoleKind,
    camp_hole,
    generate,
    home_hole,
    track_hole,
)
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH, Seat

PITCH_MM = 20.0
WAVES = (0.26, 0.07)
"""Swing of the way in and out, in its mean radius: four times a round, and eight times."""


def drilled_off(board: BoardFile, share: float, seed: int = 1) -> BoardFile:
    """The same board with each hole up to `share` of the pitch beside its place, and without markers."""
    rng = np.random.default_rng(seed)
    holes = []
    for hole in board.holes:
        angle, off = rng.uniform(0, 2 * np.pi), share * board.pitch_mm * np.sqrt(rng.uniform())
        x_mm = round(hole.x_mm + float(off * np.cos(angle)), 2)
        y_mm = round(hole.y_mm + float(off * np.sin(angle)), 2)
        holes.append(replace(hole, x_mm=x_mm, y_mm=y_mm))
    return replace(board, name="drilled by hand", holes=tuple(holes), markers=())


def blossom(zones: int = 4) -> BoardFile:
    """A way that bends in and out between the starts; homes lead inwards, camps lie outside."""
    count = ZONE_LENGTH * zones
    angle = np.linspace(0, 2 * np.pi, 20_000, endpoint=False)
    swing = 1 + WAVES[0] * np.cos(zones * angle) + WAVES[1] * np.cos(2 * zones * angle)
    curve = swing * np.exp(1j * angle)
    steps = np.abs(np.roll(curve, -1) - curve)
    along = np.concatenate([[0.0], np.cumsum(steps)[:-1]])
    length = float(steps.sum())
    track = curve[np.searchsorted(along, length * np.arange(count) / count)] * (PITCH_MM * count / length)
    # The entrance lies where the way is farthest out; the start is two holes farther.
    track = np.roll(track, -2)
    entrance = track[-2] / abs(track[-2])
    plain = generate(zones, 600)
    places: dict[str, complex] = {track_hole(index): complex(track[index]) for index in range(count)}
    for zone, seat in enumerate(Seat(number) for number in range(zones)):
        turn = np.exp(2j * np.pi * zone / zones)
        inward, out = entrance * turn, track[2] / abs(track[2]) * turn
        camp = (abs(track[2]) + 2.6 * PITCH_MM) * out
        for index in range(PAWNS_PER_SEAT):
            at = (abs(track[-2]) - PITCH_MM * (index + 1)) * inward
            places[home_hole(seat, index)] = complex(at)
            corner = (1, 1j, -1, -1j)[index] * (1 + 1j) / 2 * PITCH_MM * out
            places[camp_hole(seat, index)] = complex(camp + corner)
    side = 2 * (max(abs(place) for place in places.values()) + 1.6 * PITCH_MM)
    holes = tuple(
        _at(hole, places[hole.id], side) for hole in plain.holes if hole.kind is not HoleKind.CENTRE
    )
    return replace(plain, name="blossom", size_mm=(side, side), holes=holes, markers=(), pawn=None)


def bent(board: BoardFile, share: float = 0.8) -> BoardFile:
    """The same board with its lines bent, each zone in another way: no turn maps it onto itself."""
    middle = np.array(board.size_mm) / 2
    places = (np.array([(hole.x_mm, hole.y_mm) for hole in board.holes]) - middle) / board.pitch_mm
    x, y = places.T
    moved = np.column_stack([x + share * (np.sin(y / 4) + x * x / 125), y + 0.6 * share * np.sin(x / 5 + 1)])
    moved = moved * board.pitch_mm
    low, high = moved.min(axis=0) - 1.6 * board.pitch_mm, moved.max(axis=0) + 1.6 * board.pitch_mm
    holes = tuple(
        replace(hole, x_mm=round(float(x_mm), 2), y_mm=round(float(y_mm), 2))
        for hole, (x_mm, y_mm) in zip(board.holes, moved - low, strict=True)
    )
    side_x, side_y = (float(side) for side in high - low)
    return replace(board, name="bent", size_mm=(side_x, side_y), holes=holes, markers=())


def _at(hole: DrilledHole, place: complex, side_mm: float) -> DrilledHole:
    x_mm, y_mm = place.real + side_mm / 2, place.imag + side_mm / 2
    return replace(hole, x_mm=round(x_mm, 2), y_mm=round(y_mm, 2), d_mm=PITCH_MM / 2)
