"""Kinds of parts with their pins, as the data sheets number them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import MappingProxyType

PITCH_MM = 2.54


class Role(Enum):
    """The role of a pin in an electrical rules check."""

    INPUT = "input"
    OUTPUT = "output"
    PASSIVE = "passive"
    POWER = "power_in"
    SUPPLY = "power_out"
    FREE = "no_connect"


class Shape(Enum):
    """The drawing of a part: a box with named pins, or the usual sign of a part with few pins."""

    BOX = "box"
    RESISTOR = "resistor"
    CAPACITOR = "capacitor"
    LED = "led"
    DIODE = "diode"
    SWITCH = "switch"
    REED = "reed"
    BUZZER = "buzzer"


@dataclass(frozen=True, slots=True)
class SymbolPin:
    """A pin: its number on the part, its name, and where its wire begins, from the middle of the part."""

    number: str
    name: str
    role: Role
    x_mm: float
    y_mm: float
    left: bool


@dataclass(frozen=True)
class Symbol:
    """One kind of part."""

    name: str
    prefix: str
    shape: Shape
    pins: tuple[SymbolPin, ...]
    width_mm: float = 0.0
    height_mm: float = 0.0

    @cached_property
    def by_name(self) -> Mapping[str, SymbolPin]:
        """The pins by name."""
        return MappingProxyType({pin.name: pin for pin in self.pins})


ROLES = {
    "<": Role.INPUT,
    ">": Role.OUTPUT,
    "-": Role.PASSIVE,
    "+": Role.POWER,
    "!": Role.SUPPLY,
    "x": Role.FREE,
}


def _box(name: str, prefix: str, left: str, right: str, width_mm: float = 20.32) -> Symbol:
    """Make a box with pins listed from top to bottom as `role number name`; `.` leaves a gap."""
    sides = [[word.split(":") if word != "." else None for word in side.split()] for side in (left, right)]
    rows = max(len(side) for side in sides)
    top = -PITCH_MM * ((rows - 1) // 2)
    pins = []
    for is_left, side in zip((True, False), sides, strict=True):
        x = (-1 if is_left else 1) * (width_mm / 2 + PITCH_MM)
        for row, entry in enumerate(side):
            if entry is not None:
                role, number, pin_name = entry
                pins.append(SymbolPin(number, pin_name, ROLES[role], x, top + row * PITCH_MM, is_left))
    return Symbol(name, prefix, Shape.BOX, tuple(pins), width_mm, (rows + 1) * PITCH_MM)


def _two(name: str, prefix: str, shape: Shape, pins: Iterable[str] = ("1", "2")) -> Symbol:
    one, two = pins
    return Symbol(
        name,
        prefix,
        shape,
        (
            SymbolPin("1", one, Role.PASSIVE, -5.08, 0.0, True),
            SymbolPin("2", two, Role.PASSIVE, 5.08, 0.0, False),
        ),
    )


def _connector(name: str, count: int, width_mm: float = 10.16) -> Symbol:
    left = " ".join(f"-:{number}:{number}" for number in range(1, count + 1, 2))
    right = " ".join(f"-:{number}:{number}" for number in range(2, count + 1, 2))
    return _box(name, "J", left, right, width_mm)


def _column(name: str, prefix: str, pins: str, width_mm: float = 7.62) -> Symbol:
    return _box(name, prefix, pins, "", width_mm)


HC165 = _box(
    "74HC165",
    "U",
    "<:11:A <:12:B <:13:C <:14:D <:3:E <:4:F <:5:G <:6:H",
    "+:16:VCC +:8:GND <:1:SH/LD <:2:CLK <:15:INH <:10:SER >:9:QH >:7:/QH",
)
HC14 = _box(
    "74HC14",
    "U",
    "<:1:1A <:3:2A <:5:3A <:9:4A <:11:5A <:13:6A +:14:VCC",
    ">:2:1Y >:4:2Y >:6:3Y >:8:4Y >:10:5Y >:12:6Y +:7:GND",
    15.24,
)
TPIC6B595 = _box(
    "TPIC6B595",
    "U",
    "+:2:VCC <:3:SER <:13:SRCK <:12:RCK <:8:/CLR <:9:/G +:10:GND +:11:GND2 +:19:GND3 x:1:NC1 x:20:NC2",
    "-:4:DRAIN0 -:5:DRAIN1 -:6:DRAIN2 -:7:DRAIN3 -:14:DRAIN4 -:15:DRAIN5 -:16:DRAIN6 -:17:DRAIN7 >:18:SEROUT",
    22.86,
)
RESISTORS = _column("SIP-9", "RN", "-:1:COM " + " ".join(f"-:{number}:{number}" for number in range(2, 10)))
RIBBON = _connector("IDC-16", 16)
TERMINAL = _column("TERMINAL-2", "J", "-:1:1 -:2:2")
JUMPER = _two("JUMPER", "JP", Shape.SWITCH)
REED = _two("REED", "SW", Shape.REED)
BUTTON = _two("BUTTON", "SW", Shape.SWITCH)
RESISTOR = _two("R", "R", Shape.RESISTOR)
CAPACITOR = _two("C", "C", Shape.CAPACITOR)
LED = _two("LED", "D", Shape.LED, ("K", "A"))
DIODE = _two("1N4148", "D", Shape.DIODE, ("K", "A"))
FUSE = _two("PTC", "F", Shape.RESISTOR)
PIEZO = _two("PIEZO", "BZ", Shape.BUZZER)
BUZZER = _two("BUZZER", "BZ", Shape.BUZZER, ("+", "-"))
RGB = _box("RGB-LED", "D", "-:1:R -:3:G -:4:B", "-:2:K", 12.7)
NPN = _box("NPN", "Q", "-:2:B", "-:1:C -:3:E", 10.16)
FLAG = _column("FLAG", "#FLG", "!:1:1", 5.08)
NANO = _box(
    "ARDUINO-NANO",
    "A",
    "x:1:TX x:2:RX x:3:RST2 +:4:GND x:5:D2 x:6:D3 >:7:D4 >:8:D5 <:9:D6 >:10:D7 >:11:D8 >:12:D9 >:13:D10 x:14:D11 "
    "x:15:D12",
    "x:30:VIN x:29:GND2 x:28:RST !:27:5V x:26:A7 x:25:A6 x:24:A5 x:23:A4 x:22:A3 x:21:A2 x:20:A1 x:19:A0 x:18:AREF "
    "x:17:3V3 x:16:D13",
    25.4,
)
PIN_NAMES_OF_PI: Mapping[int, int | str] = {
    1: "3V3", 2: "5V", 4: "5V", 17: "3V3",
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""The 40-pin header of every Raspberry Pi since the B+: supplies by name, all others by their GPIO number."""


def _pi_header() -> Symbol:
    words: dict[bool, list[str]] = {True: [], False: []}
    for number in range(1, 41):
        name = PIN_NAMES_OF_PI[number]
        text = f"{name}_{number}" if isinstance(name, str) else f"GPIO{name}"
        words[number % 2 == 1].append(f"-:{number}:{text}")
    return _box("RASPBERRY-PI", "J", " ".join(words[True]), " ".join(words[False]), 30.48)


PI = _pi_header()
SYMBOLS = (
    HC165, HC14, TPIC6B595, RESISTORS, RIBBON, TERMINAL, JUMPER, REED, BUTTON, RESISTOR, CAPACITOR, LED, DIODE, FUSE,
    PIEZO, BUZZER, NPN, RGB, FLAG, NANO, PI,
)  # fmt: skip
