"""Emulated cameras: the controls of a webcam and of a ribbon camera, and the picture that follows from them.

They replace the kernel and libcamera alone; everything above them is the product:
`V4l2Controls(webcam.ioctl)`, `LibcameraControls(ribbon)`. `webcam.light` is the light of the room, and
`webcam.picture(frame)` is the sensor's picture of a frame drawn in light 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from errno import EINVAL, EIO

import cv2
import numpy as np

from tock_vision.arrays import Frame
from tock_vision.stillness.libcamera import CONTINUOUS_FOCUS
from tock_vision.stillness.v4l2 import GET, MANUAL_EXPOSURE, QUERIED, QUERY, SET, VALUE, Control

GAMMA = 2.2
USUAL_EXPOSURE, USUAL_TEMPERATURE, USUAL_FOCUS = 200, 4600, 60
RANGES: Mapping[Control, tuple[int, int, int]] = {
    Control.AUTO_WHITE_BALANCE: (0, 1, 1),
    Control.GAIN: (0, 255, 32),
    Control.WHITE_BALANCE_TEMPERATURE: (2800, 6500, USUAL_TEMPERATURE),
    Control.EXPOSURE_AUTO: (0, 3, 3),
    Control.EXPOSURE_ABSOLUTE: (3, 2047, USUAL_EXPOSURE),
    Control.FOCUS_ABSOLUTE: (0, 250, USUAL_FOCUS),
    Control.FOCUS_AUTO: (0, 1, 1),
}
"""Least, most and usual value of the controls of a common webcam."""


@dataclass(slots=True)
class EmulatedWebcam:
    """Answers the calls of Video4Linux as a webcam does whose automatics follow the light of the room at once."""

    light: float = 1.0
    """How much light there is, in that of the first evening."""
    lacks: frozenset[Control] = frozenset()
    """Controls that this model does not have."""
    refuses: frozenset[Control] = frozenset()
    """Controls that it has, and that stay as they are."""
    forgets: bool = False
    """Once told to hold still it takes its usual exposure, not the one that its automatics had found."""
    is_unplugged: bool = False
    values: dict[Control, int] = field(
        default_factory=lambda: {one: usual for one, (_, _, usual) in RANGES.items()}
    )
    calls: list[tuple[Control, int]] = field(default_factory=list)
    """The controls that were set, in order."""

    def ioctl(self, request: int, buffer: bytearray) -> None:
        """Answer one call as the kernel does; raises OSError for what this camera has not."""
        if self.is_unplugged:
            raise OSError(EIO, "no such device")
        number = int.from_bytes(buffer[:4], "little")
        if number not in RANGES or number in self.lacks:
            raise OSError(EINVAL, "no such control")
        control = Control(number)
        self._adapt()
        if request == QUERY:
            least, most, usual = RANGES[control]
            buffer[:] = QUERIED.pack(number, 1, control.name.encode(), least, most, 1, usual, 0)
        elif request == GET:
            buffer[:] = VALUE.pack(number, self.values[control])
        elif request == SET:
            self._set(control, VALUE.unpack(buffer)[1])
        else:
            raise OSError(EINVAL, "no such call")

    def _set(self, control: Control, value: int) -> None:
        least, most, _ = RANGES[control]
        if not least <= value <= most or control in self.refuses:
            raise OSError(EINVAL, "out of range")
        self.calls.append((control, value))
        was_automatic = self.is_automatic
        self.values[control] = value
        if self.forgets and was_automatic and not self.is_automatic:
            self.values[Control.EXPOSURE_ABSOLUTE] = USUAL_EXPOSURE

    @property
    def is_automatic(self) -> bool:
        """Whether it sets its exposure by itself."""
        return self.values[Control.EXPOSURE_AUTO] != MANUAL_EXPOSURE

    def _adapt(self) -> None:
        if self.is_automatic:
            least, most, usual = RANGES[Control.EXPOSURE_ABSOLUTE]
            self.values[Control.EXPOSURE_ABSOLUTE] = min(
                most, max(least, round(usual / max(self.light, 1e-3)))
            )

    def picture(self, frame: Frame) -> Frame:
        """A frame as this camera gives it: brighter or darker, and soft where its focus is off."""
        self._adapt()
        exposure = self.light * self.values[Control.EXPOSURE_ABSOLUTE] / USUAL_EXPOSURE
        levels = 255.0 * np.clip(np.arange(256) / 255.0 * exposure ** (1 / GAMMA), 0.0, 1.0)
        seen: Frame = cv2.LUT(frame, levels.round().astype(np.uint8))
        off = abs(self.values[Control.FOCUS_ABSOLUTE] - USUAL_FOCUS)
        is_soft = off > 5 and not self.values[Control.FOCUS_AUTO]
        return cv2.GaussianBlur(seen, (0, 0), off / 8) if is_soft else seen


@dataclass(slots=True)
class EmulatedRibbon:
    """Answers as `Picamera2` does, as far as controls go."""

    light: float = 1.0
    has_motor: bool = True
    """Whether its lens can focus."""
    values: dict[str, object] = field(
        default_factory=lambda: {
            "AeEnable": True, "AwbEnable": True, "AfMode": CONTINUOUS_FOCUS,
            "ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.6), "LensPosition": 1.1,
        }
    )  # fmt: skip
    is_stopped: bool = False

    @property
    def camera_controls(self) -> Mapping[str, tuple[float, float, float]]:
        """The controls that this camera has."""
        ranges = {"AeEnable": (0, 1, 1), "AwbEnable": (0, 1, 1), "ExposureTime": (100.0, 200_000.0, 20_000.0)}
        return {**ranges, **({"AfMode": (0, 2, 0)} if self.has_motor else {})}

    def set_controls(self, controls: Mapping[str, object]) -> None:
        """Take controls over; raises RuntimeError for those that it has not, as the library does."""
        if self.is_stopped or (not self.has_motor and {"AfMode", "LensPosition"} & controls.keys()):
            raise RuntimeError("Control LensPosition is not advertised by libcamera")
        self.values |= controls

    def capture_metadata(self) -> Mapping[str, object]:
        """The values of the newest frame."""
        if self.is_stopped:
            raise RuntimeError("camera stopped")
        if self.values["AeEnable"]:
            self.values["ExposureTime"] = round(20_000 / self.light)
        hidden = set() if self.has_motor else {"LensPosition", "AfMode"}
        return {name: value for name, value in self.values.items() if name not in hidden}
