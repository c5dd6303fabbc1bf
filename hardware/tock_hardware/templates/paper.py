"""A board of paper, for a first evening without wood: coloured holes, printed numbers, markers for the camera."""

from collections.abc import Iterator
from math import cos, pi, sin

from tock_companion.boardfile import COLOR_NAMES, BoardFile, HoleKind
from tock_hardware.drawing.shapes import Anchor, Circle, Drawing, Pen, Polyline, Shape, Text, rectangle
from tock_hardware.templates.markers import marker_shapes
from tock_rules import Hole, Seat

EDGE = Pen("OUTLINE", stroke="#444444", width_mm=0.4)
TRACK = Pen("TRACK", stroke="#b9ad97", width_mm=1.2)
RING = Pen("DRILL", stroke="#444444", width_mm=0.5, fill="#ffffff")
NUMBER = Pen("LABELS", stroke=None, fill="#555555")
ALMOST_WHITE = "#d8d4c8"
"""A white seat needs a tint to be seen on paper."""


def paper_board(board: BoardFile) -> Drawing:
    """Draw the board as it is played on, ready to print and glue on card."""
    width, height = board.size_mm
    shape = board.shape
    shapes: list[Shape] = [rectangle(0, 0, width, height, EDGE), _track_line(board)]
    shapes.extend(_home_lines(board))
    starts = {shape.start(seat): seat for seat in board.seats}
    for hole in board.holes:
        seat = (
            hole.seat
            if hole.seat is not None
            else starts.get(hole.index)
            if hole.kind is HoleKind.TRACK
            else None
        )
        r = 0.36 * board.pitch_mm
        if hole.kind is HoleKind.TRACK and seat is not None:
            shapes.append(_star(hole.x_mm, hole.y_mm, 1.5 * r, _color(board, seat)))
        pen = RING if seat is None else Pen("DRILL", _color(board, seat), 0.16 * r, "#ffffff")
        shapes.append(Circle(hole.x_mm, hole.y_mm, r, pen, hole.id))
        if hole.kind is HoleKind.TRACK:
            size = 0.22 * board.pitch_mm
            text = f"{shape.label(hole.index)}"
            shapes.append(Text(hole.x_mm, hole.y_mm + 0.36 * size, text, size, NUMBER, Anchor.MIDDLE))
    for marker in board.markers:
        shapes.extend(marker_shapes(marker))
    title = f"Tock, {board.name}: plateau de papier / paper board"
    return Drawing(title, width, height, tuple(shapes))


def _color(board: BoardFile, seat: Seat) -> str:
    name = board.colors[seat]
    return ALMOST_WHITE if name == "white" else COLOR_NAMES[name]


def _track_line(board: BoardFile) -> Polyline:
    track = sorted((hole for hole in board.holes if hole.kind is HoleKind.TRACK), key=lambda hole: hole.index)
    return Polyline(tuple((hole.x_mm, hole.y_mm) for hole in track), TRACK, closed=True)


def _home_lines(board: BoardFile) -> Iterator[Shape]:
    for seat in board.seats:
        entrance = board.entrance(seat)
        last = board.hole(Hole(HoleKind.HOME, seat, board.pawns_per_seat))
        pen = Pen("TRACK", _color(board, seat), 1.2)
        yield Polyline(((entrance.x_mm, entrance.y_mm), (last.x_mm, last.y_mm)), pen)


def _star(x: float, y: float, r: float, color: str) -> Polyline:
    points = []
    for corner in range(16):
        out = r if corner % 2 == 0 else 0.8 * r
        angle = 2 * pi * corner / 16
        points.append((round(x + out * cos(angle), 3), round(y + out * sin(angle), 3)))
    return Polyline(tuple(points), Pen("TRACK", None, fill=color), closed=True)
