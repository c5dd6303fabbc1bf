"""Circuits as files of KiCad 8 and later: symbols and sheet. The same circuit always gives the same bytes."""

import uuid
from collections.abc import Iterator
from math import copysign

from tock_hardware.drawing.svg import number
from tock_hardware.electronics.circuit import Circuit, Part, place_of
from tock_hardware.electronics.symbols import PITCH_MM, SYMBOLS, Role, Shape, Symbol, SymbolPin

SPACE = uuid.UUID("8a6e1c1a-6a53-5f0f-9a53-0c7c1f3a2b10")
LIBRARY = "tock"
FORMAT = "20231120"
STUB_MM = PITCH_MM
SMALL = "(effects (font (size 1.27 1.27)))"


def quoted(text: str) -> str:
    """Quote a string as KiCad does."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def identity(*words: str) -> str:
    """Derive a thing's stable identifier from its name."""
    return str(uuid.uuid5(SPACE, "/".join(words)))


def symbol_library() -> str:
    """Write `tock.kicad_sym` with every kind of part."""
    body = "\n".join(_symbol(symbol, symbol.name) for symbol in SYMBOLS)
    return f'(kicad_symbol_lib (version {FORMAT}) (generator "tock_hardware")\n{body}\n)\n'


def library_table() -> str:
    """Write `sym-lib-table`, by which KiCad finds the symbols beside the sheet."""
    uri = "${KIPRJMOD}/tock.kicad_sym"
    return f'(sym_lib_table\n  (lib (name "{LIBRARY}")(type "KiCad")(uri "{uri}")(options "")(descr "Tock"))\n)\n'


def schematic(circuit: Circuit) -> str:
    """Write the sheet: every pin has a short wire labelled with its net."""
    used = {part.symbol.name: part.symbol for part in circuit.parts.values()}
    width, height = circuit.sheet_mm
    lines = [
        f'(kicad_sch (version {FORMAT}) (generator "tock_hardware") (generator_version "1")',
        f"  (uuid {quoted(identity(circuit.name))})",
        f"  (paper {quoted(_paper(width, height))})",
        f"  (title_block (title {quoted(circuit.title)}))",
        "  (lib_symbols",
        *(_symbol(symbol, f"{LIBRARY}:{name}") for name, symbol in sorted(used.items())),
        "  )",
    ]
    for x, y, text, size in circuit.texts:
        lines.append(
            f"  (text {quoted(text)} (exclude_from_sim no) (at {number(x)} {number(y)} 0) "
            f"(effects (font (size {number(size)} {number(size)})) (justify left bottom)) "
            f"(uuid {quoted(identity(circuit.name, 'text', text))}))"
        )
    for part in circuit.parts.values():
        for pin in part.symbol.pins:
            lines.extend(_wire(circuit, part, pin))
    lines.extend(_instance(circuit, part) for part in circuit.parts.values())
    lines.append('  (sheet_instances (path "/" (page "1")))')
    return "\n".join([*lines, ")"]) + "\n"


def _paper(width_mm: float, height_mm: float) -> str:
    sizes = {(297.0, 210.0): "A4", (420.0, 297.0): "A3", (594.0, 420.0): "A2", (841.0, 594.0): "A1"}
    return sizes[width_mm, height_mm]


def _property(name: str, value: str, x: float, y: float, hidden: bool = False) -> str:
    hide = " (hide yes)" if hidden else ""
    return (
        f"(property {quoted(name)} {quoted(value)} (at {number(x)} {number(y)} 0) "
        f"(effects (font (size 1.27 1.27)){hide}))"
    )


def _symbol(symbol: Symbol, name: str) -> str:
    hidden_names = "" if symbol.shape is Shape.BOX else " (pin_numbers hide) (pin_names hide)"
    top = symbol.height_mm / 2 + PITCH_MM
    short = name.rsplit(":", maxsplit=1)[-1]
    power = " (power)" if symbol.prefix.startswith("#") else ""
    return "\n".join(
        [
            f"    (symbol {quoted(name)}{power}{hidden_names} (exclude_from_sim no) (in_bom yes) (on_board yes)",
            f"      {_property('Reference', symbol.prefix, 0, top)}",
            f"      {_property('Value', symbol.name, 0, -top)}",
            f"      {_property('Footprint', '', 0, 0, hidden=True)}",
            f"      {_property('Datasheet', '', 0, 0, hidden=True)}",
            f"      (symbol {quoted(short + '_0_1')}",
            *(f"        {line}" for line in _graphics(symbol)),
            "      )",
            f"      (symbol {quoted(short + '_1_1')}",
            *(f"        {_pin(pin)}" for pin in symbol.pins),
            "      )",
            "    )",
        ]
    )


