"""The part on each pin of the Raspberry Pi; every part is optional."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, PlainValidator, model_validator

from tock_companion.errors import BadInputError, quoted
from tock_companion.schema import Schema, check
from tock_rules import Seat

MAX_PIN = 27


def _pin(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_PIN:
        raise ValueError(f"must be a BCM pin number from 0 to {MAX_PIN}, not {quoted(value)}")
    return value


def _three_pins(value: object) -> tuple[int, int, int]:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise ValueError(f"must be three pins, [red, green, blue], not {quoted(value)}")
    red, green, blue = (_pin(pin) for pin in value)
    return red, green, blue


_Pin: TypeAlias = Annotated[int, PlainValidator(_pin)]
_Light: TypeAlias = Annotated[tuple[int, int, int], PlainValidator(_three_pins)]
_Seat: TypeAlias = Annotated[Seat, PlainValidator(Seat.parse)]


class PanelSettings(Schema):
    """The table `[panel]`: `turn = 17`, `undo = 27`, `help = 22`, `buzzer = 18`, `lights = {P0 = [5, 6, 13]}`.

    Pins go by their BCM number; buttons pull to ground, lights and buzzer are driven high.
    """

    turn: _Pin | None = None
    undo: _Pin | None = None
    help: _Pin | None = None
    buzzer: _Pin | None = None
    lights: dict[_Seat, _Light] = Field(default_factory=dict)
    """Red, green and blue of each seat."""
    factory: Literal["", "lgpio", "mock"] = ""
    """gpiozero's pin factory: `lgpio`, also when empty, or `mock` to try without a Raspberry Pi."""
    hole_lights: bool = True
    """Use the lights under the holes where a reed board has them."""

    @property
    def buttons(self) -> Mapping[str, int]:
        """The pins of the installed buttons, by function."""
        pins = {"turn": self.turn, "undo": self.undo, "help": self.help}
        return {name: pin for name, pin in pins.items() if pin is not None}

    @model_validator(mode="after")
    def _no_pin_twice(self) -> "PanelSettings":
        used = Counter([*self.buttons.values(), *(pin for pins in self.lights.values() for pin in pins)])
        used.update([] if self.buzzer is None else [self.buzzer])
        twice = sorted(pin for pin, count in used.items() if count > 1)
        if twice:
            raise BadInputError(f"pin {twice[0]} is used twice")
        return self


def panel_wiring(settings: Mapping[str, object]) -> PanelSettings:
    """Read the table `[panel]` of the configuration; raises BadInputError that names the key."""
    return check(PanelSettings, settings, "[panel]")
