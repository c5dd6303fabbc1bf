"""Draws a board as a camera would see it: wood, holes, markers, pawns, a hand, a card.

The empty board is drawn once for an appearance; a frame adds pawns, hand and grain to it, in some milliseconds.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.camera_pose import CameraPose
from tock_vision.rendering.appearance import Appearance, DrawnCard, DrawnPawn, pose_of
from tock_vision.rendering.board_drawing import MAX_DRAWING_PX, BoardDrawing, wood
from tock_vision.rendering.sprites import Paint, draw_card, draw_hand, draw_pawn

TABLE_PX_PER_MM = 1.0
BAND_PX = 120
TABLE_MARGIN = 0.9
"""Width of the table drawn around the board, in sides of the board."""


def _bands(height: int) -> Iterator[slice]:
    """Rows of a frame, some at a time: all at once would take eight times the memory of the frame."""
    for first in range(0, height, BAND_PX):
        yield slice(first, min(first + BAND_PX, height))


class Renderer:
    """Draws frames of one board in one appearance."""

    def __init__(self, board: BoardFile, appearance: Appearance | None = None) -> None:
        self.board = board
        self.appearance = appearance or Appearance()
        self.pose = pose_of(board, self.appearance)
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
        # The camera leans back, so lower things in the frame are in front.
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
        flat = BoardDrawing(self.board, self.appearance)
        drawing = flat.drawn(self._rng)
        margin = TABLE_MARGIN * max(self.board.size_mm)
        table_mm = (self.board.size_mm[0] + 2 * margin, self.board.size_mm[1] + 2 * margin)
        table_px_per_mm = min(TABLE_PX_PER_MM, MAX_DRAWING_PX / max(table_mm))
        table = wood(table_mm, self.appearance.table, table_px_per_mm, self.appearance.grain, self._rng)
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
        return self._place(drawing, flat.px_per_mm, (0.0, 0.0), picture)

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
