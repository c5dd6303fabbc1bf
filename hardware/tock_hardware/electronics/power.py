"""Adds up the current that everything draws at the most, and checks it against its limits."""

from dataclasses import dataclass

from tock_hardware.electronics import symbols
from tock_hardware.electronics.circuit import Circuit
from tock_rules import BoardShape

LOGIC_V = 5.0
LED_V = 1.9
"""Forward voltage of a red LED, the lowest of the colours: the most current."""
CHIP_MA = {"74HC165": 0.16, "74HC14": 0.04, "TPIC6B595": 0.2}
"""Quiescent maxima of the data sheets at 5 V; at 500 kHz the shifting adds less than a milliampere a chip."""
SHIFTING_MA = 1.0
NANO_MA = 25.0
PIEZO_MA = 5.0
USB_MA = 500.0
"""Supply of a USB 2 port; with a weak supply a Raspberry Pi limits all its ports together to 600 mA."""


def ohms(value: str) -> float:
    """Parse a resistor's value: `33`, `10k`, `8 x 10k`."""
    word = value.rsplit(maxsplit=1)[-1]
    return float(word[:-1]) * 1000 if word.endswith("k") else float(word)


@dataclass(frozen=True, slots=True)
class Budget:
    """Currents in milliampere."""

    logic_ma: float
    lights_ma: float
    light_ma: float
    fuse_ma: float

    @property
    def is_safe(self) -> bool:
        """Whether USB bears the logic, and the fuse all lights at once."""
        return self.logic_ma <= USB_MA / 2 and self.lights_ma <= self.fuse_ma


def budget(circuit: Circuit, shape: BoardShape, fuse_ma: float) -> Budget:
    """Add up the most that a board draws: all pawns in holes, all lights on, the buzzer sounding."""
    chips = [
        symbol for symbol in (symbols.HC165, symbols.HC14, symbols.TPIC6B595) for _ in circuit.of(symbol)
    ]
    pull_up_ma = LOGIC_V / ohms(circuit.of(symbols.RESISTORS)[0].value) * 1000
    closed = shape.zones * (shape.pawns_per_seat + 1) + len(circuit.of(symbols.JUMPER))
    logic = sum(CHIP_MA[chip.name] + SHIFTING_MA for chip in chips) + closed * pull_up_ma + NANO_MA + PIEZO_MA
    lit = {circuit.net(part.ref, "A") for part in circuit.of(symbols.LED)}
    series = [ohms(part.value) for part in circuit.of(symbols.RESISTOR) if circuit.net(part.ref, "1") in lit]
    each = [(LOGIC_V - LED_V) / value * 1000 for value in series]
    return Budget(round(logic, 1), round(sum(each), 1), round(max(each), 1), fuse_ma)


def budget_page(budgets: dict[int, Budget]) -> str:
    """Write `power.md`."""
    lines = [
        "# Courant / current",
        "",
        "Le pire cas: tous les pions posés, toutes les lumières allumées, le buzzer en marche. "
        "Worst case: all pawns in holes, all lights on, the buzzer sounding.",
        "",
        "| zones | logique par USB / logic from USB | lumières / lights | une lumière / one light | fusible / fuse |",
        "|---|---|---|---|---|",
    ]
    for zones, row in budgets.items():
        lines.append(
            f"| {zones} | {row.logic_ma:.0f} mA | {row.lights_ma:.0f} mA | {row.light_ma:.1f} mA "
            f"| {row.fuse_ma:.0f} mA |"
        )
    lines += [
        "",
        "- Les lumières ont leur propre alimentation de 5 V; seules les masses sont reliées. Leur courant est limité "
        "par une résistance par DEL, et par un fusible réarmable: même un micrologiciel fou ne peut pas dépasser ces "
        "valeurs.",
        "- The lights have a 5 V supply of their own; only the grounds are joined. A resistor per LED and a resettable "
        "fuse limit their current: even a firmware gone mad cannot exceed these figures.",
        "- Ne reliez jamais un fil de 5 V à une broche GPIO du Raspberry Pi. Never join a 5 V wire to a GPIO pin of "
        "the Raspberry Pi.",
        "",
    ]
    return "\n".join(lines)