def _graphics(symbol: Symbol) -> Iterator[str]:
    stroke = "(stroke (width 0.2) (type default))"
    if symbol.shape is Shape.BOX:
        half = symbol.width_mm / 2
        rows = [pin.y_mm for pin in symbol.pins]
        top, bottom = -min(rows) + PITCH_MM, -max(rows) - PITCH_MM
        yield (
            f"(rectangle (start {number(-half)} {number(top)}) (end {number(half)} {number(bottom)}) {stroke} "
            "(fill (type background)))"
        )
        return
    for points in strokes(symbol.shape):
        words = " ".join(f"(xy {number(x)} {number(-y)})" for x, y in points)
        yield f"(polyline (pts {words}) {stroke} (fill (type none)))"


def strokes(shape: Shape) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Draw a part with two pins around its centre, y down; its wires end 2.54 mm from the centre."""
    if shape is Shape.RESISTOR:
        return (((-2.54, -1), (2.54, -1), (2.54, 1), (-2.54, 1), (-2.54, -1)),)
    if shape is Shape.CAPACITOR:
        return (
            ((-2.54, 0), (-0.4, 0)),
            ((-0.4, -1.6), (-0.4, 1.6)),
            ((0.4, -1.6), (0.4, 1.6)),
            ((0.4, 0), (2.54, 0)),
        )
    if shape in (Shape.LED, Shape.DIODE):
        # The cathode, pin 1, is on the left.
        body = (
            ((-2.54, 0), (2.54, 0)),
            ((1.3, -1.4), (1.3, 1.4), (-1.3, 0), (1.3, -1.4)),
            ((-1.3, -1.4), (-1.3, 1.4)),
        )
        rays = (((-0.3, -1.7), (-1.2, -2.9)), ((0.8, -1.7), (-0.1, -2.9)))
        return (*body, *rays) if shape is Shape.LED else body
    if shape is Shape.SWITCH:
        return (((-2.54, 0), (-1.3, 0), (1.6, -1.5)), ((1.3, 0), (2.54, 0)))
    if shape is Shape.REED:
        glass = tuple(
            (copysign(2.2, side), 1.1 * height)
            for side, height in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
        )
        return (((-2.54, 0), (-0.4, 0), (0.9, -0.7)), ((0.5, 0), (2.54, 0)), glass)
    if shape is Shape.BUZZER:
        return (
            ((-2.54, 0), (-1.3, 0)),
            ((1.3, 0), (2.54, 0)),
            ((-1.3, 1.3), (-1.3, -1.6), (1.3, -1.6), (1.3, 1.3), (-1.3, 1.3)),
        )
    raise ValueError(f"no sign for {shape}")


def _pin(pin: SymbolPin) -> str:
    angle = 0 if pin.left else 180
    length = PITCH_MM
    return (
        f"(pin {pin.role.value} line (at {number(pin.x_mm)} {number(-pin.y_mm)} {angle}) (length {number(length)}) "
        f"(name {quoted(pin.name)} {SMALL}) (number {quoted(pin.number)} {SMALL}))"
    )


def _wire(circuit: Circuit, part: Part, pin: SymbolPin) -> Iterator[str]:
    x, y = place_of(part, pin)
    net = circuit.net_of.get((part.ref, pin.number))
    name = (circuit.name, part.ref, pin.number)
    if net is None:
        if pin.role is not Role.FREE:
            yield f"  (no_connect (at {number(x)} {number(y)}) (uuid {quoted(identity(*name, 'open'))}))"
        return
    end = x + (-STUB_MM if pin.left else STUB_MM)
    angle, justify = (180, "right") if pin.left else (0, "left")
    yield (
        f"  (wire (pts (xy {number(x)} {number(y)}) (xy {number(end)} {number(y)})) "
        f"(stroke (width 0) (type default)) (uuid {quoted(identity(*name, 'wire'))}))"
    )
    yield (
        f"  (label {quoted(net)} (at {number(end)} {number(y)} {angle}) "
        f"(effects (font (size 1.27 1.27)) (justify {justify} bottom)) (uuid {quoted(identity(*name, 'label'))}))"
    )


def _instance(circuit: Circuit, part: Part) -> str:
    x, y = part.at_mm
    top = part.symbol.height_mm / 2 if part.symbol.shape is Shape.BOX else PITCH_MM
    pins = " ".join(
        f"(pin {quoted(pin.number)} (uuid {quoted(identity(circuit.name, part.ref, pin.number))}))"
        for pin in part.symbol.pins
    )
    sheet = identity(circuit.name)
    return (
        f"  (symbol (lib_id {quoted(LIBRARY + ':' + part.symbol.name)}) (at {number(x)} {number(y)} 0) (unit 1)"
        " (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no)"
        f" (uuid {quoted(identity(circuit.name, part.ref))})\n"
        f"    {_property('Reference', part.ref, x, y - top - 1.27, hidden=part.ref.startswith('#'))}\n"
        f"    {_property('Value', part.value, x, y + top + 1.27)}\n"
        f"    {_property('Footprint', '', x, y, hidden=True)}\n"
        f"    {_property('Datasheet', '', x, y, hidden=True)}\n"
        f"    {pins}\n"
        f"    (instances (project {quoted(circuit.name)} (path {quoted('/' + sheet)} "
        f"(reference {quoted(part.ref)}) (unit 1))))\n"
        "  )"
    )
