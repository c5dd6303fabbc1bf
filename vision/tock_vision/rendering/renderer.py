"""Draws what a camera would see of a board: wood, holes, markers, pawns, a hand, a card.

The empty board is drawn once for a appearance; a frame adds pawns, hand and grain to it, in some milliseconds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile, DrilledHole, HoleKind
from tock_companion.rules import ZONE_LENGTH, Seat
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.rendering.sprites import Paint, draw_card, draw_hand, draw_pawn

Color = tuple[float, float, float]
Paintwork = Literal["none", "ring", "disc", "bowl"]
MAX_PX_PER_MM, TABLE_PX_PER_MM = 3.0, 1.0
MAX_DRAWING_PX = 2400
"""A side of what is drawn flat, whatever the size of the board."""
BAND_PX = 120
MIN_MARKER_PX = 8
TABLE_MARGIN = 0.9
"""Width of the table drawn around the board, in sides of the board."""
QUIET = 0.22
"""White border around a marker, in sides of the marker."""


@dataclass(frozen=True)
class Appearance:
    """Properties that change from table to table; colours are BGR from 0 to 255."""

    size_px: tuple[int, int] = (1280, 960)
    tilt_deg: float = 9.0
    """Angle of the camera from the vertical."""
    turn_deg: float = 0.0
    """Angle of the board on the table, clockwise."""
    focal: float = 1.0
    """In widths of the frame."""
    radial: float = 0.0
    fill: float = 0.80
    """Share of the frame's height that the board takes."""
    board: Color = (118.0, 168.0, 206.0)
    table: Color = (58.0, 74.0, 96.0)
    grain: float = 0.10
    """Contrast of the wood."""
    hole: Color = (38.0, 46.0, 58.0)
    bowl: float = 1.25
    """Brightness of the bottom of a hole relative to its rim: a shallow dimple is brighter."""
    collar: Color | None = None
    """Painted disc around every hole, in this colour."""
    collar_size: float = 1.6
    """In diameters of the hole."""
    lines: Color | None = None
    """Painted lines from hole to hole along the track."""
    paint: Paintwork = "ring"
    """The paint in the seat's colour around the holes of camps and homes."""
    starts: bool = False
    """Whether the start holes are painted so too."""
    circles: bool = False
    """Whether a thin circle in the seat's colour runs around every camp."""
    ring_size: float = 1.35
    """In diameters of the hole."""
    light: Color = (1.0, 1.0, 1.0)
    """Colour and strength of the lamp."""
    slope: tuple[float, float] = (0.10, -0.14)
    """Change of brightness across the frame, to the right and down."""
    markers: bool = True
    blur_px: float = 0.7
    noise: float = 2.5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class DrawnPawn:
    """A pawn to draw: where its foot stands and its colour (BGR, 0 to 255)."""

    x_mm: float
    y_mm: float
    color: Color
    seed: int = 0
    """Of its pattern, so that no two marbles are alike."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card to draw beside the board, with the text of its index."""

    text: str
    red: bool


def named_color(name: str) -> Color:
    """Typical BGR colour of a colour name of the board files."""
    code = COLOR_NAMES[name]
    return float(int(code[5:7], 16)), float(int(code[3:5], 16)), float(int(code[1:3], 16))


def pose_of(board: BoardFile, appearance: Appearance) -> CameraPose:
    """Pose of a camera that looks at the middle of the board as the appearance says."""
    width_mm, height_mm = board.size_mm
    focal_px = appearance.focal * appearance.size_px[0]
    distance_mm = focal_px * max(width_mm, height_mm) / (appearance.fill * min(appearance.size_px))
    tilt, turn = np.radians(appearance.tilt_deg), np.radians(appearance.turn_deg)
    # Turn the board on the table, then lean the camera back so that it looks down at an angle.
    spin = rotation_matrix(np.array([0.0, 0.0, turn]))
    rotation = rotation_matrix(np.array([-tilt, 0.0, 0.0])) @ spin
    middle = np.array([width_mm / 2, height_mm / 2, 0.0])
    shift = np.array([0.0, 0.0, distance_mm]) - rotation @ middle
    vector = cv2.Rodrigues(rotation)[0].ravel()
    return CameraPose(
        np.concatenate([vector, shift, [np.log(focal_px), appearance.radial]]), appearance.size_px
    )


