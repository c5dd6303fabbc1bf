"""What is connected to which pin of the Raspberry Pi; every part is optional."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tock_companion.errors import BadInputError
from tock_companion.rules import Seat

BUTTONS = ("turn", "undo", "help")
FACTORIES = ("", "lgpio", "mock")
HIGHEST_PIN = 27
SETTINGS = (*BUTTONS, "buzzer", "lights", "factory", "hole_lights")


@dataclass(frozen=True, slots=True)
class PanelWiring:
    """Pins by their BCM number; buttons pull to ground, lights and buzzer are driven high."""

    buttons: Mapping[str, int] = field(default_factory=dict)
    lights: Mapping[Seat, tuple[int, int, int]] = field(default_factory=dict)
    """Red, green and blue of each seat."""
    buzzer: int | None = None
    factory: str = ""
    """gpiozero's pin factory: empty for its own choice, `lgpio`, or `mock` to try without a Raspberry Pi."""
    hole_lights: bool = True
    """Use the lights under the holes where a reed board has them."""


def panel_wiring(settings: Mapping[str, object]) -> PanelWiring:
    """Read the table `[panel]` of the configuration; raises BadInputError that names the key.

    `turn = 17`, `undo = 27`, `help = 22`, `buzzer = 18`, `lights = {P0 = [5, 6, 13]}`.
    """
    for key in settings:
        if key not in SETTINGS:
            raise BadInputError(f"[panel]: '{key}' is not known; use: {', '.join(SETTINGS)}")
    buttons = {name: _pin(name, settings[name]) for name in BUTTONS if name in settings}
    buzzer = _pin("buzzer", settings["buzzer"]) if "buzzer" in settings else None
    lights = settings.get("lights", {})
    if not isinstance(lights, Mapping):
        raise BadInputError("[panel]: 'lights' must be a table: lights = {P0 = [red, green, blue]}")
    seats = {Seat.parse(name): _three(f"lights.{name}", pins) for name, pins in lights.items()}
    factory = settings.get("factory", "")
    if factory not in FACTORIES:
        raise BadInputError('[panel]: \'factory\' must be "lgpio" or "mock"; leave it out on a Raspberry Pi')
    used = [*buttons.values(), *(pin for pins in seats.values() for pin in pins)]
    used += [buzzer] if buzzer is not None else []
    twice = sorted({pin for pin in used if used.count(pin) > 1})
    if twice:
        raise BadInputError(f"[panel]: pin {twice[0]} is used twice")
    return PanelWiring(buttons, seats, buzzer, str(factory), bool(settings.get("hole_lights", True)))


def _pin(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= HIGHEST_PIN:
        raise BadInputError(
            f"[panel]: '{key}' must be a BCM pin number from 0 to {HIGHEST_PIN}, not {value!r}"
        )
    return value


def _three(key: str, value: object) -> tuple[int, int, int]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        raise BadInputError(f"[panel]: '{key}' must be three pins: [red, green, blue]")
    red, green, blue = (_pin(key, pin) for pin in value)
    return red, green, blue
