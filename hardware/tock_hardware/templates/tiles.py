"""A drawing larger than the printer's paper: overlapping sheets, marks to join them, a bar to check the scale."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, hypot

from tock_hardware.drawing.pdf import Group, Page
from tock_hardware.drawing.shapes import (
    Anchor,
    Box,
    Circle,
    Drawing,
    Pen,
    Polyline,
    Shape,
    Text,
    line,
    rectangle,
)

MARGIN_MM = 10.0
"""The white edge that printers leave, with some to spare."""
FOOTER_MM = 22.0
"""Lower margin, with room for the scale bar and the sheet's name."""
MARK_MM = 5.0
OVERLAP_MM = 12.0
"""More than a hole, so that every hole is whole on at least one sheet."""
CLEAR_MM = 12.0
"""A mark this far from every hole is as good as one still farther."""
INK = Pen("GUIDES", width_mm=0.2)
CUT = Pen("GUIDES", stroke="#3366cc", width_mm=0.15, dash_mm=1.5)
MARK = Pen("GUIDES", stroke="#3366cc", width_mm=0.2)
FRAME = Pen("GUIDES", stroke="#999999", width_mm=0.15)
BLACK = Pen("GUIDES", stroke=None, fill="#000000")
HERE = Pen("GUIDES", stroke="#3366cc", width_mm=0.2, fill="#ccd9f2")


@dataclass(frozen=True, slots=True)
class Paper:
    """A format that printers take."""

    name: str
    width_mm: float
    height_mm: float

    def turned(self) -> "Paper":
        """Turn the sheet on its side."""
        return Paper(self.name, self.height_mm, self.width_mm)


