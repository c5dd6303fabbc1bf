"""Bills of materials: what to buy for a board, watched by a camera, by reeds, or by both."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from math import ceil
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tock_companion.boardfile import BoardFile
from tock_companion.errors import printable
from tock_companion.files import read_text_bounded
from tock_companion.schema import Schema, check, parse_toml, toml_line
from tock_hardware.electronics import symbols
from tock_hardware.electronics.assembly import assembly
from tock_hardware.electronics.circuit import Circuit, Part
from tock_hardware.electronics.panel import panel_board
from tock_hardware.electronics.wirelist import ground_mm, ribbon_mm, wires
from tock_hardware.parts.solids import solids
from tock_hardware.project import Project

LARGEST_BYTES = 200_000
SPARE = 0.05
"""Small parts are bought with so much to spare."""
MAGNET_SPARE = 0.25
FILAMENT_G_PER_MM3 = 0.00124 * 0.6
"""PLA, printed with walls and 40 % infill."""


class Sensing(Enum):
    """How the pawns are seen."""

    CAMERA = "camera"
    REED = "reed"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the bill: `needed` is built in, `buy` includes spares and whole units."""

    key: str
    fr: str
    en: str
    needed: float
    buy: float
    unit: str = ""
    value: str = ""


@dataclass(frozen=True)
class Prices:
    """What each key costs, at a date."""

    date: str
    currency: str
    each: Mapping[str, float]

    def of(self, line: Line) -> float:
        """Price a line."""
        return self.each[line.key] * line.buy


class _PriceFile(Schema):
    date: Annotated[str, Field(max_length=40)]
    currency: Annotated[str, Field(max_length=10)]
    each: dict[str, Annotated[float, Field(ge=0.0, le=1_000_000.0)]]


def load_prices(path: Path) -> Prices:
    """Read the price file; BadInputError names what is wrong in it."""
    text = read_text_bounded(path, LARGEST_BYTES, "prices")
    where = printable(str(path))
    prices = check(_PriceFile, parse_toml(text, where), where, partial(toml_line, text))
    return Prices(prices.date, prices.currency, prices.each)


def kind_of(part: Part) -> tuple[str, str, str, str] | None:
    """Give key, value, French and English name of an electronic part; None for what is not bought by itself."""
    value = part.value
    names: dict[str, tuple[str, str, str, str]] = {
        symbols.NANO.name: ("nano", "Arduino Nano", "microcontrôleur", "microcontroller"),
        symbols.HC165.name: (
            "hc165",
            value,
            "registre à décalage DIP-16 (ou 74HC165)",
            "shift register DIP-16 (or 74HC165)",
        ),
        symbols.HC14.name: ("hc14", value, "6 inverseurs DIP-14", "6 inverters DIP-14"),
        symbols.TPIC6B595.name: (
            "tpic",
            value,
            "registre de puissance DIP-20",
            "power shift register DIP-20",
        ),
        symbols.RESISTORS.name: ("rn", value, "réseau de résistances SIP-9", "resistor network SIP-9"),
        symbols.RESISTOR.name: ("resistor", f"{value} ohm", "résistance 0,25 W", "resistor 0.25 W"),
        symbols.LED.name: ("led", value, "DEL rouge", "red LED"),
        symbols.RGB.name: ("rgb", "5 mm", "DEL RVB, cathode commune", "RGB LED, common cathode"),
        symbols.DIODE.name: ("diode", "1N4148", "diode", "diode"),
        symbols.NPN.name: ("npn", value, "transistor NPN", "NPN transistor"),
        symbols.BUZZER.name: ("buzzer", value, "buzzer", "buzzer"),
        symbols.PIEZO.name: ("piezo", value, "disque piézo passif", "passive piezo"),
        symbols.BUTTON.name: ("button", "16 mm", "bouton-poussoir", "push button"),
        symbols.FUSE.name: ("fuse", value, "fusible réarmable", "resettable fuse"),
        symbols.TERMINAL.name: ("terminal", "2", "bornier à vis", "screw terminal"),
        symbols.JUMPER.name: ("jumper", "2,54", "cavalier avec barrette", "jumper with pins"),
    }
    if part.symbol is symbols.CAPACITOR:
        key = "cap_big" if value.endswith("u") else "cap_small"
        return key, f"{value}F", "condensateur", "capacitor"
    if part.symbol is symbols.RIBBON:
        return (
            ("idc_socket" if part.ref == "END" else "idc_header"),
            "16",
            "connecteur de nappe",
            "ribbon connector",
        )
    return names.get(part.symbol.name)


