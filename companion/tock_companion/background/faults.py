"""Faults of background threads: when to try again, what to log, and for how long a fault counts."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from tock_companion.errors import TockError

LOG = logging.getLogger(__name__)
STEADY_S = 10.0
"""A thread that has worked for this long without a fault is well again."""
ONE_LINE = (TockError, OSError)
"""Errors that a person can mend; all others are logged with a traceback."""


class Backoff:
    """Waits that double from the first to the longest while failures follow each other."""

    def __init__(self, first_ms: int, longest_ms: int) -> None:
        self._first_ms, self._longest_ms = first_ms, longest_ms
        self._next_ms = first_ms

    def next_ms(self) -> int:
        wait_ms = self._next_ms
        self._next_ms = min(2 * wait_ms, self._longest_ms)
        return wait_ms

    def reset(self) -> None:
        self._next_ms = self._first_ms


@dataclass(frozen=True, slots=True)
class Trouble:
    """A present fault of a background thread."""

    thread: str
    reason: str


class Faults:
    """The faults of one thread: one after another is the same fault, until it has worked for a while."""

    def __init__(self, name: str, clock_s: Callable[[], float]) -> None:
        self._name, self._clock_s = name, clock_s
        self._logged: type[Exception] | None = None
        self._reason, self._steady_at_s = "", 0.0

    def failed(self, error: Exception, pause_s: float) -> None:
        """Note a fault, and the pause before the next try."""
        self._steady_at_s = self._clock_s() + pause_s + STEADY_S
        kind = type(error)
        self._reason = str(error) if isinstance(error, ONE_LINE) else f"{kind.__name__}: {error}"
        self._reason = self._reason or kind.__name__
        if kind is not self._logged:
            self._logged = kind
            trace = None if isinstance(error, ONE_LINE) else error
            LOG.error("%s: %s; it is tried again", self._name, self._reason, exc_info=trace)

    def worked(self) -> None:
        if self._logged is not None and self._clock_s() >= self._steady_at_s:
            self._logged = None
            LOG.info("%s: works again", self._name)

    def reason(self) -> str:
        """The present fault; empty when there is none, also while the step after a fault is still running."""
        return self._reason if self._clock_s() < self._steady_at_s else ""
