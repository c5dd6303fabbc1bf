"""Drawings as SVG: one unit is one millimetre."""

from xml.sax.saxutils import escape, quoteattr

from tock_hardware.drawing.shapes import Anchor, Circle, Drawing, Pen, Polyline, Shape, Text

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


def to_svg(drawing: Drawing) -> str:
    """Write the drawing as SVG on white at full size; consecutive shapes with the same pen share a group."""
    width, height = number(drawing.width_mm), number(drawing.height_mm)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family={quoteattr(FONT)} stroke-linejoin="round">',
        f"<title>{escape(drawing.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    pen: Pen | None = None
    for shape in drawing.shapes:
        if shape.pen != pen:
            if pen is not None:
                lines.append("</g>")
            pen = shape.pen
            lines.append(_group(pen))
        lines.append(_element(shape))
    if pen is not None:
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def number(value: float) -> str:
    """Write millimetres with at most three decimals, never `-0`."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _group(pen: Pen) -> str:
    stroke = (
        f' stroke="{pen.stroke}" stroke-width="{number(pen.width_mm)}"' if pen.stroke else ' stroke="none"'
    )
    dash = f' stroke-dasharray="{number(pen.dash_mm)}"' if pen.dash_mm else ""
    return f'<g class="{pen.layer}" fill="{pen.fill or "none"}"{stroke}{dash}>'


def _element(shape: Shape) -> str:
    if isinstance(shape, Circle):
        name = f" id={quoteattr(shape.name)}" if shape.name else ""
        return f'<circle{name} cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.r)}"/>'
    if isinstance(shape, Polyline):
        points = "L".join(f"{number(x)} {number(y)}" for x, y in shape.points)
        return f'<path d="M{points}{"Z" if shape.closed else ""}"/>'
    return _text(shape)


def _text(shape: Text) -> str:
    x, y = number(shape.x), number(shape.y)
    anchor = f' text-anchor="{shape.anchor.value}"' if shape.anchor is not Anchor.START else ""
    weight = ' font-weight="bold"' if shape.bold else ""
    turn = f' transform="rotate(-90 {x} {y})"' if shape.upward else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{number(shape.size_mm)}"{anchor}{weight}{turn}>'
        f"{escape(shape.text)}</text>"
    )