def _bands(height: int) -> Iterator[slice]:
    """Rows of a frame, some at a time: what is computed for all at once takes eight times the memory of the frame."""
    for first in range(0, height, BAND_PX):
        yield slice(first, min(first + BAND_PX, height))


class Renderer:
    """Draws frames of one board in one appearance."""

    def __init__(self, board: BoardFile, appearance: Appearance | None = None) -> None:
        self.board = board
        self.appearance = appearance or Appearance()
        self.pose = pose_of(board, self.appearance)
        self._px_per_mm = min(MAX_PX_PER_MM, MAX_DRAWING_PX / max(board.size_mm))
        self.pawn = board.usual_pawn
        self._rng = np.random.default_rng(self.appearance.seed)
        self._empty = self._lit(self._empty_board())
        self._noise_offset = max(1, round(3 * self.appearance.noise))
        self._noise = self._noise_pictures()
        self._count = 0
        self._drawn: tuple[tuple[DrawnPawn, ...], DrawnCard | None, Frame] | None = None

    def frame(
        self,
        pawns: Sequence[DrawnPawn] = (),
        hand_mm: tuple[float, float] | None = None,
        card: DrawnCard | None = None,
    ) -> Frame:
        """Draw the next frame (BGR, shape: [height, width, 3]); equal calls differ only in grain."""
        picture = self._still(tuple(pawns), card).copy()
        if hand_mm is not None:
            draw_hand(picture, self.pose, hand_mm)
        if self.appearance.noise > 0:
            grain = self._noise[self._count % len(self._noise)]
            self._count += 1
            picture = cv2.add(picture, grain)
            np.maximum(picture, self._noise_offset, out=picture)
            picture -= self._noise_offset
        return picture

    def _still(self, pawns: tuple[DrawnPawn, ...], card: DrawnCard | None) -> Frame:
        """The board with pawns and card, redrawn only when one of them has changed."""
        if self._drawn is not None and self._drawn[:2] == (pawns, card):
            return self._drawn[2]
        picture = self._empty.copy()
        if card is not None:
            draw_card(picture, self.pose, self.board, card.text, card.red)
        # The camera leans back, so what is lower in the frame stands in front.
        feet = self.pose.project(np.array([[pawn.x_mm, pawn.y_mm] for pawn in pawns]).reshape(-1, 2))
        for number in np.argsort(feet[:, 1], kind="stable"):
            pawn = pawns[int(number)]
            place = np.array([[pawn.x_mm, pawn.y_mm]])
            paint = Paint(pawn.color, self._light_at(feet[int(number)]).tolist(), pawn.seed)
            draw_pawn(picture, self.pose, self.board, self.pawn, place, paint)
        self._drawn = (pawns, card, picture)
        return picture

    def _light_map(self, columns: slice = slice(None), rows: slice = slice(None)) -> Singles:
        """The lamp's light on a part of the frame; a map of all of it is four frames large, so none is kept."""
        width, height = self.appearance.size_px
        x = np.linspace(-1, 1, width, dtype=np.float32)[None, columns]
        y = np.linspace(-1, 1, height, dtype=np.float32)[rows, None]
        level = np.clip(1.0 + self.appearance.slope[0] * x + self.appearance.slope[1] * y, 0.15, 2.5)
        return (level[..., None] * np.array(self.appearance.light, dtype=np.float32)).astype(np.float32)

    def _light_at(self, place_px: Floats) -> Singles:
        x = int(np.clip(place_px[0], 0, self.appearance.size_px[0] - 1))
        y = int(np.clip(place_px[1], 0, self.appearance.size_px[1] - 1))
        level: Singles = self._light_map(slice(x, x + 1), slice(y, y + 1))[0, 0]
        return level

    def _lit(self, picture: Frame) -> Frame:
        lit = np.empty_like(picture)
        for rows in _bands(picture.shape[0]):
            lit[rows] = np.clip(picture[rows].astype(np.float32) * self._light_map(rows=rows), 0, 255)
        return cv2.GaussianBlur(lit, (0, 0), self.appearance.blur_px) if self.appearance.blur_px > 0 else lit

    def _noise_pictures(self) -> list[Frame]:
        """Five windows of one larger picture of grain."""
        height, width = self._empty.shape[:2]
        full = np.empty((height + 64, width + 64, 3), np.uint8)
        # Row by row: as floating-point numbers all of it would take eight times the memory of the picture.
        for row in full:
            tile = self._rng.normal(self._noise_offset, self.appearance.noise, row.shape)
            np.clip(tile, 0, 255, out=tile)
            row[...] = tile
        return [
            full[dy : dy + height, dx : dx + width]
            for dy, dx in ((0, 0), (31, 17), (9, 53), (60, 40), (23, 5))
        ]

    def _empty_board(self) -> Frame:
        drawing = self._wood(self.board.size_mm, self.appearance.board, self._px_per_mm)
        if self.appearance.circles:
            self._draw_circles(drawing)
        self._draw_holes(drawing)
        if self.appearance.markers:
            self._draw_markers(drawing)
        margin = TABLE_MARGIN * max(self.board.size_mm)
        table_mm = (self.board.size_mm[0] + 2 * margin, self.board.size_mm[1] + 2 * margin)
        table_px_per_mm = min(TABLE_PX_PER_MM, MAX_DRAWING_PX / max(table_mm))
        table = self._wood(table_mm, self.appearance.table, table_px_per_mm)
        picture = np.zeros((*self.appearance.size_px[::-1], 3), np.uint8)
        picture = self._place(table, table_px_per_mm, (-margin, -margin), picture)
        shadow = np.array(self.board.size_mm) * 0.004 + 2.0
        dark: Frame = np.full((8, 8, 3), np.array(self.appearance.table) * 0.55, dtype=np.uint8)
        corners = [
            (-shadow[0], -shadow[1]),
            (self.board.size_mm[0] + shadow[0], self.board.size_mm[1] + shadow[1]),
        ]
        scale = 8 / (corners[1][0] - corners[0][0])
        dark = cv2.resize(dark, (8, max(1, round((corners[1][1] - corners[0][1]) * scale))))
        picture = self._place(dark, scale, corners[0], picture)
        return self._place(drawing, self._px_per_mm, (0.0, 0.0), picture)

    def _place(
        self, drawing: Frame, px_per_mm: float, origin_mm: tuple[float, float], picture: Frame
    ) -> Frame:
        """Lay a flat drawing into the picture as the camera sees it."""
        height, width = drawing.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=float)
        frame_width, frame_height = self.appearance.size_px
        # Undo lens and pose for every pixel by fitting the smooth inverse on a grid of the plane.
        flat = CameraPose(np.concatenate([self.pose.params[:7], [0.0]]), self.pose.size_px)
        seen = flat.project(corners / px_per_mm + origin_mm).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(seen, corners.astype(np.float32) - 0.5)
        for rows in _bands(frame_height):
            xs, ys = np.meshgrid(
                np.arange(frame_width, dtype=np.float32),
                np.arange(rows.start, rows.stop, dtype=np.float32),
            )
            px, py = self._without_lens(xs, ys)
            w = matrix[2, 0] * px + matrix[2, 1] * py + matrix[2, 2]
            map_x = ((matrix[0, 0] * px + matrix[0, 1] * py + matrix[0, 2]) / w).astype(np.float32)
            map_y = ((matrix[1, 0] * px + matrix[1, 1] * py + matrix[1, 2]) / w).astype(np.float32)
            laid = cv2.remap(drawing, map_x, map_y, cv2.INTER_AREA if px_per_mm > 2 else cv2.INTER_LINEAR)
            inside = (map_x > -0.5) & (map_y > -0.5) & (map_x < width - 0.5) & (map_y < height - 0.5)
            picture[rows][inside] = laid[inside]
        return picture

    def _without_lens(self, xs: Singles, ys: Singles) -> tuple[Floats, Floats]:
        center, radius, radial = self.pose.center_px, self.pose.radius_px, float(self.pose.params[7])
        bent_x, bent_y = xs - center[0], ys - center[1]
        straight_x, straight_y = bent_x.astype(float), bent_y.astype(float)
        for _ in range(6):
            bend = 1.0 + radial * (straight_x**2 + straight_y**2) / radius**2
            straight_x, straight_y = bent_x / bend, bent_y / bend
        return straight_x + center[0], straight_y + center[1]

    def _wood(self, size_mm: tuple[float, float], color: Color, px_per_mm: float) -> Frame:
        width, height = (max(8, round(side * px_per_mm)) for side in size_mm)
        streaks = np.zeros((height, width), dtype=np.float32)
        for fine_mm, weight in ((1.2, 0.5), (5.0, 0.8), (22.0, 1.0)):
            rows = max(2, round(size_mm[1] / fine_mm))
            columns = max(2, round(size_mm[0] / (fine_mm * 18)))
            noise = self._rng.normal(0, weight, (rows, columns)).astype(np.float32)
            streaks += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        streaks = 1.0 + self.appearance.grain * streaks / max(float(streaks.std()), 1e-6)
        wood = np.empty((height, width, 3), np.uint8)
        for channel, value in enumerate(color):
            wood[..., channel] = np.clip(streaks * np.float32(value), 0, 255)
        return wood

    def _draw_holes(self, drawing: Frame) -> None:
        scale, sub = self._px_per_mm, 16

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
        if hole.seat is not None:
            return hole.seat
        if self.appearance.starts and hole.kind is HoleKind.TRACK and hole.index % ZONE_LENGTH == 0:
            return self.board.seats[hole.index // ZONE_LENGTH]
        return None

    def _draw_circles(self, drawing: Frame) -> None:
        for seat in self.board.seats:
            camp = np.array(
                [[h.x_mm, h.y_mm] for h in self.board.holes if h.kind is HoleKind.CAMP and h.seat == seat]
            )
            middle = camp.mean(axis=0)
            radius = float(np.linalg.norm(camp - middle, axis=1).max()) + 0.6 * self.board.pitch_mm
            at = tuple(int(value) for value in (middle * self._px_per_mm).round())
            color = named_color(self.board.colors[seat])
            cv2.circle(drawing, at, round(radius * self._px_per_mm), color, 3, cv2.LINE_AA)

    def _draw_markers(self, drawing: Frame) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        for marker in self.board.markers:
            side = round(np.clip(marker.size_mm * self._px_per_mm, MIN_MARKER_PX, MAX_DRAWING_PX))
            border = round(QUIET * side)
            code = cv2.aruco.generateImageMarker(dictionary, marker.id, side)
            code = cv2.copyMakeBorder(code, border, border, border, border, cv2.BORDER_CONSTANT, value=255)
            soft = cv2.cvtColor((code * 0.86 + 14).astype(np.uint8), cv2.COLOR_GRAY2BGR)
            left = round(marker.x_mm * self._px_per_mm - soft.shape[1] / 2)
            top = round(marker.y_mm * self._px_per_mm - soft.shape[0] / 2)
            cut_left, cut_top = max(0, -left), max(0, -top)
            area = drawing[max(0, top) : top + soft.shape[0], max(0, left) : left + soft.shape[1]]
            area[...] = soft[cut_top : cut_top + area.shape[0], cut_left : cut_left + area.shape[1]]
