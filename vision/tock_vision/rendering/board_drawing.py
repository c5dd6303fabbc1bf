"""Draws an empty board flat, as seen from straight above: wood, paint, holes, markers."""

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, DrilledHole, HoleKind
from tock_rules import Seat
from tock_vision.arrays import Frame
from tock_vision.rendering.appearance import Appearance, Color, named_color

MAX_PX_PER_MM = 3.0
MAX_DRAWING_PX = 2400
"""A side of the flat drawing, for boards of any size."""
MIN_MARKER_PX = 8
QUIET = 0.22
"""White border around a marker, in sides of the marker."""


class BoardDrawing:
    """Draws one board in one appearance."""

    def __init__(self, board: BoardFile, appearance: Appearance) -> None:
        self.board = board
        self.appearance = appearance
        self.px_per_mm = min(MAX_PX_PER_MM, MAX_DRAWING_PX / max(board.size_mm))

    def drawn(self, rng: np.random.Generator) -> Frame:
        """The board with all that is painted on it and drilled into it."""
        look = self.appearance
        drawing = wood(self.board.size_mm, look.board, self.px_per_mm, look.grain, rng)
        if look.circles:
            self._draw_circles(drawing)
        self._draw_holes(drawing)
        if look.markers:
            self._draw_markers(drawing)
        return drawing

    def _draw_holes(self, drawing: Frame) -> None:
        scale, sub = self.px_per_mm, 16

        def at(x_mm: float, y_mm: float) -> tuple[int, int]:
            return round((x_mm * scale - 0.5) * sub), round((y_mm * scale - 0.5) * sub)

        if self.appearance.lines is not None:
            track = [hole for hole in self.board.holes if hole.kind is HoleKind.TRACK]
            for first, second in zip(track, track[1:] + track[:1], strict=True):
                ends = at(first.x_mm, first.y_mm), at(second.x_mm, second.y_mm)
                thick = max(1, round(0.05 * self.board.pitch_mm * scale))
                cv2.line(drawing, *ends, self.appearance.lines, thick, cv2.LINE_AA, 4)
        for hole in self.board.holes:
            radius = hole.d_mm / 2 * scale
            if self.appearance.collar is not None:
                size = round(radius * self.appearance.collar_size * sub)
                cv2.circle(
                    drawing, at(hole.x_mm, hole.y_mm), size, self.appearance.collar, -1, cv2.LINE_AA, 4
                )
            bowl = self.appearance.hole
            owner = self._owner(hole)
            if owner is not None and self.appearance.paint != "none":
                ring = named_color(self.board.colors[owner])
                bowl = ring if self.appearance.paint == "bowl" else bowl
                thick = (
                    max(1, round(0.06 * self.board.pitch_mm * scale))
                    if self.appearance.paint == "ring"
                    else -1
                )
                cv2.circle(
                    drawing,
                    at(hole.x_mm, hole.y_mm),
                    round(radius * self.appearance.ring_size * sub),
                    ring,
                    thick,
                    cv2.LINE_AA,
                    4,
                )
            # A bowl is dark on the side of the light and catches it on the other.
            for part, shade in ((1.0, 0.75), (0.88, 1.0), (0.6, self.appearance.bowl)):
                color = tuple(min(255.0, value * shade) for value in bowl)
                place = at(
                    hole.x_mm + 0.12 * (1 - part) * hole.d_mm, hole.y_mm + 0.25 * (1 - part) * hole.d_mm
                )
                cv2.circle(drawing, place, round(radius * part * sub), color, -1, cv2.LINE_AA, 4)

    def _owner(self, hole: DrilledHole) -> Seat | None:
        """The seat in whose colour a hole is painted."""
        return self.board.owner(hole) if self.appearance.starts else hole.seat

    def _draw_circles(self, drawing: Frame) -> None:
        for seat in self.board.seats:
            camp = np.array(
                [[h.x_mm, h.y_mm] for h in self.board.holes if h.kind is HoleKind.CAMP and h.seat == seat]
            )
            middle = camp.mean(axis=0)
            radius = float(np.linalg.norm(camp - middle, axis=1).max()) + 0.6 * self.board.pitch_mm
            at = tuple(int(value) for value in (middle * self.px_per_mm).round())
            color = named_color(self.board.colors[seat])
            cv2.circle(drawing, at, round(radius * self.px_per_mm), color, 3, cv2.LINE_AA)

    def _draw_markers(self, drawing: Frame) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        for marker in self.board.markers:
            side = round(np.clip(marker.size_mm * self.px_per_mm, MIN_MARKER_PX, MAX_DRAWING_PX))
            border = round(QUIET * side)
            code = cv2.aruco.generateImageMarker(dictionary, marker.id, side)
            code = cv2.copyMakeBorder(code, border, border, border, border, cv2.BORDER_CONSTANT, value=255)
            soft = cv2.cvtColor((code * 0.86 + 14).astype(np.uint8), cv2.COLOR_GRAY2BGR)
            left = round(marker.x_mm * self.px_per_mm - soft.shape[1] / 2)
            top = round(marker.y_mm * self.px_per_mm - soft.shape[0] / 2)
            cut_left, cut_top = max(0, -left), max(0, -top)
            area = drawing[max(0, top) : top + soft.shape[0], max(0, left) : left + soft.shape[1]]
            area[...] = soft[cut_top : cut_top + area.shape[0], cut_left : cut_left + area.shape[1]]


def wood(
    size_mm: tuple[float, float], color: Color, px_per_mm: float, grain: float, rng: np.random.Generator
) -> Frame:
    """Wood of a colour, with streaks."""
    width, height = (max(8, round(side * px_per_mm)) for side in size_mm)
    streaks = np.zeros((height, width), dtype=np.float32)
    for fine_mm, weight in ((1.2, 0.5), (5.0, 0.8), (22.0, 1.0)):
        rows = max(2, round(size_mm[1] / fine_mm))
        columns = max(2, round(size_mm[0] / (fine_mm * 18)))
        noise = rng.normal(0, weight, (rows, columns)).astype(np.float32)
        streaks += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    streaks = 1.0 + grain * streaks / max(float(streaks.std()), 1e-6)
    wood = np.empty((height, width, 3), np.uint8)
    for channel, value in enumerate(color):
        wood[..., channel] = np.clip(streaks * np.float32(value), 0, 255)
    return wood
