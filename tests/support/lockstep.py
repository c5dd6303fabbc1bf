"""The companion's end of a serial line to an emulated reed board, in lockstep with it."""

import time

from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.link import InputEdge, ReedLink
from tock_companion.sources.reed.ports import SerialLine

READ_PATIENCE_S = 5.0


class Lockstep:
    """A link to an emulated board whose time passes only in `run`."""

    def __init__(self, zones: int) -> None:
        self.board = Emulator(zones, lockstep=True)
        self.line = SerialLine(self.board.port)
        self.link = ReedLink(zones)
        self.ms = 0.0
        self.cpu_ms = 0.0
        self._sent = self._read = 0

    def run(self, ms: float) -> list[InputEdge]:
        """Let time pass, then read everything that the board has sent."""
        request = self.link.send(round(self.ms))
        if request:
            self.line.write(request)
        self._sent = self.board.run_ms(ms)
        self.ms += ms
        changes: list[InputEdge] = []
        end_s = time.monotonic() + READ_PATIENCE_S
        while self._read < self._sent and time.monotonic() < end_s:
            data = self.line.read()
            self._read += len(data)
            began_s = time.process_time()
            changes += self.link.feed(data, round(self.ms))
            self.cpu_ms = 1000 * (time.process_time() - began_s)
        return changes

    def until_known(self) -> None:
        """Run until the switches are known."""
        while self.link.trusted is None and self.ms < 5000:
            self.run(5)

    def close(self) -> None:
        """Close the link and end the board."""
        self.line.close()
        self.board.close()
