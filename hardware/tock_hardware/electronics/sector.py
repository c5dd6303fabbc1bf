"""The sector board of one zone: 26 reed switches and six other inputs, a light beside every hole.

All sector boards are alike; names of holes are counted from the zone's start. The clock, load and latch lines pass from
the ribbon through two gates of a 74HC14 on every board, so that long cables bring sharp edges to the registers: slow
edges are the known fault of long chains. Data runs towards the microcontroller, so the register that is clocked first
is never late for the next one; lights run the other way and are delayed by R and C where they leave the board.
"""

from tock_companion.boardfile.wiring import (
    HOLES_PER_BOARD,
    INPUTS_PER_BOARD,
    REGISTER_PINS,
    REGISTERS_PER_BOARD,
    SpareInput,
)
from tock_hardware.electronics import symbols
from tock_hardware.electronics.circuit import Circuit
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH

RIBBON_PINS = {
    "+5V": (1, 15),
    "CLK_BUS": (3,),
    "LOAD_BUS": (5,),
    "DATA": (7,),
    "RETURN": (9,),
    "LIGHTS": (11,),
    "LATCH_BUS": (13,),
    "GND": (2, 4, 6, 8, 10, 12, 14, 16),
}
"""Every signal of the ribbon has ground beside it."""
PULL_UP = "10k"
SPARE_NETS = {
    SpareInput.LOW: "GND",
    SpareInput.HIGH: "+5V",
    SpareInput.BUTTON: "BUTTON",
    SpareInput.CENTRE: "CENTRE",
    SpareInput.STRAP_1: "STRAP1",
    SpareInput.STRAP_2: "STRAP2",
}


CAPTIONS = [
    (
        45.0,
        30.5,
        "1. Entrées: chaque registre lit 8 fils; 10k tirent un fil ouvert vers +5V. / Inputs: each register reads "
        "8 wires; 10k pull an open wire to +5V.",
        3.5,
    ),
    (
        45.0,
        86.4,
        "2. Un ILS debout sous chaque trou, vers la masse. T+0 est la case de départ de la zone. / One upright reed "
        "under every hole, to ground. T+0 is the zone's start hole.",
        3.5,
    ),
    (
        45.0,
        203.2,
        "3. Lumières (en option): une DEL près de chaque trou, alimentée par VLED. / Lights (optional): one LED "
        "beside every hole, fed by VLED.",
        3.5,
    ),
    (
        45.0,
        328.0,
        "4. Portes 74HC14: fronts nets après le câble. / 74HC14 gates: sharp edges after the cable.",
        3.5,
    ),
    (
        205.0,
        336.0,
        "5. Nappe à 16 fils: un fil de masse près de chaque signal. / 16-way ribbon: ground beside every signal.",
        3.5,
    ),
]
"""Captions for the builder beside each group of parts: place on the sheet, text, size."""


def hole_names() -> tuple[str, ...]:
    """List the names of a Tock zone's 26 holes as printed on a sector board: `T+0` is its start hole."""
    pawns = range(1, PAWNS_PER_SEAT + 1)
    return (
        *(f"T+{step}" for step in range(ZONE_LENGTH)),
        *(f"C{n}" for n in pawns),
        *(f"H{n}" for n in pawns),
    )


def input_nets() -> tuple[str, ...]:
    """List the nets of the 32 inputs, in order."""
    spares = tuple(SPARE_NETS[use] for use in SpareInput)
    return (*hole_names(), *spares)


def ribbon(data: str, lights: str) -> dict[str, str]:
    """Map a ribbon connector's pins to nets."""
    names = {"DATA": data, "LIGHTS": lights}
    return {str(pin): names.get(net, net) for net, pins in RIBBON_PINS.items() for pin in pins}


def sector_board(led_ohm: float) -> Circuit:
    """Draw the circuit of one sector board."""
    circuit = Circuit("sector", "Tock: plaque de secteur / sector board", (594.0, 420.0))
    nets = input_nets()
    for register in range(REGISTERS_PER_BOARD):
        _register(circuit, register, nets)
    _buffers(circuit)
    _lights(circuit, nets, led_ohm)
    _switches(circuit, nets)
    _connectors(circuit)
    circuit.texts += CAPTIONS
    return circuit


def _register(circuit: Circuit, register: int, nets: tuple[str, ...]) -> None:
    first = register * len(REGISTER_PINS)
    x, y = 101.6 + 132.08 * register, 60.96
    pins = {letter: nets[first + step] for step, letter in enumerate(REGISTER_PINS)}
    data = "DATA_OUT" if register == 0 else f"CHAIN{register}"
    last = register == REGISTERS_PER_BOARD - 1
    pins |= {"VCC": "+5V", "GND": "GND", "SH/LD": "LOAD", "CLK": "CLK", "INH": "GND", "QH": data}
    pins["SER"] = "DATA_IN" if last else f"CHAIN{register + 1}"
    circuit.add(f"U{register + 1}", symbols.HC165, "SN74HCS165N", (x, y), pins)
    resistors = {"COM": "+5V"}
    for step in range(8):
        net = nets[first + step]
        if net not in ("GND", "+5V"):
            resistors[f"{step + 2}"] = net
    circuit.add(
        f"RN{register + 1}", symbols.RESISTORS, f"8 x {PULL_UP}", (x - 45.72, y + 1.27 * 2), resistors
    )
    circuit.add(
        f"C{register + 1}",
        symbols.CAPACITOR,
        "100n",
        (x, y - 20.32),
        {"1": "+5V", "2": "GND"},
        "beside the chip",
    )


