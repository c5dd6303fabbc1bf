"""The pipe that wakes the server's loop."""

import os
from contextlib import suppress
from threading import Lock
from typing import Any

from waitress.trigger import trigger  # type: ignore[import-untyped]


class Wakeup(trigger):  # type: ignore[misc]
    """A pipe that is never written to once it is closed.

    Waitress knows its pipe by numbers. A worker that outlives the server, or a caller whose function has just closed
    the pipe, would write into whatever has got the number since: another socket, or the database.
    """

    def __init__(self, channels: dict[int, Any]) -> None:
        """Open the pipe and add it to the channels of a loop."""
        self._writing = Lock()
        super().__init__(channels)
        # A full pipe wakes the loop as well as one more byte would.
        os.set_blocking(self.trigger, False)

    def close(self) -> None:
        """Close the pipe, after the byte that is just being written."""
        with self._writing:
            super().close()

    def _physical_pull(self) -> None:
        with self._writing, suppress(BlockingIOError):
            if not self._closed:
                super()._physical_pull()
