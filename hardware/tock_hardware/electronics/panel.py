"""The panel beside the board: buttons, a light per seat and a buzzer on the 40-pin header of the Raspberry Pi.

Only 3.3 V reach the header's GPIO pins: the 5 V supply feeds nothing but the buzzer, behind its transistor.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tock_hardware.electronics import symbols
from tock_hardware.electronics.circuit import Circuit


@dataclass(frozen=True)
class PanelPins:
    """GPIO numbers; `lights` has red, green and blue of every seat that has a light."""

    buttons: Mapping[str, int]
    lights: Mapping[str, tuple[int, int, int]]
    buzzer: int

    def numbers(self) -> tuple[int, ...]:
        """List every GPIO number in use."""
        return (
            *self.buttons.values(),
            *(pin for light in self.lights.values() for pin in light),
            self.buzzer,
        )


PINS = PanelPins(
    buttons={"turn": 17, "undo": 27, "help": 22},
    lights={"P0": (5, 6, 13), "P1": (19, 26, 21), "P2": (20, 16, 12), "P3": (25, 24, 23)},
    buzzer=18,
)
LIGHT_OHM = "470"


def panel_settings(pins: PanelPins = PINS) -> str:
    """Write the `[panel]` table of tock.toml for this wiring."""
    lines = ["# Le câblage de panel.svg, pour tock.toml / the wiring of panel.svg, for tock.toml", "[panel]"]
    lines += [f"{name} = {gpio}" for name, gpio in pins.buttons.items()]
    lights = ", ".join(f"{seat} = {list(colors)}" for seat, colors in pins.lights.items())
    return "\n".join([*lines, f"buzzer = {pins.buzzer}", f"lights = {{ {lights} }}"]) + "\n"


def panel_board(pins: PanelPins = PINS) -> Circuit:
    """Draw the panel's circuit."""
    circuit = Circuit("panel", "Tock: pupitre / panel", (420.0, 297.0))
    header: dict[str, str] = {"GND_6": "GND", "5V_2": "+5V"}
    _buttons(circuit, pins.buttons, header)
    _buzzer(circuit, pins.buzzer, header)
    _lights(circuit, pins.lights, header)
    circuit.add("J1", symbols.PI, "Raspberry Pi", (71.12, 96.52), header)
    for number, net in enumerate(("+5V", "GND"), start=1):
        circuit.add(f"#FLG{number}", symbols.FLAG, net, (71.12, 144.78 + 12.7 * number), {"1": net})
    circuit.texts += [
        (140.0, 40.0, "1. Boutons vers la masse / buttons to ground", 3.5),
        (285.0, 40.0, "2. Buzzer 5 V par transistor, muet au démarrage / 5 V buzzer, silent at start", 3.5),
        (
            140.0,
            158.0,
            "3. Une lumière RVB par siège, cathode commune / one RGB light per seat, common cathode",
            3.5,
        ),
    ]
    return circuit


def _buttons(circuit: Circuit, buttons: Mapping[str, int], header: dict[str, str]) -> None:
    for place, (name, gpio) in enumerate(buttons.items()):
        net = name.upper()
        header[f"GPIO{gpio}"] = net
        y = 50.8 + 17.78 * place
        circuit.add(
            f"R{place + 1}",
            symbols.RESISTOR,
            "330",
            (152.4, y),
            {"1": net, "2": f"{net}_SW"},
            "spares a GPIO",
        )
        circuit.add(f"SW{place + 1}", symbols.BUTTON, name, (198.12, y), {"1": f"{net}_SW", "2": "GND"})
        circuit.add(f"C{place + 1}", symbols.CAPACITOR, "100n", (243.84, y), {"1": f"{net}_SW", "2": "GND"})


def _lights(circuit: Circuit, lights: Mapping[str, tuple[int, int, int]], header: dict[str, str]) -> None:
    for place, (seat, colors) in enumerate(lights.items()):
        x, y = 160.02 + 104.14 * (place % 2), 170.18 + 40.64 * (place // 2)
        nets = {"K": "GND"}
        for step, (color, gpio) in enumerate(zip("RGB", colors, strict=True)):
            header[f"GPIO{gpio}"] = f"{seat}_{color}"
            nets[color] = f"{seat}_L{color}"
            ref = f"R{10 + 3 * place + step}"
            at = (x, y + 10.16 * step)
            circuit.add(
                ref, symbols.RESISTOR, LIGHT_OHM, at, {"1": f"{seat}_{color}", "2": f"{seat}_L{color}"}
            )
        circuit.add(
            f"D{place + 2}", symbols.RGB, f"RGB {seat}", (x + 38.1, y + 10.16), nets, "common cathode"
        )


def _buzzer(circuit: Circuit, gpio: int, header: dict[str, str]) -> None:
    header[f"GPIO{gpio}"] = "BUZZER"
    circuit.add("R4", symbols.RESISTOR, "1k", (299.72, 50.8), {"1": "BUZZER", "2": "BASE"})
    circuit.add(
        "R5", symbols.RESISTOR, "10k", (299.72, 63.5), {"1": "BASE", "2": "GND"}, "silent while the Pi starts"
    )
    circuit.add("Q1", symbols.NPN, "BC337", (340.36, 50.8), {"B": "BASE", "C": "SINK", "E": "GND"})
    circuit.add("BZ1", symbols.BUZZER, "active 5 V", (381.0, 45.72), {"+": "+5V", "-": "SINK"})
    circuit.add("D1", symbols.DIODE, "1N4148", (381.0, 60.96), {"K": "+5V", "A": "SINK"})
