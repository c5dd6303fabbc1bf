"""Shapes of a drawing: millimetres, x right and y down from the top left corner of the sheet."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache


class Anchor(Enum):
    """The point of a text that lies at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Pen:
    """The style of a shape: `layer` names its layer in a DXF file, colours are `#rrggbb` or None for nothing."""

    layer: str = "DRAWING"
    stroke: str | None = "#000000"
    width_mm: float = 0.2
    fill: str | None = None
    dash_mm: float = 0.0
    """Length of dashes and of the gaps between them; 0 draws a solid line."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the sheet."""

    x0: float
    y0: float
    x1: float
    y1: float

    def touches(self, other: "Box") -> bool:
        """Whether the two share a place."""
        return self.x0 <= other.x1 and other.x0 <= self.x1 and self.y0 <= other.y1 and other.y0 <= self.y1

    def holds(self, other: "Box") -> bool:
        """Whether the other lies wholly inside."""
        return self.x0 <= other.x0 and other.x1 <= self.x1 and self.y0 <= other.y0 and other.y1 <= self.y1


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; `name` is its id in an SVG file."""

    x: float
    y: float
    r: float
    pen: Pen
    name: str = ""

    @property
    def box(self) -> Box:
        """Its extent."""
        return Box(self.x - self.r, self.y - self.r, self.x + self.r, self.y + self.r)


@dataclass(frozen=True, slots=True)
class Polyline:
    """Straight lines from point to point."""

    points: tuple[tuple[float, float], ...]
    pen: Pen
    closed: bool = False

    @property
    def box(self) -> Box:
        """Its extent."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is its base line and `size_mm` the height of the type, about 1.4 capitals."""

    x: float
    y: float
    text: str
    size_mm: float
    pen: Pen = Pen("TEXT", stroke=None, fill="#000000")
    anchor: Anchor = Anchor.START
    bold: bool = False
    upward: bool = False
    """Reads from bottom to top."""

    @property
    def width_mm(self) -> float:
        """Length of the line in Helvetica."""
        return text_width_mm(self.text, self.size_mm)

    @property
    def box(self) -> Box:
        """The approximate extent."""
        before = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[self.anchor] * self.width_mm
        if self.upward:
            start = self.y + before
            return Box(self.x - self.size_mm, start - self.width_mm, self.x + 0.3 * self.size_mm, start)
        start = self.x - before
        return Box(start, self.y - self.size_mm, start + self.width_mm, self.y + 0.3 * self.size_mm)


Shape = Circle | Polyline | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet with shapes, drawn in their order."""

    title: str
    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]

    def mirrored(self) -> "Drawing":
        """Mirror the sheet as seen from below; texts stay readable."""
        return replace(self, shapes=tuple(_mirrored(shape, self.width_mm) for shape in self.shapes))


def line(x0: float, y0: float, x1: float, y1: float, pen: Pen) -> Polyline:
    """Make a line between two points."""
    return Polyline(((x0, y0), (x1, y1)), pen)


def rectangle(x: float, y: float, width: float, height: float, pen: Pen) -> Polyline:
    """Make a rectangle from its top left corner."""
    return Polyline(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), pen, closed=True)


def moved(shapes: Iterable[Shape], dx: float, dy: float) -> tuple[Shape, ...]:
    """Move the shapes."""
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Polyline):
            found.append(replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points)))
        else:
            found.append(replace(shape, x=shape.x + dx, y=shape.y + dy))
    return tuple(found)


def _mirrored(shape: Shape, width_mm: float) -> Shape:
    if isinstance(shape, Polyline):
        return replace(shape, points=tuple((width_mm - x, y) for x, y in shape.points))
    if isinstance(shape, Circle):
        return replace(shape, x=width_mm - shape.x)
    other = {Anchor.START: Anchor.END, Anchor.END: Anchor.START, Anchor.MIDDLE: Anchor.MIDDLE}
    return replace(shape, x=width_mm - shape.x, anchor=other[shape.anchor])


# Adobe's metrics of Helvetica, in thousandths of the type size, for the characters 32 to 126.
_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 "
    "278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 "
    "611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 "
    "556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
WIDTHS = tuple(int(width) for width in _WIDTHS.split())


@lru_cache(maxsize=4096)
def text_width_mm(text: str, size_mm: float) -> float:
    """Measure a line of Helvetica; an accented letter is as wide as its base letter."""
    total = 0
    for character in text:
        code = ord(unicodedata.normalize("NFD", character)[0])
        total += WIDTHS[code - 32] if 32 <= code < 127 else 556
    return total * size_mm / 1000
