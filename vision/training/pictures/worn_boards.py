"""Boards of training pictures as hands and years make them: painted fields, letters, knots, cup rings, worn paint."""

from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import HoleKind
from vision.training.pictures.wooden_boards import TEXTURE_PX_PER_MM, Board, linear

Array = Any
WORDS = (
    "TOCK",
    "TOC",
    "JEU DE TOC",
    "TOCK 6",
    "Famille",
    "PARTNERS",
    "1974",
    "MARBLE",
    "Grand-mere",
    "START",
)
DARK, PALE = (30, 32, 38), (215, 225, 232)
INKS = (DARK, (80, 40, 30), (30, 60, 35), (25, 35, 60), PALE, (120, 160, 190))
"""Colours of fields, rings and seams, dark ones first."""
INK_SHARES = (0.4, 0.25, 0.15, 0.2)


class WornBoard(Board):
    """A board with everything on it that is no hole, and holes that are only printed on some."""

    def _paint(self) -> None:
        for part, chance in (
            (self._sectors, 0.25),
            (self._fields, 0.3),
            (self._strips, 0.3),
            (self._knots, 0.4),
        ):
            if self.rng.random() < chance:
                part()
        super()._paint()
        for part, chance in (
            (self._letters, 0.6),
            (self._numbers, 0.25),
            (self._decoys, 0.45),
            (self._cup_rings, 0.25),
            (self._scratches, 0.25),
            (self._frame, 0.4),
            (self._worn, 0.25),
        ):
            if self.rng.random() < chance:
                part()

    def _bowls(self) -> None:
        super()._bowls()
        if self.rng.random() < 0.12:
            self._print_holes()

    def _print_holes(self) -> None:
        """Dots and rings of ink instead of holes."""
        thick = -1 if self.rng.random() < 0.6 else max(2, round(0.05 * self.pitch_px))
        self._dots([hole.d_mm / 2 for hole in self.board.holes], self._some_ink(), 0.9, thick)
        self.texture = linear(self.drawing).astype(np.float32)

    def _dots(self, sizes_mm: Any, ink: Any, owned_share: float, thick: int = -1) -> None:
        """Draw over all holes, some in the colours of their seats; nothing is drilled there."""
        for hole, size in zip(self.board.holes, sizes_mm, strict=True):
            own = self.owner_color(hole) if self.rng.random() < owned_share else None
            self._disc(hole.x_mm, hole.y_mm, size, ink if own is None else own, thick)
        self.holes[:, 2] = 0.01

    def _some_ink(self) -> Array:
        """Black or white mostly, or a colour of paint or near that of the board."""
        own = [
            DARK,
            PALE,
            INKS[self.rng.integers(len(INKS))],
            np.array(self.appearance.board) * self.rng.uniform(0.3, 1.6),
        ]
        return np.clip(np.array(own[int(self.rng.choice(4, p=INK_SHARES))], dtype=float), 0, 255)

    def _somewhere(self) -> tuple[float, float]:
        x, y = self.rng.uniform(0.03, 0.97, 2) * self.board.size_mm
        return float(x), float(y)

    def _free(self, reach: float) -> tuple[float, float] | None:
        """A place beside the holes, in pitches from them."""
        for _ in range(12):
            place = self._somewhere()
            if self.board.nearest(*place)[1] > reach * self.board.pitch_mm:
                return place
        return None

    def _sectors(self) -> None:
        """The field of each seat in its colour."""
        middle = np.array(self.board.size_mm) / 2
        far = float(max(self.board.size_mm))
        veil = self.drawing.copy()
        for seat, camp in self._owned(HoleKind.CAMP).items():
            angle = float(np.angle(camp.mean() - complex(*middle)))
            half = np.pi / self.board.zones
            corners = [middle + far * np.array([np.cos(angle + s), np.sin(angle + s)]) for s in (-half, half)]
            points = (np.array([middle, *corners]) * TEXTURE_PX_PER_MM).astype(np.int32)
            cv2.fillPoly(veil, [points], tuple(float(v) for v in self.paints[seat]), cv2.LINE_AA)
        share = float(self.rng.uniform(0.25, 0.8))
        self.drawing[:] = cv2.addWeighted(veil, share, self.drawing, 1 - share, 0)

    def _fields(self, least: float = 0.34) -> None:
        """A painted field around each hole, round or square, some with an edge; a seat's own in its colour."""
        size = float(self.rng.uniform(least, 0.5)) * self.board.pitch_mm
        ink, edge = self._some_ink(), self._some_ink()
        edged, square, owned = self.rng.random(3) < (0.5, 0.25, 0.9)
        for hole in self.board.holes:
            own = self.owner_color(hole) if owned else None
            color = ink if own is None else own
            if square:
                box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size + [hole.x_mm, hole.y_mm]
                points = (box * TEXTURE_PX_PER_MM).astype(np.int32)
                cv2.fillPoly(self.drawing, [points], tuple(float(v) for v in color))
                cv2.polylines(self.drawing, [points], True, DARK, 2, cv2.LINE_AA)
                continue
            self._disc(hole.x_mm, hole.y_mm, size, color)
            if edged:
                self._disc(hole.x_mm, hole.y_mm, size, edge, int(self.rng.integers(2, 7)))

    def _strips(self) -> None:
        """Homes and camps painted over."""
        for kind in (HoleKind.HOME, HoleKind.CAMP):
            for seat, own in self._owned(kind).items():
                points = np.column_stack([own.real, own.imag]).astype(np.float32)
                (middle, size, turn) = cv2.minAreaRect(points)
                grown = (size[0] + self.board.pitch_mm, size[1] + self.board.pitch_mm)
                box = cv2.boxPoints((middle, grown, turn)) * TEXTURE_PX_PER_MM
                color = tuple(float(v) for v in self.paints[seat])
                cv2.fillPoly(self.drawing, [box.astype(np.int32)], color, cv2.LINE_AA)

    def _knots(self) -> None:
        for _ in range(int(self.rng.integers(1, 8))):
            x, y = (round(v * TEXTURE_PX_PER_MM) for v in self._somewhere())
            size = self.rng.uniform(0.15, 0.7) * self.pitch_px
            axes = (max(2, round(size)), max(2, round(size * self.rng.uniform(0.5, 1.0))))
            turn = float(self.rng.uniform(0, 180))
            color = np.array(self.appearance.board) * self.rng.uniform(0.35, 0.75)
            for step in (1.0, 0.8, 0.55, 0.3):
                shade = tuple(float(v) for v in color * (0.75 + 0.35 * step))
                part = (max(1, round(axes[0] * step)), max(1, round(axes[1] * step)))
                cv2.ellipse(self.drawing, (x, y), part, turn, 0, 360, shade, -1, cv2.LINE_AA)

    def _letters(self) -> None:
        for _ in range(int(self.rng.integers(1, 4))):
            place = (
                self._free(0.7)
                if self.rng.random() < 0.7
                else (self.board.size_mm[0] / 2, self.board.size_mm[1] / 2)
            )
            if place is None:
                continue
            text = str(self.rng.choice(WORDS))
            size = float(self.rng.uniform(0.5, 2.6)) * self.pitch_px / 30
            font, thick = int(self.rng.integers(0, 8)), max(1, round(size * self.rng.uniform(0.8, 2.5)))
            at = (round(place[0] * TEXTURE_PX_PER_MM), round(place[1] * TEXTURE_PX_PER_MM))
            ink = DARK if self.rng.random() < 0.6 else PALE
            if self.rng.random() < 0.4:
                cv2.putText(self.drawing, text, (at[0] + 2, at[1] + 2), font, size, PALE, thick, cv2.LINE_AA)
            cv2.putText(self.drawing, text, at, font, size, ink, thick, cv2.LINE_AA)

    def _numbers(self) -> None:
        """A number beside each hole of the track, or beside some."""
        every = int(self.rng.choice([1, 1, 2, 6]))
        aside = self.rng.uniform(-0.7, 0.7, 2) * self.board.pitch_mm
        size = float(self.rng.uniform(0.2, 0.45)) * self.pitch_px / 22
        ink = DARK if self.rng.random() < 0.6 else PALE
        for hole in self.board.holes:
            if hole.kind is HoleKind.TRACK and hole.index % every == 0:
                at = tuple(
                    round(float(v) * TEXTURE_PX_PER_MM) for v in (hole.x_mm + aside[0], hole.y_mm + aside[1])
                )
                cv2.putText(self.drawing, str(hole.index % 18), at, 0, size, ink, 1, cv2.LINE_AA)

    def _decoys(self) -> None:
        """Dots, stars, screws and peg holes that belong to nothing."""
        kind = int(self.rng.integers(3))
        for _ in range(int(self.rng.integers(3, 40))):
            place = self._free(0.55)
            if place is None:
                continue
            size = float(self.rng.uniform(0.06, 0.3)) * self.board.pitch_mm
            color = np.array(self.appearance.board) * self.rng.uniform(0.2, 1.4)
            if kind == 0:
                self._disc(*place, size, np.clip(color, 0, 255))
            elif kind == 1:
                self._disc(*place, size, DARK, 2)
            else:
                # Peg holes in a row, closer than the track's.
                step = self.rng.uniform(0.3, 0.6) * self.board.pitch_mm
                way = np.exp(1j * self.rng.uniform(0, 6.28)) * step
                for number in range(int(self.rng.integers(2, 9))):
                    x, y = place[0] + number * way.real, place[1] + number * way.imag
                    if self.board.nearest(x, y)[1] > 0.5 * self.board.pitch_mm:
                        self._disc(x, y, min(size, 0.4 * step), DARK)

    def _cup_rings(self) -> None:
        for _ in range(int(self.rng.integers(1, 4))):
            veil = self.drawing.copy()
            x, y = (round(v * TEXTURE_PX_PER_MM) for v in self._somewhere())
            radius = round(self.rng.uniform(25, 45) * TEXTURE_PX_PER_MM)
            first = float(self.rng.uniform(0, 360))
            cv2.ellipse(veil, (x, y), (radius, radius), 0, first, first + 290, DARK, 6, cv2.LINE_AA)
            self.drawing[:] = cv2.addWeighted(veil, 0.3, self.drawing, 0.7, 0)

    def _scratches(self) -> None:
        for _ in range(int(self.rng.integers(3, 20))):
            ends = [tuple(round(v * TEXTURE_PX_PER_MM) for v in self._somewhere()) for _ in range(2)]
            cv2.line(self.drawing, ends[0], ends[1], PALE, 1, cv2.LINE_AA)

    def _frame(self) -> None:
        """A line or a strip along the edge."""
        height, width = self.drawing.shape[:2]
        thick = round(self.rng.uniform(0.05, 0.5) * self.pitch_px)
        inset = round(self.rng.uniform(0.0, 0.5) * self.pitch_px)
        ink = DARK if self.rng.random() < 0.5 else PALE
        cv2.rectangle(
            self.drawing, (inset, inset), (width - 1 - inset, height - 1 - inset), ink, max(1, thick)
        )

    def _worn(self) -> None:
        """Paint rubbed off in patches."""
        height, width = self.drawing.shape[:2]
        rough = self.rng.normal(0, 1, (height // 40 + 2, width // 40 + 2)).astype(np.float32)
        fine = self.rng.normal(0, 1, (height // 4 + 2, width // 4 + 2)).astype(np.float32)
        field = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
        field = field + 0.7 * cv2.resize(fine, (width, height), interpolation=cv2.INTER_LINEAR)
        gone = np.clip((field - 1.3) * 2, 0, 1)[..., None]
        bare = np.array(self.appearance.board, dtype=np.float32) * float(self.rng.uniform(0.7, 1.3))
        mixed = self.drawing * (1 - gone) + np.clip(bare, 0, 255) * gone
        self.drawing[:] = mixed.astype(np.uint8)
