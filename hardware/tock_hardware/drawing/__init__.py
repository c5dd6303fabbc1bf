"""One drawing, three files: shapes in millimetres written as SVG, DXF and PDF at 1:1, the same bytes every time."""

from tock_hardware.drawing.dxf import to_dxf
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
    "to_dxf",
    "to_pdf",
    "to_svg",
]
