"""The controls of a USB camera, by Video4Linux's own calls on its device.

OpenCV sets the same controls, but neither says which of them a camera has nor in what range, and the meaning of its
values for automatic exposure has changed from release to release. The kernel's two structs are a stable interface.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from struct import Struct

from tock_vision.stillness.controls import Automatic, Hold, Holds

if sys.platform == "linux":
    import fcntl

QUERY, GET, SET = 0xC0445624, 0xC008561B, 0xC008561C
"""VIDIOC_QUERYCTRL, VIDIOC_G_CTRL and VIDIOC_S_CTRL."""
QUERIED = Struct("=II32siiiiI8x")
"""`struct v4l2_queryctrl`: id, type, name, minimum, maximum, step, default, flags."""
VALUE = Struct("=Ii")
"""`struct v4l2_control`: id and value."""
DISABLED, READ_ONLY = 0x1, 0x4

Ioctl = Callable[[int, bytearray], None]
"""One call on the open device: it fills the buffer, or raises OSError."""


class Control(IntEnum):
    """Numbers of the controls in `linux/v4l2-controls.h`."""

    AUTO_WHITE_BALANCE = 0x0098090C
    AUTOGAIN = 0x00980912
    GAIN = 0x00980913
    WHITE_BALANCE_TEMPERATURE = 0x0098091A
    EXPOSURE_AUTO = 0x009A0901
    EXPOSURE_ABSOLUTE = 0x009A0902
    FOCUS_ABSOLUTE = 0x009A090A
    FOCUS_AUTO = 0x009A090C


MANUAL_EXPOSURE = 1
AUTOMATIC_EXPOSURES = (3, 0, 2)
"""Aperture priority, which most webcams have; fully automatic; shutter priority."""
SWITCHES = {
    Automatic.EXPOSURE: (Control.EXPOSURE_AUTO, Control.AUTOGAIN),
    Automatic.COLORS: (Control.AUTO_WHITE_BALANCE,),
    Automatic.FOCUS: (Control.FOCUS_AUTO,),
}
VALUES = {
    Automatic.EXPOSURE: (Control.EXPOSURE_ABSOLUTE, Control.GAIN),
    Automatic.COLORS: (Control.WHITE_BALANCE_TEMPERATURE,),
    Automatic.FOCUS: (Control.FOCUS_ABSOLUTE,),
}


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a control takes."""

    least: int
    most: int


class V4l2Controls:
    """The controls of one device, through a separate handle: V4L2 lets any number of programs set them."""

    def __init__(self, ioctl: Ioctl, close: Callable[[], None] = lambda: None) -> None:
        self._ioctl = ioctl
        self.close = close
        self._offered = {control: offered for control in Control if (offered := self._query(control))}
        self._held: dict[Control, int] = {}

    @classmethod
    def of(cls, device: Path) -> "V4l2Controls | None":
        """The controls of a device of this machine; None for one that does not open, and on systems without V4L2."""
        if sys.platform != "linux":
            return None
        try:
            handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        except OSError:
            return None

        def ioctl(request: int, buffer: bytearray) -> None:
            fcntl.ioctl(handle, request, buffer, True)

        return cls(ioctl, lambda: os.close(handle))

    def follow(self) -> None:
        """Switch the automatics on."""
        self._held = {}
        if Control.EXPOSURE_AUTO in self._offered:
            any(self._set(Control.EXPOSURE_AUTO, mode) for mode in AUTOMATIC_EXPOSURES)
        for switch in (Control.AUTOGAIN, Control.AUTO_WHITE_BALANCE, Control.FOCUS_AUTO):
            self._set(switch, 1)

    def hold(self) -> Holds:
        """Switch the automatics off, and set the values that they had found; many cameras forget them otherwise."""
        return {automatic: self._hold(automatic) for automatic in Automatic}

    def _hold(self, automatic: Automatic) -> Hold:
        switches = [switch for switch in SWITCHES[automatic] if switch in self._offered]
        if not switches:
            return Hold.FIXED if automatic is Automatic.FOCUS else Hold.FREE
        found = {value: self._get(value) for value in VALUES[automatic] if value in self._offered}
        wanted = {switch: MANUAL_EXPOSURE if switch is Control.EXPOSURE_AUTO else 0 for switch in switches}
        wanted |= {control: value for control, value in found.items() if value is not None}
        for control, value in wanted.items():
            self._set(control, value)
        if any(self._get(switch) != wanted[switch] for switch in switches):
            return Hold.FREE
        self._held |= wanted
        return Hold.HELD

    def is_held(self) -> bool:
        """Read the values back; a device that has gone has changed nothing."""
        return all(self._get(control) in (value, None) for control, value in self._held.items())

    def hold_again(self) -> None:
        """Write all of them once more, switches first."""
        for control, value in self._held.items():
            self._set(control, value)

    def expose(self, factor: float) -> bool:
        """Expose for longer or shorter, as far as the camera's range goes."""
        before, offered = (
            self._held.get(Control.EXPOSURE_ABSOLUTE),
            self._offered.get(Control.EXPOSURE_ABSOLUTE),
        )
        if before is None or offered is None:
            return False
        value = min(offered.most, max(offered.least, round(before * factor)))
        if value == before or not self._set(Control.EXPOSURE_ABSOLUTE, value):
            return False
        self._held[Control.EXPOSURE_ABSOLUTE] = value
        return True

    def _query(self, control: Control) -> Range | None:
        buffer = bytearray(QUERIED.pack(control, 0, b"", 0, 0, 0, 0, 0))
        try:
            self._ioctl(QUERY, buffer)
        except OSError:
            return None
        _, _, _, least, most, _, _, flags = QUERIED.unpack(buffer)
        return None if flags & (DISABLED | READ_ONLY) else Range(least, most)

    def _get(self, control: Control) -> int | None:
        buffer = bytearray(VALUE.pack(control, 0))
        with suppress(OSError):
            self._ioctl(GET, buffer)
            return int(VALUE.unpack(buffer)[1])
        return None

    def _set(self, control: Control, value: int) -> bool:
        if control not in self._offered:
            return False
        with suppress(OSError):
            self._ioctl(SET, bytearray(VALUE.pack(control, value)))
            return True
        return False
