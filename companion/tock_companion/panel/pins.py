"""Buttons, lights and buzzer on the Raspberry Pi's pins, through gpiozero."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from tock_companion.errors import BadInputError
from tock_companion.panel.signals import Light, Sound
from tock_companion.panel.wiring import PanelSettings
from tock_rules import Seat

BOUNCE_S = 0.02
LONG_PRESS_S = 0.8
VERY_LONG_PRESS_S = 10.0
BLINK_S = 0.3
COLORS = {
    Light.OFF: (0, 0, 0),
    Light.TURN: (0, 1, 0),
    Light.WRONG: (1, 0, 0),
    Light.MEND: (1, 1, 0),
    Light.ASKED: (0, 0, 1),
    Light.WON: (0, 1, 0),
    Light.FORGOTTEN: (1, 1, 1),
}
BLINKING = frozenset({Light.WRONG, Light.ASKED, Light.WON, Light.FORGOTTEN})
PATTERNS = {
    Sound.ACCEPTED: (0.06, 0.06, 1),
    Sound.MENDED: (0.06, 0.08, 2),
    Sound.WRONG: (0.25, 0.12, 3),
    Sound.OVER: (0.12, 0.08, 6),
    Sound.FORGOTTEN: (1.0, 0.3, 2),
}
"""Seconds on, seconds off, times."""


class Press(Enum):
    SHORT = "short"
    LONG = "long"
    VERY_LONG = "very long"
    """It was a long one before."""


Pressed = Callable[[str, Press], None]
"""Called with the button's name, from one of gpiozero's threads."""


class Pins:
    """The devices of one panel; holds their pins until closed."""

    def __init__(self, wiring: PanelSettings, pressed: Pressed) -> None:
        """Take the pins; raises BadInputError where there are none or one is in use."""
        self._devices: list[Any] = []
        self.buttons: Mapping[str, Any] = {}
        self.lights: Mapping[Seat, Any] = {}
        self.buzzer: Any = None
        if _needs_pins(wiring):
            self._take(wiring, pressed)

    def _take(self, wiring: PanelSettings, pressed: Pressed) -> None:
        gpiozero = _gpiozero()
        try:
            factory = _factory(wiring.factory)
            self.buttons = {
                name: self._keep(
                    gpiozero.Button(
                        pin,
                        bounce_time=BOUNCE_S,
                        hold_time=LONG_PRESS_S,
                        hold_repeat=True,
                        pin_factory=factory,
                    )
                )
                for name, pin in wiring.buttons.items()
            }
            self.lights = {
                seat: self._keep(gpiozero.RGBLED(*pins, pwm=False, pin_factory=factory))
                for seat, pins in wiring.lights.items()
            }
            if wiring.buzzer is not None:
                self.buzzer = self._keep(gpiozero.Buzzer(wiring.buzzer, pin_factory=factory))
        except Exception as error:
            self.close()
            raise _refusal(error) from None
        for name, button in self.buttons.items():
            _listen(button, name, pressed)

    def show(self, seat: Seat, light: Light) -> None:
        lamp = self.lights.get(seat)
        if lamp is None:
            return
        if light in BLINKING:
            lamp.blink(BLINK_S, BLINK_S, on_color=COLORS[light])
        else:
            lamp.color = COLORS[light]

    def sound(self, sound: Sound) -> None:
        """Sound a pattern, if there is a buzzer; a pattern that still runs ends."""
        if self.buzzer is not None:
            on_s, off_s, times = PATTERNS[sound]
            self.buzzer.beep(on_s, off_s, times)

    def close(self) -> None:
        for device in self._devices:
            device.close()
        self._devices.clear()

    def _keep(self, device: Any) -> Any:
        self._devices.append(device)
        return device


def require_pins(wiring: PanelSettings) -> None:
    """Raise BadInputError where this machine has no pins for a panel; takes none, a running one may have them."""
    if _needs_pins(wiring):
        _gpiozero()
        try:
            _factory(wiring.factory).close()
        except Exception as error:
            raise _refusal(error) from None


def _needs_pins(wiring: PanelSettings) -> bool:
    return bool(wiring.buttons or wiring.lights or wiring.buzzer is not None)


def _refusal(error: Exception) -> BadInputError:
    """Word what gpiozero or lgpio raised; lgpio's own class is known only where it is installed."""
    if isinstance(error, BadInputError):
        return error
    why = " ".join(str(error).split()) or type(error).__name__
    return BadInputError(f"[panel]: the pins cannot be used: {why}")


def _gpiozero() -> Any:
    try:
        import gpiozero  # noqa: PLC0415  # only a Raspberry Pi with a panel has it
    except ImportError:
        raise BadInputError(
            "[panel] needs gpiozero; run ./install.sh again, or type 'pip install tock-companion[pi]'"
        ) from None
    return gpiozero


def _factory(name: str) -> Any:
    """The pin factory that the configuration names.

    lgpio unless told otherwise: no other knows a Pi 5, and gpiozero's own choice would hide why it failed.
    """
    if name == "mock":
        from gpiozero.pins.mock import MockFactory  # noqa: PLC0415

        return MockFactory()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415
    except ImportError:
        raise BadInputError(
            "[panel] needs lgpio; type 'sudo apt install python3-lgpio' and run ./install.sh again"
        ) from None
    return LGPIOFactory()


def _listen(button: Any, name: str, pressed: Pressed) -> None:
    """Report a short press when the button is released, longer ones as soon as they have lasted long enough."""
    reported: Press | None = None

    def on_held() -> None:
        nonlocal reported
        if reported is None:
            reported = Press.LONG
            pressed(name, reported)
        elif reported is Press.LONG and (button.active_time or 0.0) >= VERY_LONG_PRESS_S:
            reported = Press.VERY_LONG
            pressed(name, reported)

    def on_released() -> None:
        nonlocal reported
        if reported is None:
            pressed(name, Press.SHORT)
        reported = None

    button.when_held = on_held
    button.when_released = on_released
