"""Boards with marks that are no holes between those that are: dashes, dots, arrows, lanes, stripes through camps.

Where lines join holes that have painted rings, the rest of each line between two rings looks like a hole.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from tock_companion.boardfile import HoleKind
from vision.training.pictures.hard_boards import BusyBoard

Array = Any
MARKS = ("dashes", "dots", "arrows", "lanes", "bars")
MARK_SHARES = (0.4, 0.2, 0.1, 0.15, 0.15)
NEAREST_PITCHES = 0.3
"""How near to a hole's middle a mark may come."""


class JoinedBoard(BusyBoard):
    """A board whose holes are joined by marks, some of its camps and homes crossed by a stripe."""

    def _paint(self) -> None:
        if self.rng.random() < 0.4:
            self._stripes()
        before = self.rng.random() < 0.5
        if before:
            self._marks()
        super()._paint()
        if not before:
            self._marks()

    def _steps(self) -> list[tuple[complex, complex]]:
        """The pairs of neighbours: along the track, along homes, and from the start to its camp."""
        track = [complex(hole.x_mm, hole.y_mm) for hole in self.board.holes if hole.kind is HoleKind.TRACK]
        steps = list(zip(track, track[1:] + track[:1], strict=True))
        if self.rng.random() < 0.7:
            groups = (*self._owned(HoleKind.HOME).values(), *self._owned(HoleKind.CAMP).values())
            steps += [pair for own in groups for pair in pairwise(own.tolist())]
        return steps

    def _marks(self) -> None:
        """Marks of one kind between neighbours, all alike, some left out or rubbed off."""
        kind = str(self.rng.choice(MARKS, p=MARK_SHARES))
        thick, long = self._reach(kind)
        ink, edge = self._some_ink(), self._some_ink() if self.rng.random() < 0.25 else None
        left_out = float(self.rng.choice([0.0, 0.1, 0.5]))
        for first, second in self._steps():
            if self.rng.random() < left_out or abs(second - first) > 2.2 * self.board.pitch_mm:
                continue
            if edge is not None:
                self._mark(kind, first, second, (thick * 1.7, long), edge)
            self._mark(kind, first, second, (thick, long), ink)

    def _reach(self, kind: str) -> tuple[float, float]:
        """Width and length of a mark, in pitches."""
        rng = self.rng
        if kind == "dots":
            return float(rng.uniform(0.06, 0.26)), 0.0
        if kind == "bars":
            return float(rng.uniform(0.04, 0.15)), float(rng.uniform(0.3, 0.8))
        if kind == "lanes":
            return float(rng.uniform(0.03, 0.12)), float(rng.uniform(0.5, 0.9))
        return float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.15, 1 - 2 * NEAREST_PITCHES))

    def _mark(self, kind: str, first: complex, second: complex, size: tuple[float, float], ink: Any) -> None:
        pitch, (thick, long) = self.board.pitch_mm, size
        way = (second - first) / max(abs(second - first), 1e-6)
        middle = (first + second) / 2
        if kind == "dots":
            self._disc(middle.real, middle.imag, thick / 2 * pitch, ink)
            return
        if kind == "lanes":
            for side in (-1j, 1j):
                aside = side * way * long / 2 * pitch
                self._line(first + aside, second + aside, thick, ink)
            return
        across = way * 1j if kind == "bars" else way
        ends = middle - across * long / 2 * pitch, middle + across * long / 2 * pitch
        self._line(*ends, thick, ink)
        if kind == "arrows":
            for turn in (0.8, -0.8):
                self._line(ends[1], ends[1] - way * np.exp(1j * turn) * 0.2 * pitch, thick * 0.7, ink)

    def _stripes(self) -> None:
        """A stripe of paint across the camps, or a ring of paint through them."""
        middle = complex(self.board.size_mm[0] / 2, self.board.size_mm[1] / 2)
        kind = HoleKind.CAMP if self.rng.random() < 0.7 else HoleKind.HOME
        own = [holes.mean() for holes in self._owned(kind).values()]
        thick = float(self.rng.uniform(0.1, 1.3))
        aside = float(self.rng.uniform(-0.8, 0.8)) * self.board.pitch_mm
        ink = self._some_ink()
        if self.rng.random() < 0.4:
            far = float(np.mean(np.abs(np.array(own) - middle))) + aside
            self._disc(middle.real, middle.imag, far, ink, max(1, round(thick * self.pitch_px)))
            return
        turn = complex(np.exp(1j * self.rng.uniform(0, np.pi)))
        for number, seat in enumerate(self.board.seats):
            color = ink if self.rng.random() < 0.5 else self.paints[seat]
            way = (own[number] - middle) / max(abs(own[number] - middle), 1e-6) * turn
            place, half = own[number] + aside * way * 1j, 3 * way * self.board.pitch_mm
            self._line(place - half, place + half, thick, color)
