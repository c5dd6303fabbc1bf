"""The shared life of all sources: a thread of their own, each condition reported once, and patience after failures."""

import logging
from collections.abc import Callable

from tock_companion.background import Background
from tock_companion.observation import SourceCondition, SourceMessage, SourceReport
from tock_companion.sources.base import ClockMs, Deliver

LOG = logging.getLogger(__name__)
DOES = "one for each source: grabs and reads frames, or serves the port, and puts observations on the queue"


class SourceThread:
    """Calls a source's `step` again and again, and carries its messages to the table.

    A source owns one and hands `start` and `stop` on to it:

        self._thread = SourceThread("reed", self._step, failed=self._failed, close=self._close)

    `step(clock_ms)` does the next piece of work and returns how long after it began the next one is due, in ms; it may
    block for a fraction of a second, never for longer. `failed(t_ms, error)` is asked what to do about an exception
    that `step` let through: it reports the fault and returns the wait in ms. `close()` gives the device back and is
    called from the thread when it ends. Messages of a source go through `deliver` and `report`; both drop it
    once the source was stopped. Tests and replays that call the source's steps themselves use `connect` in place of
    `start`.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[ClockMs], float],
        *,
        failed: Callable[[int, Exception], float],
        close: Callable[[], None],
    ) -> None:
        self._name = name
        self._step, self._failed, self._close = step, failed, close
        self._deliver: Deliver = _drop
        self._loop: Background | None = None
        self.reported: str | None = None
        """Code of the last report, empty for one that all is well; None before the first."""

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        self.connect(deliver)

        def step() -> float:
            began_ms = clock_ms()
            return (self._step(clock_ms) - (clock_ms() - began_ms)) / 1000

        def failed(error: Exception) -> float:
            return self._failed(clock_ms(), error) / 1000

        self._loop = Background(f"tock-{self._name}", DOES, step, failed=failed, close=self._close)
        self._loop.start()

    def connect(self, deliver: Deliver) -> None:
        """Set the receivers of messages, without a thread."""
        self._deliver = deliver

    def stop(self) -> None:
        """End all reporting at once and the thread within a second; may be called from the thread itself."""
        self._deliver = _drop
        if self._loop is not None:
            self._loop.stop()

    def deliver(self, message: SourceMessage) -> None:
        self._deliver(message)

    def report(self, t_ms: int, condition: SourceCondition, code: str = "", detail: str = "") -> None:
        """Report a condition, unless the last report had the same code."""
        if self.reported == code:
            return
        self.reported = code
        LOG.info("%s: %s %s", self._name, code or condition.value, detail)
        self._deliver(SourceReport(t_ms, self._name, condition, code, detail))


def _drop(message: SourceMessage) -> None:
    LOG.debug("dropped %s", message)
