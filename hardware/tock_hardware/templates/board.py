"""Drill template and underside: every hole where the board file has it, with its name."""

from collections.abc import Iterator

from tock_companion.boardfile import BoardFile, DrilledHole
from tock_hardware.drawing.shapes import Anchor, Circle, Drawing, Pen, Shape, Text, line, rectangle
from tock_hardware.templates.markers import marker_place
from tock_hardware.templates.tiles import scale_bar
from tock_rules import Hole

OUTLINE = Pen("OUTLINE", width_mm=0.3)
DRILL = Pen("DRILL", stroke="#000000", width_mm=0.25)
CROSS = Pen("GUIDES", stroke="#cc2222", width_mm=0.15)
PLACE = Pen("MARKERS", stroke="#3366cc", width_mm=0.2)
NAME = Pen("LABELS", stroke=None, fill="#333333")
SENSOR = Pen("SENSORS", stroke="#cc2222", width_mm=0.3)
SENSOR_MM = 2.6
"""Hole of the holder that takes a reed of 2 mm."""


def drill_template(board: BoardFile) -> Drawing:
    """Draw the board from above: outline, marker places, holes with a cross for the punch."""
    width, height = board.size_mm
    shapes: list[Shape] = [rectangle(0, 0, width, height, OUTLINE)]
    for marker in board.markers:
        shapes.extend(marker_place(marker, PLACE))
        shapes.append(Text(marker.x_mm, marker.y_mm + 2, f"{marker.id}", 6, NAME, Anchor.MIDDLE))
    shapes.extend(Circle(hole.x_mm, hole.y_mm, hole.d_mm / 2, DRILL, hole.id) for hole in board.holes)
    for hole in board.holes:
        shapes.extend(_cross(hole))
    shapes.extend(_name(hole) for hole in board.holes)
    shapes.extend(_title(board, "dessus / top side"))
    return Drawing(f"Tock, {board.name}: gabarit de perçage / drill template", width, height, tuple(shapes))


def underside(board: BoardFile, inputs: dict[Hole, str] | None = None) -> Drawing:
    """Draw the board from below: every hole's sensor, and the input it is wired to."""
    width, height = board.size_mm
    shapes: list[Shape] = [rectangle(0, 0, width, height, OUTLINE)]
    for hole in board.holes:
        shapes.append(Circle(hole.x_mm, hole.y_mm, hole.d_mm / 2, DRILL, hole.id))
        shapes.append(Circle(hole.x_mm, hole.y_mm, SENSOR_MM / 2, SENSOR))
        shapes.append(_name(hole))
        if inputs is not None:
            x, y = hole.x_mm, hole.y_mm - hole.d_mm / 2 - 0.9
            shapes.append(Text(x, y, inputs[hole.id], 2.2, SENSOR_NAME, Anchor.MIDDLE))
    below = Drawing("", width, height, tuple(shapes)).mirrored()
    title = f"Tock, {board.name}: dessous / underside"
    return Drawing(
        title,
        width,
        height,
        (*below.shapes, *_title(board, "DESSOUS (vu d'en bas) / UNDERSIDE (seen from below)")),
    )


SENSOR_NAME = Pen("SENSORS", stroke=None, fill="#cc2222")


def _cross(hole: DrilledHole) -> tuple[Shape, Shape]:
    x, y = hole.x_mm, hole.y_mm
    return line(x - 1.5, y, x + 1.5, y, CROSS), line(x, y - 1.5, x, y + 1.5, CROSS)


def _name(hole: DrilledHole) -> Text:
    return Text(hole.x_mm, hole.y_mm + hole.d_mm / 2 + 2.6, hole.id, 2.6, NAME, Anchor.MIDDLE)


def _title(board: BoardFile, side: str) -> Iterator[Shape]:
    """Yield name and scale bar beside the lower left marker, where no board has holes."""
    near = max(
        (marker.x_mm + marker.size_mm / 2 for marker in board.markers if marker.x_mm < board.size_mm[0] / 2),
        default=0,
    )
    x, y = near + 4, board.size_mm[1] - 14
    first = board.holes[0]
    yield Text(x, y - 14, "TOCK", 5, bold=True)
    yield Text(x, y - 9.5, side, 2.8)
    yield Text(x, y - 5.5, f"{board.name}, {len(board.holes)} x Ø {first.d_mm:g} mm", 2.8)
    free = min(
        (hole.x_mm - hole.d_mm / 2 for hole in board.holes if hole.y_mm > y - 16), default=board.size_mm[0]
    )
    yield from scale_bar(x, y, 100 if free - x > 104 else 50)
