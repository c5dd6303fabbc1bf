"""Finding and opening the reed board's serial port."""

import errno
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from serial import Serial, SerialException
from serial.tools import list_ports

from tock_companion.errors import TockError
from tock_companion.sources.reed.protocol import BAUD

AUTO = "auto"
LINKS = "tock-board*"
"""Names that a udev rule may give to the board's port in /dev."""
BOARD_CHIPS = {
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x5523): "CH341",
    (0x1A86, 0x55D4): "CH9102",
    (0x0403, 0x6001): "FT232",
    (0x10C4, 0xEA60): "CP2102",
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
}
"""USB chips of Arduino Nanos and Unos; other devices are not written to unless their port is named."""
READ_TIMEOUT_S = 0.02
WRITE_TIMEOUT_S = 0.5


class PortError(TockError, OSError):
    """A port cannot be opened or has gone; `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Line(Protocol):
    """An open port."""

    name: str

    def read(self) -> bytes:
        """Wait up to 20 ms and return the bytes that have come; raises PortError when the port has gone."""

    def write(self, data: bytes) -> None:
        """Send bytes; raises PortError when the port has gone."""

    def close(self) -> None:
        """Release the port; never raises."""


class SerialLine:
    """A serial port of this machine, held alone."""

    def __init__(self, name: str) -> None:
        """Open it; raises PortError with the reason."""
        self.name = name
        try:
            self._serial: Any = Serial(
                name, BAUD, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
            )
        except (SerialException, OSError, ValueError) as error:
            raise _cannot_open(name, error) from None

    def read(self) -> bytes:
        """Wait up to 20 ms and return the bytes that have come."""
        try:
            first = bytes(self._serial.read(1))
            return first + bytes(self._serial.read(self._serial.in_waiting)) if first else b""
        except (SerialException, OSError, TypeError) as error:
            # TypeError: pyserial reads from a descriptor that another thread has closed.
            raise PortError("reed/unplugged", f"{self.name}: {error}") from None

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except (SerialException, OSError) as error:
            raise PortError("reed/unplugged", f"{self.name}: {error}") from None

    def close(self) -> None:
        try:
            self._serial.close()
        except (SerialException, OSError):
            return


def _cannot_open(name: str, error: Exception) -> PortError:
    number = getattr(error, "errno", None)
    if number == errno.EACCES:
        return PortError(
            "reed/no_permission",
            f"{name} may not be opened; type 'sudo usermod -aG dialout $USER' and log in again",
        )
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return PortError("reed/unplugged", f"{name} does not exist; plug the board in or name another port")
    if number in (errno.EAGAIN, errno.EBUSY) or "lock" in str(error):
        return PortError("reed/busy", f"{name} is in use by another program; close it")
    return PortError("reed/unplugged", f"{name} does not open: {error}")


PortNames = Callable[[], Sequence[str]]


def port_names(setting: str) -> Sequence[str]:
    """The ports where the board may be: the named one, else those with a known USB chip."""
    if setting != AUTO:
        return [setting]
    links = [str(path) for path in sorted(Path("/dev").glob(LINKS))]
    fitting = [port.device for port in list_ports.comports() if (port.vid, port.pid) in BOARD_CHIPS]
    return links or sorted(fitting)
