"""The things on the boards of training pictures, as rows of balls, rods and cards for the tracer."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.shapes import CAPSULE, CARD, COLUMNS, MATT, SPHERE

Array = Any


@dataclass(frozen=True)
class Paint:
    """Surface of a thing."""

    color: Array
    material: int = MATT
    other: Array = (0.8, 0.8, 0.8)
    twist: float = 0.0


@dataclass
class Things:
    """Everything that stands or lies on the board, as rows for the tracer."""

    rows: list[Array]

    def ball(self, place: Array, radius: float, paint: Paint, group: int) -> None:
        """Add a ball."""
        self._row(SPHERE, place, place, radius, paint, group)

    def rod(self, start: Array, end: Array, radius: float, paint: Paint, group: int) -> None:
        """Add a rod with round ends."""
        self._row(CAPSULE, start, end, radius, paint, group)

    def card(self, place: Array, half: tuple[float, float], turn: float, paint: Paint) -> None:
        """Add a flat card."""
        self._row(CARD, place, (*half, turn), float(np.hypot(*half)), paint, COVER_ID)

    def _row(self, kind: int, first: Array, second: Array, radius: float, paint: Paint, group: int) -> None:
        row = np.zeros(COLUMNS)
        row[0], row[1:4], row[4:7], row[7] = kind, first, second, radius
        row[8:11], row[11], row[12:15], row[15], row[16] = (
            paint.color,
            paint.material,
            paint.other,
            paint.twist,
            group,
        )
        self.rows.append(row)

    def arrays(self) -> tuple[Array, Array]:
        """The rows, and balls around each: centre and squared radius."""
        rows = np.array(self.rows).reshape(-1, COLUMNS)
        bounds = np.column_stack([rows[:, 1:4], rows[:, 7] ** 2])
        rods = rows[:, 0] == CAPSULE
        bounds[rods, :3] = (rows[rods, 1:4] + rows[rods, 4:7]) / 2
        reach = np.linalg.norm(rows[rods, 1:4] - rows[rods, 4:7], axis=1) / 2 + rows[rods, 7]
        bounds[rods, 3] = reach**2
        return rows, bounds
