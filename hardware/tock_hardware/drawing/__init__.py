"""One drawing, three files at 1:1, the same bytes every time: SVG, PDF and (in `drawing.dxf`) DXF."""

from tock_hardware.drawing.pdf import Group, Page, to_pdf
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
    moved,
    rectangle,
)
from tock_hardware.drawing.svg import to_svg

__all__ = [
    "Anchor",
    "Box",
    "Circle",
    "Drawing",
    "Group",
    "Page",
    "Polyline",
    "Pen",
    "Shape",
    "Text",
    "line",
    "moved",
    "rectangle",
    "to_pdf",
    "to_svg",
]
