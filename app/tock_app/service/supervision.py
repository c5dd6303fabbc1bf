"""Reports to systemd (`Type=notify`): ready, alive, stopping.

The protocol is one datagram to the socket named in the environment (sd_notify(3)); without one nothing is sent.
"""

import logging
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

from tock_app.service.stopping import StopRequest

LOG = logging.getLogger(__name__)
FEEDS_PER_LIMIT = 3
"""sd_watchdog_enabled(3) asks for at least two signs of life within the limit."""
IDLE_S = 3600.0


class Supervision:
    """The line to the supervisor of this process."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        """Find the socket and the watchdog's limit; both may be missing."""
        address = environ.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the abstract name space.
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        power_off_file = environ.get("TOCK_SWITCH_OFF")
        self._power_off_file = Path(power_off_file) if power_off_file else None
        limit_us = environ.get("WATCHDOG_USEC", "")
        meant = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.feed_every_s = int(limit_us) / 1e6 / FEEDS_PER_LIMIT if limit_us.isdigit() and meant else IDLE_S

    def ready(self, status: str) -> None:
        """Report readiness; `systemctl status` shows `status`."""
        self._tell(f"READY=1\nSTATUS={status}")

    def alive(self) -> None:
        """Report a sign of life, from the thread that must not hang."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Report the end."""
        self._tell("STOPPING=1")

    def switch_off(self) -> bool:
        """Ask for the machine to be switched off; return whether that is possible.

        The service lacks the right: its unit names a file, and another unit acts when that file appears.
        """
        if self._power_off_file is None:
            return False
        try:
            self._power_off_file.touch()
        except OSError as error:
            LOG.warning("the machine cannot be switched off: %s", error)
            return False
        return True

    def feed_until(self, stopped: StopRequest, run_on_table: Callable[[Callable[[], None]], None]) -> None:
        """Wait for the stop; every sign of life goes through the table's own thread."""
        while not stopped.wait(self.feed_every_s):
            run_on_table(self.alive)

    def _tell(self, message: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.sendto(message.encode(), self._address)
        except OSError:
            # An unreachable supervisor must not end the game; it acts on the silence.
            return
