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
from tock_companion.language import DEFAULT, TERMINAL, Text
from tock_companion.schema import Schema, check, parse_toml, toml_line
from tock_hardware.catalog import named
from tock_hardware.electronics import symbols
from tock_hardware.electronics.assembly import assembly
from tock_hardware.electronics.circuit import Circuit, Part
from tock_hardware.electronics.panel import panel_board
from tock_hardware.electronics.wirelist import ground_mm, ribbon_mm, wires
from tock_hardware.parts.solids import solids
from tock_hardware.project import Project

MAX_BYTES = 200_000
SPARE_SHARE = 0.05
"""Of small parts this much more is bought than is built in."""
MAGNET_SPARE_SHARE = 0.25
WIRE_SPARE_SHARE = 0.1
FILAMENT_G_PER_MM3 = 0.00124 * 0.6
"""PLA, printed with walls and 40 % infill."""


class Sensing(Enum):
    """The way pawns are sensed."""

    CAMERA = "camera"
    REED = "reed"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the bill: `needed` is built in, `buy` includes spares and whole units."""

    key: str
    name: Text
    needed: float
    buy: float
    unit: str = ""
    value: str = ""


@dataclass(frozen=True)
class Prices:
    """The price of each key, at a date."""

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
    """Read the price file; BadInputError names its mistake."""
    text = read_text_bounded(path, MAX_BYTES, "prices")
    where = printable(str(path))
    prices = check(_PriceFile, parse_toml(text, where), where, partial(toml_line, text))
    return Prices(prices.date, prices.currency, prices.each)


def _line(
    key: str, needed: float, buy: float | None = None, unit: str = "", value: str = "", **params: object
) -> Line:
    """Make a line named by its key; as much is bought as is needed unless `buy` says otherwise."""
    return Line(key, named(key, **params), needed, needed if buy is None else buy, unit, value)


_KEYS: Mapping[str, tuple[str, str]] = {
    symbols.NANO.name: ("nano", "Arduino Nano"),
    symbols.HC165.name: ("hc165", "{}"),
    symbols.HC14.name: ("hc14", "{}"),
    symbols.TPIC6B595.name: ("tpic", "{}"),
    symbols.RESISTORS.name: ("rn", "{}"),
    symbols.RESISTOR.name: ("resistor", "{} ohm"),
    symbols.LED.name: ("led", "{}"),
    symbols.RGB.name: ("rgb", "5 mm"),
    symbols.DIODE.name: ("diode", "1N4148"),
    symbols.NPN.name: ("npn", "{}"),
    symbols.BUZZER.name: ("buzzer", "{}"),
    symbols.PIEZO.name: ("piezo", "{}"),
    symbols.BUTTON.name: ("button", "16 mm"),
    symbols.FUSE.name: ("fuse", "{}"),
    symbols.TERMINAL.name: ("terminal", "2"),
    symbols.JUMPER.name: ("jumper", "2,54"),
}
"""Key of each kind of part, and its value on the bill (`{}`: its value in the circuit)."""


def kind_of(part: Part) -> tuple[str, str] | None:
    """Give key and value of an electronic part; None where it is not bought by itself."""
    if part.symbol is symbols.CAPACITOR:
        return "cap_big" if part.value.endswith("u") else "cap_small", f"{part.value}F"
    if part.symbol is symbols.RIBBON:
        return "idc_socket" if part.ref == "END" else "idc_header", "16"
    if part.symbol.name not in _KEYS:
        return None
    key, value = _KEYS[part.symbol.name]
    return key, value.format(part.value)


def electronics(circuit: Circuit, project: Project) -> Iterator[Line]:
    """Yield the parts of a circuit, counted part by part."""
    counts: Counter[tuple[str, str]] = Counter()
    for part in circuit.parts.values():
        if part.symbol is symbols.REED:
            counts["hall" if project.sensor.wires == 3 else "reed", ""] += 1
        elif (kind := kind_of(part)) is not None:
            counts[kind] += 1
    for (key, value), count in counts.items():
        many = key in ("reed", "hall", "resistor", "cap_small", "led")
        buy = ceil(count * (1 + SPARE_SHARE)) if many else count
        if key in ("reed", "hall"):
            yield Line(key, project.sensor.label, count, buy, "", value)
        else:
            yield _line(key, count, buy, "", value)


def volumes_mm3(project: Project) -> dict[str, float]:
    """Measure how much plastic each part takes."""
    return {solid.name: solid.body.volume() for solid in solids(project)}


def bill(project: Project, board: BoardFile, way: Sensing, volumes: Mapping[str, float]) -> list[Line]:
    """List everything to buy for a board; `volumes` are those of the printed parts."""
    shape = board.shape
    reeds, camera = way is not Sensing.CAMERA, way is not Sensing.REED
    side_m = board.size_mm[0] / 1000
    lines = [_line("plywood_m2", side_m**2, unit="m²", thickness_mm=project.plate.thickness_mm)]
    printed_mm3 = (
        shape.pawns_per_seat * shape.zones * volumes["pawn"] + volumes["panel-box"] + volumes["panel-lid"]
    )
    if reeds:
        circuit = assembly(shape, project.leds.resistor_ohm, f"PTC {project.leds.fuse_ma / 1000:g} A")
        lines += electronics(circuit, project)
        lines += _wiring(project, board)
        printed_mm3 += len(circuit.of(symbols.REED)) * volumes["reed-holder"] + volumes["coupon"]
    lines += electronics(panel_board(), project)
    if camera:
        lines += [_line("camera", 1), _line("camera_cable", 1), _line("mast", 1)]
        printed_mm3 += volumes["camera-bracket"]
    lines += [_line("pi", 1), _line("pi_supply", 1), _line("card", 1)]
    grams = printed_mm3 * FILAMENT_G_PER_MM3
    # Spools are sold by the quarter kilogram.
    lines.append(_line("filament_kg", round(grams / 1000, 2), max(0.25, ceil(grams / 250) / 4), "kg"))
    return _merged(lines)


def _wiring(project: Project, board: BoardFile) -> Iterator[Line]:
    magnet = project.magnet
    pawns = board.pawns_per_seat * board.zones
    yield Line("magnet", magnet.label, pawns, ceil(pawns * (1 + MAGNET_SPARE_SHARE)))
    area_m2 = (board.size_mm[0] / 1000) ** 2
    yield _line("floor_m2", area_m2, unit="m²", thickness_mm=project.plate.floor_mm)
    yield _line("perfboard", board.zones + 1)
    signal_m = sum(wire.length_mm for wire in wires(board)) / 1000 * (project.sensor.wires - 1)
    lengths_m = {"wire_m": signal_m, "bare_m": ground_mm(board) / 1000, "ribbon_m": ribbon_mm(board) / 1000}
    for key, length_m in lengths_m.items():
        yield _line(key, round(length_m, 1), ceil((1 + WIRE_SPARE_SHARE) * length_m), "m")
    # One cable to each sector, with a plug at both ends.
    yield _line("idc_socket", 2 * board.zones, value="16")
    yield _line("supply", 1)
    yield _line("usb_cable", 1)


def _merged(lines: list[Line]) -> list[Line]:
    found: dict[tuple[str, str], Line] = {}
    for line in lines:
        place = (line.key, line.value)
        old = found.get(place)
        if old is None:
            found[place] = line
        else:
            found[place] = Line(
                line.key, old.name, old.needed + line.needed, old.buy + line.buy, line.unit, line.value
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
            line.name[DEFAULT],
            line.name[TERMINAL],
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
        "Les listes / the lists: `bom-N-camera.csv`, `bom-N-reed.csv`, `bom-N-both.csv`.",
        "",
        "| zones | caméra / camera | ILS / reed | les deux / both |",
        "|---|---|---|---|",
    ]
    for board in project.boards:
        cells = []
        for way in Sensing:
            total = sum(prices.of(line) for line in bill(project, board, way, volumes))
            cells.append(f"{total:.0f}")
        rows.append(f"| {board.zones} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"