def _buffers(circuit: Circuit) -> None:
    pins = {"VCC": "+5V", "GND": "GND"}
    for gate, (bus, clean) in enumerate((("CLK_BUS", "CLK"), ("LOAD_BUS", "LOAD"), ("LATCH_BUS", "LATCH"))):
        first, second = 2 * gate + 1, 2 * gate + 2
        pins |= {f"{first}A": bus, f"{first}Y": f"/{clean}", f"{second}A": f"/{clean}", f"{second}Y": clean}
    circuit.add("U5", symbols.HC14, "74HC14N", (76.2, 355.6), pins)
    circuit.add("C5", symbols.CAPACITOR, "100n", (76.2, 335.28), {"1": "+5V", "2": "GND"}, "beside the chip")
    circuit.add("C10", symbols.CAPACITOR, "10u", (76.2, 375.92), {"1": "+5V", "2": "GND"})
    circuit.add(
        "R1",
        symbols.RESISTOR,
        PULL_UP,
        (76.2, 388.62),
        {"1": "+5V", "2": "DATA_IN"},
        "an open end reads as empty",
    )


def _lights(circuit: Circuit, nets: tuple[str, ...], led_ohm: float) -> None:
    for chip in range(REGISTERS_PER_BOARD):
        x, y = 101.6 + 132.08 * chip, 233.68
        last = chip == REGISTERS_PER_BOARD - 1
        pins = {"VCC": "+5V", "SRCK": "CLK", "RCK": "LATCH", "/CLR": "+5V", "/G": "GND"}
        pins |= {"GND": "GND", "GND2": "GND", "GND3": "GND"}
        pins["SER"] = "LIGHTS_IN" if chip == 0 else f"GLOW{chip}"
        pins["SEROUT"] = "LIGHTS_LATE" if last else f"GLOW{chip + 1}"
        for step in range(8):
            number = 8 * chip + step
            if not _has_light(nets[number]):
                continue
            lamp = number + 1
            pins[f"DRAIN{step}"] = f"L{lamp}"
            at = (x + 10.16, y + 30.48 + 7.62 * step)
            circuit.add(
                f"D{lamp}", symbols.LED, "LED 3 mm", at, {"K": f"L{lamp}", "A": f"A{lamp}"}, nets[number]
            )
            circuit.add(
                f"R{lamp + 100}",
                symbols.RESISTOR,
                f"{led_ohm:g}",
                (at[0] + 35.56, at[1]),
                {"1": f"A{lamp}", "2": "VLED"},
                nets[number],
            )
        circuit.add(f"U{chip + 6}", symbols.TPIC6B595, "TPIC6B595N", (x, y), pins)
        circuit.add(
            f"C{chip + 6}",
            symbols.CAPACITOR,
            "100n",
            (x, y - 22.86),
            {"1": "+5V", "2": "GND"},
            "beside the chip",
        )
    circuit.add("R2", symbols.RESISTOR, "330", (149.86, 342.9), {"1": "LIGHTS_LATE", "2": "LIGHTS_OUT"})
    circuit.add("C11", symbols.CAPACITOR, "150p", (149.86, 355.6), {"1": "LIGHTS_OUT", "2": "GND"})


def _has_light(net: str) -> bool:
    return net == "CENTRE" or net in hole_names()


def _switches(circuit: Circuit, nets: tuple[str, ...]) -> None:
    places = [(101.6 + 132.08 * (n // 8), 93.98 + 7.62 * (n % 8)) for n in range(INPUTS_PER_BOARD)]
    for number in range(HOLES_PER_BOARD):
        circuit.add(
            f"SW{number + 1}",
            symbols.REED,
            nets[number],
            places[number],
            {"1": nets[number], "2": "GND"},
            nets[number],
        )
    button, centre, strap_1, strap_2 = (
        HOLES_PER_BOARD + list(SpareInput).index(use) for use in list(SpareInput)[2:]
    )
    circuit.add(
        "SW31", symbols.BUTTON, "button", places[button], {"1": "BUTTON", "2": "GND"}, "player's button"
    )
    circuit.add("SW32", symbols.REED, "C", places[centre], {"1": "CENTRE", "2": "GND"}, "only on sector 0")
    circuit.add(
        "JP1", symbols.JUMPER, "strap 1", places[strap_1], {"1": "STRAP1", "2": "GND"}, "sectors 1, 3, 5, 7"
    )
    circuit.add(
        "JP2", symbols.JUMPER, "strap 2", places[strap_2], {"1": "STRAP2", "2": "GND"}, "sectors 2, 3, 6, 7"
    )


def _connectors(circuit: Circuit) -> None:
    circuit.add(
        "J1", symbols.RIBBON, "from the microcontroller", (231.14, 363.22), ribbon("DATA_OUT", "LIGHTS_IN")
    )
    circuit.add(
        "J2",
        symbols.RIBBON,
        "to the next sector, or end plug",
        (312.42, 363.22),
        ribbon("DATA_IN", "LIGHTS_OUT"),
    )
    circuit.add("J3", symbols.TERMINAL, "light supply", (386.08, 355.6), {"1": "VLED", "2": "GND"})
    circuit.add("C12", symbols.CAPACITOR, "100u", (386.08, 370.84), {"1": "VLED", "2": "GND"})
    for number, net in enumerate(("+5V", "GND", "VLED"), start=1):
        circuit.add(f"#FLG{number}", symbols.FLAG, net, (431.8, 345.44 + 10.16 * number), {"1": net})
