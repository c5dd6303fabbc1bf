"""The controls of a ribbon camera, by libcamera's names for them."""

from collections.abc import Mapping
from typing import Any, Protocol

from tock_vision.stillness.controls import Automatic, Hold, Holds

MANUAL_FOCUS, CONTINUOUS_FOCUS = 0, 2
SWITCHES = {
    Automatic.EXPOSURE: ("AeEnable", False, True),
    Automatic.COLORS: ("AwbEnable", False, True),
    Automatic.FOCUS: ("AfMode", MANUAL_FOCUS, CONTINUOUS_FOCUS),
}
"""The switch of each automatic, with its values for off and on."""
VALUES = {
    Automatic.EXPOSURE: ("ExposureTime", "AnalogueGain"),
    Automatic.COLORS: ("ColourGains",),
    Automatic.FOCUS: ("LensPosition",),
}
TOLERANCE = 0.1
"""Share by which a sensor rounds the values it gets."""


class LibcameraDevice(Protocol):
    """As much of `Picamera2` as is used here."""

    @property
    def camera_controls(self) -> Mapping[str, Any]:
        """Least, most and usual value of each control that this camera has."""

    def set_controls(self, controls: Mapping[str, object]) -> None:
        """Set controls, a frame or two later."""

    def capture_metadata(self) -> Mapping[str, Any]:
        """The values with which the next frame is taken; waits for it."""


class LibcameraControls:
    """The controls of one camera that is started."""

    def __init__(self, camera: LibcameraDevice) -> None:
        self._camera = camera
        self._held: dict[str, Any] = {}

    def follow(self) -> None:
        """Switch the automatics on."""
        self._held = {}
        self._set({name: on for name, _, on in SWITCHES.values() if name in self._camera.camera_controls})

    def hold(self) -> Holds:
        """Switch the automatics off at the values of the newest frame."""
        try:
            found = self._camera.capture_metadata()
        except RuntimeError:
            return dict.fromkeys(Automatic, Hold.FREE)
        holds: dict[Automatic, Hold] = {}
        wanted: dict[str, Any] = {}
        for automatic, (switch, off, _) in SWITCHES.items():
            values = {name: found[name] for name in VALUES[automatic] if name in found}
            if switch not in self._camera.camera_controls:
                holds[automatic] = Hold.FIXED if automatic is Automatic.FOCUS else Hold.FREE
            elif not values:
                holds[automatic] = Hold.FREE
            else:
                holds[automatic] = Hold.HELD
                wanted |= {switch: off, **values}
        if not self._set(wanted):
            return dict.fromkeys(Automatic, Hold.FREE)
        self._held = wanted
        return holds

    def is_held(self) -> bool:
        """Compare the values of the newest frame; a camera that has gone has changed nothing."""
        try:
            found = self._camera.capture_metadata()
        except RuntimeError:
            return True
        names = [
            name for values in VALUES.values() for name in values if name in self._held and name in found
        ]
        return all(_is_near(found[name], self._held[name]) for name in names)

    def hold_again(self) -> None:
        """Set all of them once more."""
        self._set(self._held)

    def expose(self, factor: float) -> bool:
        """Expose for longer or shorter, as far as the camera's range goes."""
        before, offered = self._held.get("ExposureTime"), self._camera.camera_controls.get("ExposureTime")
        if before is None or offered is None:
            return False
        value = int(min(offered[1], max(offered[0], round(before * factor))))
        if value == before or not self._set({**self._held, "ExposureTime": value}):
            return False
        self._held["ExposureTime"] = value
        return True

    def _set(self, controls: Mapping[str, object]) -> bool:
        try:
            self._camera.set_controls(controls)
        except RuntimeError:
            return False
        return True


def _is_near(found: Any, held: Any) -> bool:
    pairs = zip(found, held, strict=True) if isinstance(held, tuple) else ((found, held),)
    return all(abs(one - other) <= TOLERANCE * max(abs(other), 1e-3) for one, other in pairs)
