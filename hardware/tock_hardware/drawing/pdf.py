"""Drawings as PDF at 1:1, written by hand so that the bytes depend on nothing but the drawing (ISO 32000-1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tock_hardware.drawing.shapes import Anchor, Box, Circle, Pen, Polyline, Shape, Text
from tock_hardware.drawing.svg import number

POINTS_PER_MM = 72 / 25.4
CURVE = 0.5522847498
"""Length of the handles with which four Bézier curves make a circle, in radii."""


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that share a place on a page: moved by `dx`, `dy`, and cut off at `clip` (page millimetres)."""

    shapes: tuple[Shape, ...]
    dx: float = 0.0
    dy: float = 0.0
    clip: Box | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet of paper."""

    width_mm: float
    height_mm: float
    groups: tuple[Group, ...]


def to_pdf(title: str, pages: Sequence[Page]) -> bytes:
    """Write a PDF of these pages that asks the printer for full size; texts are WinAnsi Helvetica."""
    kids = " ".join(f"{6 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</PrintScaling/None>>>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        _font("Helvetica"),
        _font("Helvetica-Bold"),
        b"<</Title " + _string(title) + b">>",
    ]
    for place, page in enumerate(pages):
        width, height = (f"{side * POINTS_PER_MM:.4f}" for side in (page.width_mm, page.height_mm))
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents {7 + 2 * place} 0 R"
            "/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>".encode()
        )
        stream = _content(page)
        objects.append(b"<</Length %d>>\nstream\n" % len(stream) + stream + b"\nendstream")
    return _file(objects)


def _file(objects: Iterable[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for place, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % place + body + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\n" % (len(places) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % table)


def _font(name: str) -> bytes:
    return f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>".encode()


def _string(text: str) -> bytes:
    body = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"(" + body + b")"


def _content(page: Page) -> bytes:
    # From here on one unit is one millimetre, y down, as in the drawing.
    parts = [
        f"{POINTS_PER_MM:.8f} 0 0 {-POINTS_PER_MM:.8f} 0 {page.height_mm * POINTS_PER_MM:.4f} cm 1 j".encode()
    ]
    for group in page.groups:
        parts.append(b"q")
        if group.clip is not None:
            box = group.clip
            sides = (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
            parts.append((" ".join(number(side) for side in sides) + " re W n").encode())
        if group.dx or group.dy:
            parts.append(f"1 0 0 1 {number(group.dx)} {number(group.dy)} cm".encode())
        pen: Pen | None = None
        for shape in group.shapes:
            if shape.pen != pen:
                pen = shape.pen
                parts.append(_pen(pen))
            parts.append(_shape(shape))
        parts.append(b"Q")
    return b"\n".join(parts)


def _pen(pen: Pen) -> bytes:
    dash = f"[{number(pen.dash_mm)}]" if pen.dash_mm else "[]"
    words = [f"{number(pen.width_mm)} w {dash} 0 d"]
    if pen.stroke:
        words.append(f"{_color(pen.stroke)} RG")
    if pen.fill:
        words.append(f"{_color(pen.fill)} rg")
    return " ".join(words).encode()


def _color(color: str) -> str:
    return " ".join(number(int(color[place : place + 2], 16) / 255) for place in (1, 3, 5))


def _paint(pen: Pen, closed: bool) -> str:
    if pen.fill and pen.stroke:
        return "b" if closed else "B"
    if pen.fill:
        return "f"
    return "s" if closed else "S"


def _shape(shape: Shape) -> bytes:
    if isinstance(shape, Circle):
        return _circle(shape)
    if isinstance(shape, Polyline):
        points = " l ".join(f"{number(x)} {number(y)}" for x, y in shape.points[1:])
        x, y = shape.points[0]
        return f"{number(x)} {number(y)} m {points} l {_paint(shape.pen, shape.closed)}".encode()
    return _text(shape)


def _circle(shape: Circle) -> bytes:
    x, y, r, c = shape.x, shape.y, shape.r, CURVE * shape.r
    curves = (
        (x + r, y + c, x + c, y + r, x, y + r),
        (x - c, y + r, x - r, y + c, x - r, y),
        (x - r, y - c, x - c, y - r, x, y - r),
        (x + c, y - r, x + r, y - c, x + r, y),
    )
    body = " ".join(" ".join(number(value) for value in curve) + " c" for curve in curves)
    return f"{number(x + r)} {number(y)} m {body} {_paint(shape.pen, closed=True)}".encode()


def _text(shape: Text) -> bytes:
    before = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[shape.anchor] * shape.width_mm
    # The page is upside down for PDF, so each line of text is turned back.
    if shape.upward:
        matrix = f"0 -1 -1 0 {number(shape.x)} {number(shape.y + before)}"
    else:
        matrix = f"1 0 0 -1 {number(shape.x - before)} {number(shape.y)}"
    font = "F2" if shape.bold else "F1"
    return f"BT /{font} {number(shape.size_mm)} Tf {matrix} Tm ".encode() + _string(shape.text) + b" Tj ET"
