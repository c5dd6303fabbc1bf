"""Ends a run: for good, for another table, or for a restart."""

import logging
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from tock_app.config.load import Config
from tock_app.service.stopping import StopRequest
from tock_app.service.supervision import Supervision

RESTART_CODE = 75
"""Exit code at which the service unit starts the companion again (RestartForceExitStatus)."""


@dataclass(frozen=True, slots=True)
class Reopening:
    """The next table, and the action that keeps that choice once it is built."""

    config: Config
    once_built: Callable[[], None]


class Shutdown:
    """The end of this run, as decided by a signal or on the host's page."""

    def __init__(self, supervision: Supervision) -> None:
        self.requested = StopRequest()
        self.exit_code = 0
        self._supervision = supervision
        self._next: Reopening | None = None
        self._is_last = False

    def stop(self) -> None:
        """End for good."""
        self._is_last = True
        self.requested.ask()

    def reopen(self, config: Config, once_built: Callable[[], None] = lambda: None) -> None:
        """End the table, and go on with one of another configuration; `once_built` keeps it."""
        self._next = Reopening(config, once_built)
        self.requested.ask()

    def next(self) -> "Reopening | None":
        """The state to go on with; None when this is the end."""
        following, self._next = self._next, None
        # A signal from now on counts for the next table; an earlier one still ends this run.
        self.requested = StopRequest()
        return None if self._is_last else following

    def power_off(self) -> bool:
        """End, and switch the machine off; False where this machine cannot be switched off."""
        off = self._supervision.switch_off()
        self.stop()
        return off

    def restart(self) -> None:
        """End with the code at which the supervisor starts the companion again."""
        self.exit_code = RESTART_CODE
        self.stop()


def leave(exit_code: int) -> None:
    """End the process at once when a thread is still inside a native library, which Python cannot end.

    A frame being read may take longer than the two seconds that a stop may last; the log is on the disk by now.
    """
    logging.shutdown()
    sys.stdout.flush()
    if threading.active_count() > 1:
        os._exit(exit_code)