def electronics(circuit: Circuit, project: Project) -> Iterator[Line]:
    """Yield what a circuit is made of, counted part by part."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for part in circuit.parts.values():
        if part.symbol is symbols.REED:
            key = "hall" if project.sensor.wires == 3 else "reed"
            counts[key, "", project.sensor.fr, project.sensor.en] += 1
        elif (kind := kind_of(part)) is not None:
            counts[kind] += 1
    for (key, value, fr, en), count in counts.items():
        many = key in ("reed", "hall", "resistor", "cap_small", "led")
        yield Line(key, fr, en, count, ceil(count * (1 + SPARE)) if many else count, "", value)


def volumes_mm3(project: Project) -> dict[str, float]:
    """Measure how much plastic each part takes."""
    return {solid.name: solid.body.volume() for solid in solids(project)}


def bill(project: Project, board: BoardFile, way: Sensing, volumes: Mapping[str, float]) -> list[Line]:
    """List everything to buy for a board; `volumes` are those of the printed parts."""
    zones = board.zones
    reeds, camera = way is not Sensing.CAMERA, way is not Sensing.REED
    pawns = 4 * zones
    side_m = board.size_mm[0] / 1000
    lines = [
        Line(
            "plywood_m2",
            f"contreplaqué {project.plate_mm:g} mm",
            f"plywood {project.plate_mm:g} mm",
            side_m**2,
            side_m**2,
            "m²",
        )
    ]
    printed = pawns * volumes["pawn"] + volumes["panel-box"] + volumes["panel-lid"]
    if reeds:
        circuit = assembly(zones, project.led_ohm, f"PTC {project.fuse_ma / 1000:g} A")
        lines += electronics(circuit, project)
        lines += _wiring(project, board)
        printed += len(circuit.of(symbols.REED)) * volumes["reed-holder"] + volumes["coupon"]
    lines += list(electronics(panel_board(), project))
    if camera:
        lines.append(Line("camera", "caméra Raspberry Pi, module 3", "Raspberry Pi camera, module 3", 1, 1))
        lines.append(Line("camera_cable", "nappe de caméra 1 m", "camera cable 1 m", 1, 1))
        lines.append(Line("mast", "tube rond 20 mm, 1 m", "round tube 20 mm, 1 m", 1, 1))
        printed += volumes["camera-bracket"]
    lines.append(Line("pi", "Raspberry Pi 4 ou 5, 2 Go", "Raspberry Pi 4 or 5, 2 GB", 1, 1))
    lines.append(Line("pi_supply", "alimentation du Raspberry Pi", "Raspberry Pi supply", 1, 1))
    lines.append(Line("card", "carte microSD 32 Go", "microSD card 32 GB", 1, 1))
    grams = printed * FILAMENT_G_PER_MM3
    lines.append(
        Line(
            "filament_kg",
            "filament PLA",
            "PLA filament",
            round(grams / 1000, 2),
            max(0.25, ceil(grams / 250) / 4),
            "kg",
        )
    )
    return _merged(lines)


def _wiring(project: Project, board: BoardFile) -> Iterator[Line]:
    magnet = project.magnet
    pawns = 4 * board.zones
    yield Line("magnet", magnet.fr, magnet.en, pawns, ceil(pawns * (1 + MAGNET_SPARE)))
    area = (board.size_mm[0] / 1000) ** 2
    yield Line(
        "floor_m2",
        f"feuille du fond {project.floor_mm:g} mm",
        f"floor sheet {project.floor_mm:g} mm",
        area,
        area,
        "m²",
    )
    yield Line(
        "perfboard", "plaque à trous 100 x 160", "perfboard 100 x 160", board.zones + 1, board.zones + 1
    )
    signal_m = sum(wire.length_mm for wire in wires(board)) / 1000 * (project.sensor.wires - 1)
    yield Line(
        "wire_m",
        "fil souple 0,14 mm², 8 couleurs",
        "wire 0.14 mm², 8 colours",
        round(signal_m, 1),
        ceil(1.1 * signal_m),
        "m",
    )
    bare_m = ground_mm(board) / 1000
    yield Line(
        "bare_m",
        "fil de masse nu 0,5 mm",
        "bare ground wire 0.5 mm",
        round(bare_m, 1),
        ceil(1.1 * bare_m),
        "m",
    )
    flat_m = ribbon_mm(board) / 1000
    yield Line("ribbon_m", "nappe à 16 fils", "16-way ribbon", round(flat_m, 1), ceil(1.1 * flat_m), "m")
    # One cable to each sector, with a plug at both ends.
    yield Line(
        "idc_socket", "connecteur de nappe", "ribbon connector", 2 * board.zones, 2 * board.zones, "", "16"
    )
    yield Line("supply", "alimentation 5 V 2 A des lumières", "5 V 2 A supply of the lights", 1, 1)
    yield Line("usb_cable", "câble USB vers l'Arduino", "USB cable to the Arduino", 1, 1)


def _merged(lines: list[Line]) -> list[Line]:
    found: dict[tuple[str, str], Line] = {}
    for line in lines:
        place = (line.key, line.value)
        old = found.get(place)
        if old is None:
            found[place] = line
        else:
            found[place] = Line(
                line.key, old.fr, old.en, old.needed + line.needed, old.buy + line.buy, line.unit, line.value
            )
    return list(found.values())


def bill_csv(lines: list[Line], prices: Prices) -> str:
    """Write a bill as CSV with the total in the last line."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    money = prices.currency
    heading = ["article", "item", "valeur / value", "monté / built in", "acheter / buy", "unité / unit"]
    table.writerow([*heading, f"prix / each ({money})", f"total ({money})"])
    for line in lines:
        each, cost = prices.each[line.key], prices.of(line)
        row = [
            line.fr,
            line.en,
            line.value,
            f"{line.needed:g}",
            f"{line.buy:g}",
            line.unit,
            f"{each:.2f}",
            f"{cost:.2f}",
        ]
        table.writerow(row)
    total = sum(prices.of(line) for line in lines)
    table.writerow(["total", "total", "", "", "", "", prices.date, f"{total:.2f}"])
    return out.getvalue()


def bills_page(project: Project, prices: Prices) -> str:
    """Write `bom.md`: the totals for every board and way of sensing, and where the lists are."""
    volumes = volumes_mm3(project)
    rows = [
        "# Liste d'achats / bill of materials",
        "",
        f"Prix indicatifs du {prices.date}, en {prices.currency}; changez prices.toml. Estimated prices of "
        f"{prices.date}, in {prices.currency}; change prices.toml.",
        "",
        "| zones | caméra / camera | contacts Reed / reed | les deux / both |",
        "|---|---|---|---|",
    ]
    for board in project.boards:
        cells = []
        for way in Sensing:
            total = sum(prices.of(line) for line in bill(project, board, way, volumes))
            cells.append(f"[{total:.0f}](bom-{board.zones}-{way.value}.csv)")
        rows.append(f"| {board.zones} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"
