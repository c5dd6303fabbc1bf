"""Drawings as DXF of AutoCAD 2000, the oldest form that declares its unit; every cutter's and mill's program reads it.

Committed drawings are compared with new ones byte for byte: ezdxf is pinned to one version and writes fixed dates
and identifiers. It takes most of a second to load, so only what writes a DXF imports this module.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import ezdxf
from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace
from ezdxf.units import MM

from tock_hardware.drawing.shapes import Anchor, Circle, Drawing, Polyline, Shape

options = ezdxf.options  # type: ignore[attr-defined]  # public, but not exported as mypy wants it
# It reports every table that it adds to an empty drawing.
logging.getLogger("ezdxf").setLevel(logging.WARNING)

CAPITALS = 0.72
"""Height of a capital letter in parts of the type size: DXF gives the former."""
DECIMALS = 4
"""Of a millimetre; more would only write down the rounding of floats."""
COLOR_NUMBERS = {"DRILL": 1, "MARKERS": 3, "GUIDES": 8}
BLACK_OR_WHITE = 7
"""The colour that contrasts with the paper: black or white."""
ALIGNMENTS = {
    Anchor.START: TextEntityAlignment.LEFT,
    Anchor.MIDDLE: TextEntityAlignment.CENTER,
    Anchor.END: TextEntityAlignment.RIGHT,
}


def to_dxf(drawing: Drawing) -> str:
    """Write outlines and texts of the drawing in ASCII; filled areas become their outlines."""
    with _fixed_metadata():
        document = new("R2000", units=MM)
        for layer in dict.fromkeys(shape.pen.layer for shape in drawing.shapes):
            document.layers.add(layer, color=COLOR_NUMBERS.get(layer, BLACK_OR_WHITE))
        space = document.modelspace()
        for shape in drawing.shapes:
            _add(space, shape, drawing.height_mm)
        space.reset_extents((0, 0, 0), (drawing.width_mm, drawing.height_mm, 0))
        stream = StringIO()
        document.write(stream)
    # Letters beyond ASCII become `\U+XXXX`, which needs no code page.
    return stream.getvalue().encode("ascii", "dxfreplace").decode("ascii")


def _add(space: Modelspace, shape: Shape, height_mm: float) -> None:
    """Add one shape; y points up in DXF and down in a drawing."""
    attributes: dict[str, object] = {"layer": shape.pen.layer}

    def place(x: float, y: float) -> tuple[float, float]:
        return round(x, DECIMALS), round(height_mm - y, DECIMALS)

    if isinstance(shape, Circle):
        space.add_circle(place(shape.x, shape.y), round(shape.r, DECIMALS), attributes)
    elif isinstance(shape, Polyline):
        points = [place(x, y) for x, y in shape.points]
        space.add_lwpolyline(points, close=shape.closed, dxfattribs=attributes)
    else:
        text = space.add_text(
            shape.text,
            height=round(CAPITALS * shape.size_mm, DECIMALS),
            rotation=90 if shape.upward else 0,
            dxfattribs=attributes,
        )
        text.set_placement(place(shape.x, shape.y), align=ALIGNMENTS[shape.anchor])


@contextmanager
def _fixed_metadata() -> Iterator[None]:
    """Let ezdxf write no dates and no random identifiers."""
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before