A4 = Paper("A4", 210.0, 297.0)
LETTER = Paper("Letter", 215.9, 279.4)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The sheets that a drawing is cut into."""

    drawing: Drawing
    paper: Paper

    @property
    def printable_mm(self) -> tuple[float, float]:
        return self.paper.width_mm - 2 * MARGIN_MM, self.paper.height_mm - MARGIN_MM - FOOTER_MM

    @property
    def columns(self) -> int:
        return _sheets(self.drawing.width_mm, self.printable_mm[0])

    @property
    def rows(self) -> int:
        return _sheets(self.drawing.height_mm, self.printable_mm[1])

    def place(self, column: int, row: int) -> Box:
        """The part of the drawing on a sheet; the same room is left over on both sides."""
        wide, high = self.printable_mm
        x = column * (wide - OVERLAP_MM) - (self._covered(self.columns, wide) - self.drawing.width_mm) / 2
        y = row * (high - OVERLAP_MM) - (self._covered(self.rows, high) - self.drawing.height_mm) / 2
        return Box(x, y, x + wide, y + high)

    @staticmethod
    def _covered(sheets: int, printable_mm: float) -> float:
        return sheets * (printable_mm - OVERLAP_MM) + OVERLAP_MM


def one_page(drawing: Drawing) -> tuple[Page, ...]:
    """Put the drawing on one page of its own size, for a copy shop or a plotter."""
    return (Page(drawing.width_mm, drawing.height_mm, (Group(drawing.shapes),)),)


def tiles(drawing: Drawing, paper: Paper) -> tuple[Page, ...]:
    """Split the drawing onto as few sheets as possible, portrait or landscape, row by row: A1, A2 … B1 …"""
    grid = min(
        (_Grid(drawing, way) for way in (paper, paper.turned())), key=lambda way: way.columns * way.rows
    )
    joints = tuple(_joints(grid))
    return tuple(
        _sheet(grid, joints, column, row) for row in range(grid.rows) for column in range(grid.columns)
    )


def _sheets(length_mm: float, printable_mm: float) -> int:
    return max(1, ceil((length_mm - OVERLAP_MM) / (printable_mm - OVERLAP_MM) - 1e-9))


def sheet_name(column: int, row: int) -> str:
    """Name a sheet: letters downwards, numbers to the right."""
    return f"{chr(ord('A') + row)}{column + 1}"


def _sheet(grid: _Grid, joints: tuple[Shape, ...], column: int, row: int) -> Page:
    place = grid.place(column, row)
    printable = Box(MARGIN_MM, MARGIN_MM, MARGIN_MM + grid.printable_mm[0], MARGIN_MM + grid.printable_mm[1])
    dx, dy = MARGIN_MM - place.x0, MARGIN_MM - place.y0
    seen = tuple(shape for shape in grid.drawing.shapes if shape.box.touches(place))
    marks = tuple(mark for mark in joints if mark.box.touches(place))
    return Page(
        grid.paper.width_mm,
        grid.paper.height_mm,
        (
            Group(seen, dx, dy, printable),
            Group(marks, dx, dy, printable),
            Group(
                (
                    rectangle(printable.x0, printable.y0, grid.printable_mm[0], grid.printable_mm[1], FRAME),
                    *_footer(grid, column, row),
                )
            ),
        ),
    )


def _joints(grid: _Grid) -> Iterator[Shape]:
    """Yield lines to cut along in the middle of each overlap, and marks that two sheets share."""
    width, height = grid.drawing.width_mm, grid.drawing.height_mm
    circles = [shape for shape in grid.drawing.shapes if isinstance(shape, Circle)]
    for x in (grid.place(column, 0).x0 + OVERLAP_MM / 2 for column in range(1, grid.columns)):
        yield line(x, 0, x, height, CUT)
        for row in range(grid.rows):
            box = grid.place(0, row)
            for y in _free_places(
                max(0.0, box.y0), min(height, box.y1), [(c.y, c.x - x, c.r) for c in circles]
            ):
                yield from _mark(x, y)
    for y in (grid.place(0, row).y0 + OVERLAP_MM / 2 for row in range(1, grid.rows)):
        yield line(0, y, width, y, CUT)
        for column in range(grid.columns):
            box = grid.place(column, 0)
            for x in _free_places(
                max(0.0, box.x0), min(width, box.x1), [(c.x, c.y - y, c.r) for c in circles]
            ):
                yield from _mark(x, y)


def _free_places(start: float, end: float, circles: list[tuple[float, float, float]]) -> Iterator[float]:
    """Yield a place in each third of a joint where a mark is as far as it can be from every hole.

    A circle is given by its place along the joint, its distance from the joint and its radius.
    """
    third = (end - start - 2 * MARK_MM) / 3
    near = [circle for circle in circles if abs(circle[1]) - circle[2] < CLEAR_MM]
    for number in range(3):
        places = [start + MARK_MM + third * (number + step / 20) for step in range(21)]
        middle = places[10]
        yield max(
            places,
            key=lambda at: (
                min([CLEAR_MM, *(hypot(at - x, y) - r for x, y, r in near if abs(at - x) - r < CLEAR_MM)]),
                -abs(at - middle),
            ),
        )


def _mark(x: float, y: float) -> tuple[Shape, ...]:
    """Draw a mark that looks like no hole: a diamond with a cross."""
    r = 0.7 * MARK_MM
    return (
        Polyline(((x - r, y), (x, y - r), (x + r, y), (x, y + r)), MARK, closed=True),
        line(x - MARK_MM, y, x + MARK_MM, y, MARK),
        line(x, y - MARK_MM, x, y + MARK_MM, MARK),
    )


def _footer(grid: _Grid, column: int, row: int) -> Iterator[Shape]:
    base = grid.paper.height_mm - 12
    yield from scale_bar(MARGIN_MM, base, 100)
    sheet = sheet_name(column, row)
    right = grid.paper.width_mm - MARGIN_MM
    size = min(16.0 / (grid.rows * 1.0), 5.0) if grid.rows > 3 else 5.0
    left = right - grid.columns * size
    top, wide, tall = base - 8, grid.columns * size, grid.rows * size
    # Lines, not a square for each sheet: of a garden board there are hundreds, on each of them.
    for at in range(grid.rows + 1):
        yield line(left, top + at * size, left + wide, top + at * size, FRAME)
    for at in range(grid.columns + 1):
        yield line(left + at * size, top, left + at * size, top + tall, FRAME)
    yield rectangle(left + column * size, top + row * size, size, size, HERE)
    yield Text(left - 3, base + 0.5, sheet, 9, anchor=Anchor.END, bold=True)
    yield Text(left - 3, base + 5, grid.drawing.title, 2.8, anchor=Anchor.END)


def scale_bar(x: float, y: float, length_mm: int) -> tuple[Shape, ...]:
    """Draw a bar with a tick every 10 mm, and instructions in two lines below."""
    ticks = [
        line(x + at, y - (3 if at % 50 == 0 else 1.8), x + at, y, INK) for at in range(0, length_mm + 1, 10)
    ]
    return (
        line(x, y, x + length_mm, y, INK),
        *ticks,
        Text(x, y + 3.4, f"{length_mm} mm: mesurer! Sinon imprimer à 100 % (taille réelle).", 2.8),
        Text(x, y + 6.6, f"{length_mm} mm: measure this! If wrong, print at 100 % (actual size).", 2.8),
    )
