"""The whole reed board: microcontroller, ribbon from sector to sector, end plug, supply of the lights."""

from tock_companion.boardfile.wiring import HOLES_PER_BOARD, holes_of_board, straps_of
from tock_hardware.electronics import symbols
from tock_hardware.electronics.circuit import Circuit
from tock_hardware.electronics.sector import RIBBON_PINS, ribbon, sector_board
from tock_rules import BoardShape

NANO_PINS = {
    "LOAD": "D4",
    "CLOCK": "D5",
    "DATA": "D6",
    "RETURN": "D7",
    "LIGHTS": "D8",
    "BUZZER": "D9",
    "LATCH": "D10",
}
"""Signals of the firmware (`firmware/port/avr328/pins.h`) and the pins of the Nano that they are on."""
BUS = ("+5V", "GND", "CLK_BUS", "LOAD_BUS", "LATCH_BUS", "RETURN", "VLED")
"""Nets that the ribbon and the light supply's wire carry through all sector boards."""


def main_board(fuse: str) -> Circuit:
    """Draw the board with the microcontroller, where the first ribbon begins."""
    circuit = Circuit("main", "Tock: carte mère / main board", (297.0, 210.0))
    pins = {"GND": "GND", "5V": "+5V", "D6": "DATA"}
    lines = {
        "LOAD": "LOAD_BUS",
        "CLOCK": "CLK_BUS",
        "RETURN": "RETURN",
        "LIGHTS": "LIGHTS",
        "LATCH": "LATCH_BUS",
    }
    for row, (signal, net) in enumerate(lines.items()):
        pins[NANO_PINS[signal]] = f"{signal}_MCU"
        at = (116.84, 60.96 + 12.7 * row)
        circuit.add(
            f"R{row + 1}", symbols.RESISTOR, "33", at, {"1": f"{signal}_MCU", "2": net}, "tames the edges"
        )
    pins[NANO_PINS["BUZZER"]] = "TONE"
    circuit.add("A1", symbols.NANO, "Arduino Nano", (53.34, 86.36), pins)
    circuit.add("R6", symbols.RESISTOR, "330", (116.84, 124.46), {"1": "TONE", "2": "PIEZO"})
    circuit.add("BZ1", symbols.PIEZO, "passive piezo", (116.84, 137.16), {"1": "PIEZO", "2": "GND"})
    circuit.add("J1", symbols.RIBBON, "to sector 0", (180.34, 81.28), ribbon("DATA", "LIGHTS"))
    circuit.add(
        "J2", symbols.TERMINAL, "5 V supply of the lights", (241.3, 63.5), {"1": "VLED_RAW", "2": "GND"}
    )
    circuit.add("F1", symbols.FUSE, fuse, (241.3, 81.28), {"1": "VLED_RAW", "2": "VLED"}, "resettable fuse")
    circuit.add("C1", symbols.CAPACITOR, "1000u", (241.3, 93.98), {"1": "VLED", "2": "GND"})
    circuit.add("J3", symbols.TERMINAL, "lights, to every sector", (241.3, 111.76), {"1": "VLED", "2": "GND"})
    circuit.add("C2", symbols.CAPACITOR, "100n", (180.34, 111.76), {"1": "+5V", "2": "GND"})
    for number, net in enumerate(("GND", "VLED"), start=1):
        circuit.add(f"#FLG{number}", symbols.FLAG, net, (180.34, 114.3 + 12.7 * number), {"1": net})
    return circuit


def sector_of(shape: BoardShape, zone: int, led_ohm: float) -> Circuit:
    """Draw a zone's sector board as fitted: the board file's hole names, straps, centre hole."""
    circuit = sector_board(led_ohm)
    holes = holes_of_board(shape, zone)
    for number, hole in enumerate(holes[:HOLES_PER_BOARD], start=1):
        part = circuit.parts[f"SW{number}"]
        circuit.parts[f"SW{number}"] = type(part)(part.ref, part.symbol, hole, part.at_mm, hole)
    for ref, fitted in zip(("JP1", "JP2"), straps_of(zone), strict=True):
        if not fitted:
            _leave_out(circuit, ref)
    beyond = holes[HOLES_PER_BOARD:]
    for ref, hole in zip(("SW31", "SW32"), beyond, strict=False):
        part = circuit.parts[ref]
        circuit.parts[ref] = type(part)(part.ref, symbols.REED, hole, part.at_mm, hole)
    unused = [(f"SW{n}", f"D{n}", f"R{n + 100}") for n in range(len(holes) + 1, HOLES_PER_BOARD + 1)]
    if len(beyond) < 2 and (zone != 0 or not shape.has_centre):
        unused.append(("SW32", "D30", "R130"))
    for ref in [ref for part in unused for ref in part]:
        _leave_out(circuit, ref)
    for ref in [ref for ref in circuit.parts if ref.startswith("#")]:
        _leave_out(circuit, ref)
    return circuit


def _leave_out(circuit: Circuit, ref: str) -> None:
    del circuit.parts[ref]
    for node in [node for node in circuit.net_of if node[0] == ref]:
        del circuit.net_of[node]


def assembly(shape: BoardShape, led_ohm: float, fuse: str) -> Circuit:
    """Join everything from microcontroller to end plug into one circuit; sector parts are named `S0.U1` and so on."""
    zones = shape.zones
    circuit = Circuit(f"chain-{zones}", f"Tock: {zones} zones")
    main = main_board(fuse)
    main.parts = {ref: part for ref, part in main.parts.items() if not ref.startswith("#")}
    main.net_of = {node: net for node, net in main.net_of.items() if not node[0].startswith("#")}
    circuit.include(main, "M.", (*BUS, "LIGHTS", "DATA"))
    for zone in range(zones):
        sector = sector_of(shape, zone, led_ohm)
        near, far = ("DATA", "LIGHTS") if zone == 0 else (f"DATA{zone}", f"LIGHTS{zone}")
        names = {
            "DATA_OUT": near,
            "LIGHTS_IN": far,
            "DATA_IN": f"DATA{zone + 1}",
            "LIGHTS_OUT": f"LIGHTS{zone + 1}",
        }
        sector.net_of = {node: names.get(net, net) for node, net in sector.net_of.items()}
        circuit.include(sector, f"S{zone}.", (*BUS, *names.values()))
    end = {str(pin): net for net in ("DATA", "RETURN") for pin in RIBBON_PINS[net]}
    end = {pin: f"DATA{zones}" if net == "DATA" else net for pin, net in end.items()}
    circuit.add("END", symbols.RIBBON, "end plug: 7 joined to 9", (0, 0), end)
    joined = {f"DATA{zones}": "RETURN"}
    circuit.net_of = {node: joined.get(net, net) for node, net in circuit.net_of.items()}
    return circuit
