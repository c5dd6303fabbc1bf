"""Safe depths: a pawn closes its own sensor and no other, in the worst case that the data sheets allow.

Worst case means: the weakest and the strongest magnet of the grade, pawn and sensor each `PLAY_MM` off their places,
the earth's field against us, every pawn of the game in the holes that disturb most, a quarter of the field to spare.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Final

import numpy as np

from tock_companion.boardfile import BoardFile, DrilledHole
from tock_companion.errors import BadInputError
from tock_hardware.catalog import Magnet, Sensor
from tock_hardware.magnetics.field import Floats, axial_mt
from tock_hardware.project import Project

PLAY_MM: Final = 1.0
"""Lean of a pawn, and offset of a sensor from its place, each."""
MARGIN: Final = 1.25
EARTH_MT: Final = 0.05
DEPTHS_MM: Final = np.arange(2.0, 18.01, 0.25)
MAX_DISTANCE_MM: Final = 120.0
STEP_MM: Final = 0.5
SPREAD: Final = 0.15
"""Reeds of one bag differ by about so much from the one that was tried (half the width of a band of 15-20 AT)."""


@dataclass(frozen=True, slots=True)
class Window:
    """The depths, magnet to middle of sensor, at which a board works; false where there are none."""

    shallowest_mm: float = 0.0
    deepest_mm: float = 0.0

    @property
    def middle_mm(self) -> float:
        """The depth that is farthest from both ends."""
        return (self.shallowest_mm + self.deepest_mm) / 2

    @property
    def text(self) -> str:
        """Both ends, or a dash when there is no safe depth."""
        return f"{self.shallowest_mm:.1f}-{self.deepest_mm:.1f}" if self else "-"

    def __bool__(self) -> bool:
        """Whether there is a safe depth at all."""
        return self.deepest_mm > 0

    def holds(self, depth_mm: float) -> bool:
        """Whether a depth is safe."""
        return bool(self) and self.shallowest_mm <= depth_mm <= self.deepest_mm


@dataclass(frozen=True)
class _Tables:
    """Fields of one magnet by depth (rows) and distance (columns), worst over the play of pawn and sensor."""

    own: Floats
    most: Floats
    least: Floats


def _tables(magnet: Magnet) -> _Tables:
    weak, strong = magnet.remanence_t
    play = 2 * PLAY_MM
    near = np.arange(0, play + STEP_MM / 2, STEP_MM)
    own = axial_mt(magnet, weak, near[None, :], DEPTHS_MM[:, None]).min(axis=1)
    distances = np.arange(0, MAX_DISTANCE_MM + STEP_MM / 2, STEP_MM)
    field = axial_mt(magnet, strong, distances[None, :], DEPTHS_MM[:, None])
    around = round(play / STEP_MM)
    shifted = [np.roll(field, shift, axis=1) for shift in range(-around, around + 1)]
    return _Tables(own, np.max(shifted, axis=0), np.min(shifted, axis=0))


def _neighbours(board: BoardFile, scale: float = 1.0) -> list[Floats]:
    """Measure, for every hole of one zone and the centre, the distances to all other holes."""
    first = [hole for hole in board.holes if hole.id == "C" or _zone(board, hole) == 0]
    return [
        np.array(
            [scale * dist((hole.x_mm, hole.y_mm), (o.x_mm, o.y_mm)) for o in board.holes if o is not hole]
        )
        for hole in first
    ]


def _zone(board: BoardFile, hole: DrilledHole) -> int:
    return hole.index // board.zone_length if hole.seat is None else hole.seat


def windows(
    board: BoardFile, pairs: Iterable[tuple[Magnet, Sensor]], pitches_mm: Sequence[float] = ()
) -> list[list[Window]]:
    """Compute the window of each magnet and sensor pair (rows) on the board scaled to each pitch (columns).

    Without pitches there is one column, the board as it is.
    """
    scales = [pitch / board.pitch_mm for pitch in pitches_mm] or [1.0]
    near = [_neighbours(board, scale) for scale in scales]
    pawns = board.pawns_per_seat * board.zones
    known: dict[Magnet, list[tuple[Floats, Floats, Floats]]] = {}
    found = []
    for magnet, sensor in pairs:
        if magnet not in known:
            tables = _tables(magnet)
            known[magnet] = [(tables.own, *_disturbance(tables, holes, pawns)) for holes in near]
        found.append([_window(sensor, *worst) for worst in known[magnet]])
    return found


def _disturbance(tables: _Tables, holes: list[Floats], pawns: int) -> tuple[Floats, Floats]:
    """Compute by depth the most that all pawns add at an empty hole, and the most they take from a pawn's own field."""
    foreign = np.zeros(len(DEPTHS_MM))
    taken = np.zeros(len(DEPTHS_MM))
    for distances in holes:
        columns = np.minimum(
            np.rint(distances[distances < MAX_DISTANCE_MM - 5] / STEP_MM).astype(int),
            tables.most.shape[1] - 1,
        )
        most, least = tables.most[:, columns], tables.least[:, columns]
        plus = np.sort(np.maximum(most, 0), axis=1)[:, ::-1]
        minus = np.sort(np.minimum(least, 0), axis=1)
        foreign = np.maximum(foreign, plus[:, :pawns].sum(axis=1))
        foreign = np.maximum(foreign, -minus[:, :pawns].sum(axis=1))
        taken = np.maximum(taken, -minus[:, : pawns - 1].sum(axis=1))
    return foreign, taken


def _window(sensor: Sensor, own: Floats, foreign: Floats, taken: Floats) -> Window:
    closes = own - taken - EARTH_MT >= MARGIN * sensor.close_mt
    opens = MARGIN * (foreign + EARTH_MT) <= sensor.open_mt
    safe = closes & opens
    # Only an unbroken range is of use; the longest is taken.
    best: list[float] = []
    run: list[float] = []
    for depth, good in zip(DEPTHS_MM, safe, strict=True):
        run = [*run, float(depth)] if good else []
        if len(run) > len(best):
            best = run
    return Window(best[0], best[-1]) if best else Window()


def measured_sensor(project: Project, closes_mm: float, opens_mm: float) -> Sensor:
    """Correct a sensor's data by a reading on the calibration coupon.

    `closes_mm` is the thickest floor through which it closes when the pawn comes nearer, `opens_mm` the thinnest at
    which it opens when the pawn is lifted. Raises BadInputError when the two cannot be.
    """
    if not 0 < closes_mm <= opens_mm <= 40:
        raise BadInputError(
            f"it closes at {closes_mm:g} mm and opens at {opens_mm:g} mm: a sensor opens farther away than it closes"
        )
    weak, strong = project.magnet.remanence_t
    above = project.pawn.skin_mm + project.gap_mm + project.sensor.middle_mm
    middle = (weak + strong) / 2
    close_mt = float(axial_mt(project.magnet, middle, 0.0, closes_mm + above)[0])
    open_mt = float(axial_mt(project.magnet, middle, 0.0, opens_mm + above)[0])
    return replace(
        project.sensor,
        name=f"{project.sensor.name} (mesuré / measured)",
        close_mt=close_mt * (1 + SPREAD),
        open_mt=open_mt * (1 - SPREAD),
    )
