"""Paints boards as hands do, to measure on: strokes, fields, burnt rings, whole corners, with edges that waver.

Nothing of this is shared with `paint_over.py`, which paints patches for training: here paint is laid on the wood before
light falls on it, runs and thins out, and is crossed by the grain. So figures on it tell of paint never trained on.
"""

from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, DrilledHole, HoleKind
from tock_companion.rules import ZONE_LENGTH, Seat
from tock_vision.rendering.appearance import Appearance
from vision.training.pictures.wooden_boards import TEXTURE_PX_PER_MM, linear
from vision.training.pictures.worn_boards import WornBoard

Array = Any
HAND_PAINTS = ("rim", "disc", "row", "corner", "halo", "crayon", "burnt", "stain", "ludo")
SUB = 16


class HandPaintedBoard(WornBoard):
    """A board whose camps, and mostly homes and starts, are painted with one kind of paint."""

    def __init__(self, board: BoardFile, appearance: Appearance, paint: str, rng: Any) -> None:
        self.paint = paint
        self.size = {
            "rim": rng.uniform(0.26, 0.4), "disc": rng.uniform(0.3, 0.5), "row": rng.uniform(0.12, 0.5),
            "corner": rng.uniform(0.45, 0.9), "halo": rng.uniform(0.3, 0.55), "crayon": rng.uniform(0.34, 0.5),
            "burnt": rng.uniform(0.3, 0.42), "stain": rng.uniform(0.4, 0.7), "ludo": rng.uniform(0.36, 0.48),
        }[paint] * board.pitch_mm  # fmt: skip
        self.thick = rng.uniform(0.08, 0.24) * board.pitch_mm
        self.waver, self.cover = rng.uniform(0.0, 0.16) * board.pitch_mm, rng.uniform(0.75, 1.0)
        homes, starts = bool(rng.random() < 0.75), bool(rng.random() < 0.6)
        self.kinds = {HoleKind.CAMP, *([HoleKind.HOME] if homes else [])}
        self.starts, self.in_bowls = starts, bool(rng.random() < 0.35)
        self.two_colors = bool(rng.random() < 0.3)
        super().__init__(board, appearance, rng)

    def _own(self, seat: Seat) -> list[DrilledHole]:
        """The holes that are painted in a seat's colour."""
        start = [
            hole for hole in self.board.holes
            if self.starts and hole.kind is HoleKind.TRACK
            and hole.index % ZONE_LENGTH == 0 and self.board.seats[hole.index // ZONE_LENGTH] is seat
        ]  # fmt: skip
        return start + [hole for hole in self.board.holes if hole.seat is seat and hole.kind in self.kinds]

    def _paint(self) -> None:
        super()._paint()
        if self.paint == "ludo":
            self._lay(self._discs(list(self.board.holes), self.size), self._light_or_dark())
        if self.paint == "burnt":
            self._lay(
                0.8 * self._rings(list(self.board.holes), self.size), np.array([22.0, 34.0, 52.0]), waver=0.3
            )
        for seat in self.board.seats:
            own = self._own(seat)
            color = np.asarray(self.paints[seat])
            for mask in self._masks(own):
                self._lay(mask, color)
            if self.two_colors and self.paint in ("rim", "disc", "ludo"):
                self._lay(self._rings(own, self.size * 1.15, 0.5), self._light_or_dark())

    def _masks(self, own: list[DrilledHole]) -> list[Array]:
        if self.paint in ("rim", "burnt"):
            return [self._rings(own, self.size)]
        if self.paint in ("disc", "ludo"):
            return [self._discs(own, self.size)]
        if self.paint == "halo":
            soft = cv2.GaussianBlur(self._discs(own, self.size), (0, 0), 0.12 * self.pitch_px)
            return [soft]
        groups = [[hole for hole in own if hole.kind is kind] for kind in (*self.kinds, HoleKind.TRACK)]
        groups = [group for group in groups if group]
        if self.paint == "row":
            return [self._stroke(group, self.size) for group in groups]
        if self.paint == "crayon":
            return [self._discs(own, self.size) * self._hatching()]
        corner = [self._corner(group) for group in groups]
        return [0.55 * mask for mask in corner] if self.paint == "stain" else corner

    def _blank(self) -> Array:
        return np.zeros(self.drawing.shape[:2], np.float32)

    def _at(self, hole: DrilledHole) -> tuple[int, int]:
        scale = TEXTURE_PX_PER_MM
        return round((hole.x_mm * scale - 0.5) * SUB), round((hole.y_mm * scale - 0.5) * SUB)

    def _discs(self, holes: list[DrilledHole], radius_mm: float) -> Array:
        out = self._blank()
        for hole in holes:
            reach = radius_mm * float(self.rng.uniform(0.92, 1.08))
            cv2.circle(out, self._at(hole), round(reach * TEXTURE_PX_PER_MM * SUB), 1.0, -1, cv2.LINE_AA, 4)
        return out

    def _rings(self, holes: list[DrilledHole], radius_mm: float, thin: float = 1.0) -> Array:
        out = self._blank()
        thick = max(1, round(self.thick * thin * TEXTURE_PX_PER_MM))
        for hole in holes:
            reach = max(radius_mm, hole.d_mm / 2) * float(self.rng.uniform(0.95, 1.05))
            cv2.circle(
                out, self._at(hole), round(reach * TEXTURE_PX_PER_MM * SUB), 1.0, thick, cv2.LINE_AA, 4
            )
        return out

    def _stroke(self, group: list[DrilledHole], half_mm: float) -> Array:
        """One stroke of the brush through the holes of a group, a little past the last ones."""
        places = np.array([(hole.x_mm, hole.y_mm) for hole in group])
        if len(places) == 1:
            way = self.rng.normal(0, 1, 2)
            places = places + np.outer([-0.6, 0.6], way / np.linalg.norm(way)) * self.board.pitch_mm
        else:
            ends = places[[0, -1]] + 0.5 * (places[[0, -1]] - places[[1, -2]])
            places = np.vstack([ends[:1], places, ends[1:]])
        out = self._blank()
        line = (places * TEXTURE_PX_PER_MM * SUB).astype(np.int32)
        thick = max(1, round(2 * half_mm * TEXTURE_PX_PER_MM))
        cv2.polylines(out, [line], False, 1.0, thick, cv2.LINE_AA, 4)
        return out

    def _corner(self, group: list[DrilledHole]) -> Array:
        """A field around all holes of a group."""
        out = self._blank()
        places = np.array([(hole.x_mm, hole.y_mm) for hole in group], dtype=np.float32) * TEXTURE_PX_PER_MM
        hull = cv2.convexHull(places).astype(np.int32)
        cv2.fillPoly(out, [hull], 1.0, cv2.LINE_AA)
        cv2.polylines(out, [hull], True, 1.0, max(1, round(2 * self.size * TEXTURE_PX_PER_MM)), cv2.LINE_AA)
        return out

    def _hatching(self) -> Array:
        """The lines of a crayon, all in about one direction."""
        height, width = self.drawing.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float32)
        turn, wide = self.rng.uniform(0, np.pi), self.rng.uniform(1.5, 4.0)
        lines = np.sin(
            (x * np.cos(turn) + y * np.sin(turn)) / wide + 0.4 * self.rng.normal(0, 1, (height, 1))
        )
        return np.clip(0.75 + 0.6 * lines, 0.15, 1.0).astype(np.float32)

    def _light_or_dark(self) -> Array:
        return np.full(3, self.rng.uniform(20, 45) if self.rng.random() < 0.5 else self.rng.uniform(190, 235))

    def _uneven(self, coarse: tuple[int, int], shape: tuple[int, ...], sigma: float) -> Array:
        """Smooth chance over the whole drawing."""
        rough = self.rng.normal(0, sigma, coarse).astype(np.float32)
        return cv2.resize(rough, shape[::-1], interpolation=cv2.INTER_CUBIC)

    def _lay(self, mask: Array, color: Array, waver: float = 1.0) -> None:
        """Lay paint where the mask says, with edges that waver and a cover that thins out."""
        height, width = mask.shape
        reach = self.waver * waver * TEXTURE_PX_PER_MM
        if reach > 0.5:
            step = 0.35 * self.pitch_px
            coarse = max(2, round(height / step)), max(2, round(width / step))
            steps = [self._uneven(coarse, mask.shape, 0.5) for _ in range(2)]
            y, x = np.mgrid[:height, :width].astype(np.float32)
            mask = cv2.remap(mask, x + reach * steps[0], y + reach * steps[1], cv2.INTER_LINEAR)
        thin = self._uneven((height // 12 + 2, width // 12 + 2), mask.shape, 1.0)
        veil = (mask * np.clip(self.cover - 0.08 * np.abs(thin), 0, 1))[..., None]
        mixed = self.drawing * (1 - veil) + np.clip(color, 0, 255) * veil
        self.drawing[:] = mixed.astype(np.uint8)

    def _bowls(self) -> None:
        super()._bowls()
        if not self.in_bowls:
            return
        owned = {hole.id: seat for seat in self.board.seats for hole in self._own(seat)}
        for number, hole in enumerate(self.board.holes):
            if hole.id in owned:
                self.holes[number, 5:8] = linear(self.paints[owned[hole.id]]) * self.rng.uniform(0.7, 1.0)
