"""Drawings as DXF of AutoCAD 2000, the oldest form that declares its unit, read by every program for cutters and mills.

Written by hand so that the bytes depend on nothing but the drawing; y is turned up as DXF wants it.
"""

from collections.abc import Iterator
from itertools import count

from tock_hardware.drawing.shapes import Anchor, Circle, Drawing, Polyline, Shape, Text
from tock_hardware.drawing.svg import number

MILLIMETRES = 4
CAPITALS = 0.72
"""Height of a capital letter in parts of the type size: DXF gives the former."""
COLOR_NUMBERS = {"DRILL": 1, "MARKERS": 3, "GUIDES": 8}

Pair = tuple[int, object]


def to_dxf(drawing: Drawing) -> str:
    """Return outlines and texts of the drawing; filled areas become their outlines."""
    layers = list(dict.fromkeys(shape.pen.layer for shape in drawing.shapes))
    writer = _Writer(drawing, layers)
    return "".join(f"{code:>3}\n{_value(value)}\n" for code, value in writer.pairs())


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


class _Writer:
    """Hands out the numbers ("handles") by which the parts of a DXF file know each other."""

    def __init__(self, drawing: Drawing, layers: list[str]) -> None:
        self.drawing = drawing
        self.layers = layers
        self.numbers = count(0x100)

    def handle(self) -> str:
        return f"{next(self.numbers):X}"

    def pairs(self) -> Iterator[Pair]:
        body = [*self.tables(), *self.blocks(), *self.entities(), *self.objects()]
        yield from self.header()
        yield from _section("CLASSES", ())
        yield from body
        yield 0, "EOF"

    def header(self) -> Iterator[Pair]:
        low, high = (0.0, 0.0, 0.0), (self.drawing.width_mm, self.drawing.height_mm, 0.0)
        rows: list[Pair] = [(9, "$ACADVER"), (1, "AC1015"), (9, "$DWGCODEPAGE"), (3, "ANSI_1252")]
        rows += [(9, "$INSUNITS"), (70, MILLIMETRES), (9, "$MEASUREMENT"), (70, 1), (9, "$LUNITS"), (70, 2)]
        for name, point in (("$EXTMIN", low), ("$EXTMAX", high)):
            rows += [(9, name), *((10 * (axis + 1), float(value)) for axis, value in enumerate(point))]
        rows += [(9, "$HANDSEED"), (5, f"{next(self.numbers):X}")]
        return _section("HEADER", rows)

    def tables(self) -> Iterator[Pair]:
        rows: list[Pair] = []
        rows += self.table("VPORT", "AcDbViewportTableRecord", [])
        linetypes = [("ByBlock", ""), ("ByLayer", ""), ("Continuous", "Solid line")]
        rows += self.table(
            "LTYPE",
            "AcDbLinetypeTableRecord",
            [[(2, name), (70, 0), (3, text), (72, 65), (73, 0), (40, 0.0)] for name, text in linetypes],
        )
        layers = [("0", 7), *((name, COLOR_NUMBERS.get(name, 7)) for name in self.layers)]
        rows += self.table(
            "LAYER",
            "AcDbLayerTableRecord",
            [[(2, name), (70, 0), (62, color), (6, "Continuous")] for name, color in layers],
        )
        style: list[Pair] = [(2, "Standard"), (70, 0), (40, 0.0), (41, 1.0), (50, 0.0), (71, 0), (42, 2.5)]
        rows += self.table("STYLE", "AcDbTextStyleTableRecord", [[*style, (3, "arial.ttf"), (4, "")]])
        rows += self.table("VIEW", "AcDbViewTableRecord", [])
        rows += self.table("UCS", "AcDbUCSTableRecord", [])
        rows += self.table("APPID", "AcDbRegAppTableRecord", [[(2, "ACAD"), (70, 0)]])
        rows += self.table("DIMSTYLE", "AcDbDimStyleTableRecord", [])
        blocks: list[list[Pair]] = [[(2, "*Model_Space")], [(2, "*Paper_Space")]]
        rows += self.table("BLOCK_RECORD", "AcDbBlockTableRecord", blocks, ["1F", "1B"])
        return _section("TABLES", rows)

    def table(
        self, name: str, kind: str, records: list[list[Pair]], handles: list[str] | None = None
    ) -> Iterator[Pair]:
        table = self.handle()
        yield from ((0, "TABLE"), (2, name), (5, table), (330, "0"), (100, "AcDbSymbolTable"))
        yield 70, len(records)
        if name == "DIMSTYLE":
            yield 100, "AcDbDimStyleTable"
        for place, record in enumerate(records):
            yield from ((0, name), (5, handles[place] if handles else self.handle()), (330, table))
            yield from ((100, "AcDbSymbolTableRecord"), (100, kind))
            yield from record
        yield 0, "ENDTAB"

    def blocks(self) -> Iterator[Pair]:
        rows: list[Pair] = []
        for name, record in (("*Model_Space", "1F"), ("*Paper_Space", "1B")):
            paper: list[Pair] = [(67, 1)] if record == "1B" else []
            common: list[Pair] = [(330, record), (100, "AcDbEntity"), *paper, (8, "0")]
            rows += [(0, "BLOCK"), (5, self.handle()), *common, (100, "AcDbBlockBegin"), (2, name), (70, 0)]
            rows += [(10, 0.0), (20, 0.0), (30, 0.0), (3, name), (1, "")]
            rows += [(0, "ENDBLK"), (5, self.handle()), *common, (100, "AcDbBlockEnd")]
        return _section("BLOCKS", rows)

    def entities(self) -> Iterator[Pair]:
        return _section("ENTITIES", [pair for shape in self.drawing.shapes for pair in self.entity(shape)])

    def entity(self, shape: Shape) -> Iterator[Pair]:
        kind = "CIRCLE" if isinstance(shape, Circle) else "TEXT" if isinstance(shape, Text) else "LWPOLYLINE"
        yield from ((0, kind), (5, self.handle()), (330, "1F"), (100, "AcDbEntity"), (8, shape.pen.layer))
        height = self.drawing.height_mm
        if isinstance(shape, Circle):
            yield 100, "AcDbCircle"
            yield from ((10, float(shape.x)), (20, float(height - shape.y)), (30, 0.0), (40, float(shape.r)))
        elif isinstance(shape, Polyline):
            yield from ((100, "AcDbPolyline"), (90, len(shape.points)), (70, int(shape.closed)), (43, 0.0))
            for x, y in shape.points:
                yield from ((10, float(x)), (20, float(height - y)))
        else:
            x, y = float(shape.x), float(height - shape.y)
            align = {Anchor.START: 0, Anchor.MIDDLE: 1, Anchor.END: 2}[shape.anchor]
            yield from ((100, "AcDbText"), (10, x), (20, y), (30, 0.0), (40, CAPITALS * shape.size_mm))
            yield from (
                (1, _plain(shape.text)),
                (50, 90.0 if shape.upward else 0.0),
                (7, "Standard"),
                (72, align),
            )
            yield from ((11, x), (21, y), (31, 0.0), (100, "AcDbText"))

    def objects(self) -> Iterator[Pair]:
        root, group = self.handle(), self.handle()
        rows: list[Pair] = [(0, "DICTIONARY"), (5, root), (330, "0"), (100, "AcDbDictionary"), (281, 1)]
        rows += [(3, "ACAD_GROUP"), (350, group)]
        rows += [(0, "DICTIONARY"), (5, group), (330, root), (100, "AcDbDictionary"), (281, 1)]
        return _section("OBJECTS", rows)


def _plain(text: str) -> str:
    r"""Return the text with everything beyond ASCII as `\U+XXXX`, which needs no code page."""
    return "".join(letter if letter.isascii() else f"\\U+{ord(letter):04X}" for letter in text)


def _section(name: str, rows: object) -> Iterator[Pair]:
    yield from ((0, "SECTION"), (2, name))
    yield from rows  # type: ignore[misc]
    yield 0, "ENDSEC"
