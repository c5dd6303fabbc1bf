"""The boards of training pictures before light falls on them: wood, paint, markers and bowls."""

from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_rules import ZONE_LENGTH, Seat
from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import Appearance
from vision.training.pictures.random_boards import random_color

Array = Any
TEXTURE_PX_PER_MM = 3.0
SUB = 16
"""Parts of a pixel in which OpenCV draws with four bits more."""


def _fine(x_mm: float, y_mm: float) -> tuple[int, int]:
    """A place of the board in parts of the texture's pixels."""
    return round((x_mm * TEXTURE_PX_PER_MM - 0.5) * SUB), round((y_mm * TEXTURE_PX_PER_MM - 0.5) * SUB)


def _ink(color: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in color)


def linear(color: Array) -> Array:
    """Linear light from 0 to 1 of a BGR colour from 0 to 255."""
    return (np.clip(np.asarray(color, dtype=float), 0, 255) / 255.0) ** 2.2


def wood(size_mm: tuple[float, float], color: Array, grain: float, scale: float, rng: Any) -> Array:
    """Planks with streaks (linear light)."""
    width, height = (max(8, round(side * scale)) for side in size_mm)
    streaks = np.zeros((height, width), np.float32)
    for fine_mm, weight in ((1.0, 0.4), (4.0, 0.8), (20.0, 1.0)):
        shape = (
            max(2, round(size_mm[1] / fine_mm)),
            max(2, round(size_mm[0] / (fine_mm * rng.uniform(8, 30)))),
        )
        streaks += cv2.resize(
            rng.normal(0, weight, shape).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
    streaks = np.clip(1 + grain * streaks / max(float(streaks.std()), 1e-6), 0.2, 2.0)
    if rng.random() < 0.5:
        streaks = np.ascontiguousarray(cv2.resize(streaks.T, (width, height)))
    return streaks[..., None] * linear(color).astype(np.float32)


class Board:
    """Texture, bowls and cells of one board as the tracer wants them."""

    def __init__(self, board: BoardFile, appearance: Appearance, rng: Any) -> None:
        self.board, self.appearance, self.rng = board, appearance, rng
        plain = wood(board.size_mm, appearance.board, appearance.grain, TEXTURE_PX_PER_MM, rng)
        self.drawing = (255 * plain ** (1 / 2.2)).clip(0, 255).astype(np.uint8)
        self.holes = np.zeros((len(board.holes), 12))
        tall = board.pawn is not None and not board.pawn.is_marble
        self.drilled = tall or rng.random() < 0.12
        self.depth = rng.uniform(1.2, 2.6) if self.drilled else rng.uniform(0.3, 0.95)
        self.inner_rim = not self.drilled and rng.random() < 0.15
        self.paints = {seat: random_color(board.colors[seat], rng) for seat in board.seats}
        self._paint()
        self.texture = linear(self.drawing).astype(np.float32)
        size = [int(np.ceil(side)) + 1 for side in board.size_mm]
        self.cells = np.full((size[1], size[0]), -1, np.int32)
        self._bowls()

    def owner_color(self, hole: Any) -> Array | None:
        """The colour of the seat in whose colour a hole is painted."""
        seat = self.board.owner(hole) if self.appearance.starts else hole.seat
        return None if seat is None else self.paints[seat]

    @property
    def pitch_px(self) -> float:
        """Pixels of the texture from hole to hole."""
        return self.board.pitch_mm * TEXTURE_PX_PER_MM

    def _disc(self, x: float, y: float, radius_mm: float, color: Any, thick: int = -1) -> None:
        size = round(radius_mm * TEXTURE_PX_PER_MM * SUB)
        cv2.circle(self.drawing, _fine(x, y), size, _ink(color), thick, cv2.LINE_AA, 4)

    def _line(self, first: complex, second: complex, pitches: float, color: Any) -> None:
        start, end = (_fine(at.real, at.imag) for at in (first, second))
        thick = max(1, round(pitches * self.pitch_px))
        cv2.line(self.drawing, start, end, _ink(color), thick, cv2.LINE_AA, 4)

    def _owned(self, kind: HoleKind) -> dict[Seat, Array]:
        """The holes of a kind by seat, as complex numbers in mm."""
        return {
            seat: np.array(
                [complex(h.x_mm, h.y_mm) for h in self.board.holes if h.seat is seat and h.kind is kind]
            )
            for seat in self.board.seats
        }

    def _paint(self) -> None:
        rng, appearance, board = self.rng, self.appearance, self.board
        if appearance.lines is not None:
            thick = rng.uniform(0.03, 0.09)
            track = [complex(h.x_mm, h.y_mm) for h in board.holes if h.kind is HoleKind.TRACK]
            for first, second in zip(track, track[1:] + track[:1], strict=True):
                self._line(first, second, thick, appearance.lines)
        ring = max(1, round(rng.uniform(0.04, 0.1) * self.pitch_px))
        ring_collar = rng.random() < 0.4
        for number, hole in enumerate(board.holes):
            owner = self.owner_color(hole)
            if appearance.collar is not None:
                size = hole.d_mm / 2 * appearance.collar_size
                self._disc(hole.x_mm, hole.y_mm, size, appearance.collar, ring if ring_collar else -1)
            if owner is not None and appearance.paint in ("ring", "disc"):
                size = hole.d_mm / 2 * max(appearance.ring_size, 1.15)
                self._disc(hole.x_mm, hole.y_mm, size, owner, ring if appearance.paint == "ring" else -1)
            if number % ZONE_LENGTH in (0, 6) and rng.random() < 0.5:
                x, y = _fine(hole.x_mm + 0.5 * board.pitch_mm, hole.y_mm + 0.6 * board.pitch_mm)
                text = str(number % 19)
                cv2.putText(self.drawing, text, (x // SUB, y // SUB), 0, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
        if appearance.circles:
            for seat, camp in self._owned(HoleKind.CAMP).items():
                middle = camp.mean()
                far = np.abs(camp - middle).max() + 0.6 * board.pitch_mm
                self._disc(middle.real, middle.imag, far, self.paints[seat], 4)
        if board.markers and rng.random() < 0.8:
            self._markers()

    def _markers(self) -> None:
        for marker in self.board.markers:
            half = round(marker.size_mm * 0.65 * TEXTURE_PX_PER_MM)
            x, y = round(marker.x_mm * TEXTURE_PX_PER_MM), round(marker.y_mm * TEXTURE_PX_PER_MM)
            area = self.drawing[max(y - half, 0) : y + half, max(x - half, 0) : x + half]
            area[:] = 225
            code = (self.rng.random((6, 6)) < 0.5).astype(np.uint8) * 180 + 40
            inner = area[half // 5 : -half // 5, half // 5 : -half // 5]
            if min(inner.shape[:2]) > 6:
                inner[:] = cv2.resize(code, inner.shape[1::-1], interpolation=cv2.INTER_NEAREST)[..., None]

    def _bowls(self) -> None:
        appearance, rng = self.appearance, self.rng
        same = rng.random() < 0.5
        for number, hole in enumerate(self.board.holes):
            radius = hole.d_mm / 2
            own = linear(appearance.hole) * rng.uniform(0.9, 1.1)
            if appearance.collar is not None and same and not self.drilled:
                own = linear(appearance.collar) * rng.uniform(0.8, 1.0)
            owner = self.owner_color(hole)
            if (
                owner is not None
                and appearance.paint in ("bowl", "disc")
                and (appearance.paint == "bowl" or same)
            ):
                own = linear(owner) * rng.uniform(0.75, 1.0)
            if hole.kind is HoleKind.CENTRE and rng.random() < 0.5:
                own = linear(random_color(str(rng.choice(COLORS)), rng))
            row = self.holes[number]
            row[:5] = hole.x_mm, hole.y_mm, radius, self.depth * radius * rng.uniform(0.9, 1.1), self.drilled
            row[5:8] = own
            if owner is not None and (self.inner_rim or (self.drilled and appearance.paint == "bowl")):
                row[8], row[9:12] = 1.0, linear(owner)
                if not self.drilled:
                    row[5:8] = linear(appearance.hole)
            place = (round(hole.x_mm - 0.5), round(hole.y_mm - 0.5))
            cv2.circle(self.cells, place, int(np.ceil(radius)) + 2, number, -1)
