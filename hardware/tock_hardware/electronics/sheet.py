"""A circuit as a drawing: the same sheet as KiCad's, for those who have no KiCad."""

from collections.abc import Iterator

from tock_hardware.drawing.shapes import Anchor, Drawing, Pen, Polyline, Shape, Text, line, moved, rectangle
from tock_hardware.electronics.circuit import Circuit, Part, place_of
from tock_hardware.electronics.kicad import STUB_MM, strokes
from tock_hardware.electronics.symbols import PITCH_MM, Role, SymbolPin
from tock_hardware.electronics.symbols import Shape as Sign

BODY = Pen("PARTS", stroke="#8a1f1f", width_mm=0.25, fill="#fffbe6")
SIGN = Pen("PARTS", stroke="#8a1f1f", width_mm=0.3)
WIRE = Pen("WIRES", stroke="#1f7a3d", width_mm=0.25)
CROSS = Pen("WIRES", stroke="#777777", width_mm=0.2)
NET = Pen("NETS", stroke=None, fill="#222222")
POWER = Pen("NETS", stroke=None, fill="#c4211f")
REF = Pen("NAMES", stroke=None, fill="#1f4fb4")
PIN = Pen("NAMES", stroke=None, fill="#666666")
SUPPLIES = ("+5V", "GND", "VLED", "3V3")


def sheet(circuit: Circuit) -> Drawing:
    """Draw the circuit on its sheet, cropped to the used part."""
    shapes: list[Shape] = []
    for part in circuit.parts.values():
        if not part.ref.startswith("#"):
            shapes.extend(_part(circuit, part))
    for x, y, text, size in circuit.texts:
        shapes.append(Text(x, y, text, size))
    boxes = [shape.box for shape in shapes]
    left, top = min(box.x0 for box in boxes) - 8, min(box.y0 for box in boxes) - 18
    right, bottom = max(box.x1 for box in boxes) + 8, max(box.y1 for box in boxes) + 8

    title = Text(8, 10, circuit.title, 6, bold=True)
    return Drawing(circuit.title, right - left, bottom - top, (title, *moved(shapes, -left, -top)))


def _part(circuit: Circuit, part: Part) -> Iterator[Shape]:
    x, y = part.at_mm
    if part.symbol.shape is Sign.BOX:
        rows = [pin.y_mm for pin in part.symbol.pins]
        top, bottom = y + min(rows) - PITCH_MM, y + max(rows) + PITCH_MM
        yield rectangle(x - part.symbol.width_mm / 2, top, part.symbol.width_mm, bottom - top, BODY)
        yield Text(x, top - 1.2, f"{part.ref}  {part.value}", 2.8, REF, Anchor.MIDDLE, bold=True)
    else:
        for points in strokes(part.symbol.shape):
            yield Polyline(tuple((x + dx, y + dy) for dx, dy in points), SIGN)
        above = 3.2 if part.symbol.shape is Sign.LED else 2.0
        yield Text(x, y - above, f"{part.ref}  {part.value}", 2.0, REF, Anchor.MIDDLE)
    for pin in part.symbol.pins:
        yield from _pin(circuit, part, pin)


def _pin(circuit: Circuit, part: Part, pin: SymbolPin) -> Iterator[Shape]:
    x, y = place_of(part, pin)
    side = -1 if pin.left else 1
    inward = x - side * PITCH_MM
    net = circuit.net_of.get((part.ref, pin.number))
    if part.symbol.shape is Sign.BOX:
        anchor = Anchor.START if pin.left else Anchor.END
        yield Text(inward - side * 0.8, y + 0.8, pin.name, 2.2, PIN, anchor)
        yield Text(x - side * 1.2, y - 0.4, pin.number, 1.6, PIN, Anchor.MIDDLE)
    yield line(inward, y, x, y, SIGN)
    if net is None:
        if pin.role is not Role.FREE:
            yield line(x - 0.7, y - 0.7, x + 0.7, y + 0.7, CROSS)
            yield line(x - 0.7, y + 0.7, x + 0.7, y - 0.7, CROSS)
        return
    end = x + side * STUB_MM
    yield line(x, y, end, y, WIRE)
    pen = POWER if net in SUPPLIES else NET
    yield Text(end + side * 0.6, y + 0.8, net, 2.4, pen, Anchor.END if pin.left else Anchor.START)
