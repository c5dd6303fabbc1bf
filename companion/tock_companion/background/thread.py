"""One background thread: steps, one after another, until it is stopped."""

import logging
import threading
import time
from collections.abc import Callable

from tock_companion.background import turns
from tock_companion.background.faults import Backoff, Faults, Trouble
from tock_companion.background.turns import Turn, patience_s

LOG = logging.getLogger(__name__)
STOP_S = 0.9
"""Time that `stop` waits: a step may be inside a library call that cannot be interrupted."""
FIRST_PAUSE_MS, MAX_PAUSE_MS = 100, 10_000


def _nothing() -> None:
    """Do nothing."""


class Background:
    """A background thread that does one step after another.

    Its owner hands `start` and `stop` on to it:

        self._loop = Background("upkeep", "makes the daily copy of the games", self._step)

    `does` is the thread's line in docs/threads.md. `step` returns how many seconds the next one may wait for, None
    when nothing is left to do. `wake` is called by `stop` and ends a wait inside a step; `close` is called by the
    thread itself when it ends. An owner that tells its faults itself gives `failed`, which returns the seconds to wait
    after one; `troubles` leaves them out.
    """

    def __init__(
        self,
        name: str,
        does: str,
        step: Callable[[], float | None],
        *,
        wake: Callable[[], None] = _nothing,
        close: Callable[[], None] = _nothing,
        failed: Callable[[Exception], float] | None = None,
        backoff: Backoff | None = None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.does = name, does
        self._step, self._wake, self._close, self._failed = step, wake, close, failed
        self._backoff = backoff or Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS)
        self._faults = Faults(name, clock_s)
        self._stopping = threading.Event()
        self._thread: threading.Thread | Turn | None = None

    def start(self) -> None:
        """Begin; returns at once. It may be started again once it was stopped."""
        # A thread that outlasted its stop keeps its own sign to end.
        self._stopping = threading.Event()
        self._thread = _Thread(self, self._stopping) if turns.HAS_THREADS else Turn(self, self._stopping)
        self._thread.start()

    def end(self) -> None:
        """Ask the thread to end, without waiting for it."""
        self._stopping.set()
        self._wake()

    def stop(self, wait_s: float = STOP_S) -> None:
        """Ask the thread to end, and wait for it; harmless before `start`, twice, and on the thread itself."""
        self.end()
        self.join(wait_s)

    def join(self, wait_s: float) -> None:
        """Wait until the thread has ended, or for the timeout."""
        if self._thread is not None and not self.is_current:
            self._thread.join(wait_s)

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    @property
    def is_alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_current(self) -> bool:
        if isinstance(self._thread, Turn):
            return self._thread.is_taken
        return threading.current_thread() is self._thread

    def take_turn(self) -> None:
        """Do the next step at once, where there are no threads."""
        if isinstance(self._thread, Turn):
            self._thread.step()

    def pause(self, for_s: float) -> bool:
        """Wait inside a step; True when the thread should end."""
        return self._stopping.wait(patience_s(for_s))

    @property
    def trouble(self) -> Trouble | None:
        reason = self._faults.reason() if self._failed is None else ""
        return Trouble(self.name, reason) if reason else None

    def run(self, stopping: threading.Event) -> None:
        """Do one step after another until the end; on the thread itself."""
        try:
            while not stopping.is_set():
                pause_s = self.next(stopping)
                if pause_s is None:
                    return
                if pause_s > 0:
                    stopping.wait(pause_s)
        finally:
            self.ended()

    def ended(self) -> None:
        """Tidy up after the last step."""
        self._close()

    def next(self, stopping: threading.Event) -> float | None:
        """Do one step; return the seconds until the next, None at the end."""
        try:
            pause_s = self._step()
        except Exception as error:
            if stopping.is_set():
                # A stop ends the resource that the step waits for: that is not a fault.
                LOG.debug("%s: ended by %r", self.name, error)
                return None
            pause_s = self._backoff.next_ms() / 1000 if self._failed is None else self._failed(error)
            self._faults.failed(error, pause_s)
            return pause_s
        self._backoff.reset()
        self._faults.worked()
        return pause_s


class _Thread(threading.Thread):
    def __init__(self, background: Background, stopping: threading.Event) -> None:
        super().__init__(target=background.run, args=(stopping,), name=background.name, daemon=True)
        self.background = background


def run_once(name: str, does: str, work: Callable[[], None]) -> None:
    """Run something once in the background; a fault is logged."""

    def step() -> None:
        try:
            work()
        except Exception:
            LOG.exception("%s: failed", name)

    Background(name, does, step).start()


def running() -> list[Background]:
    threads = [thread for thread in threading.enumerate() if isinstance(thread, _Thread)]
    return sorted((thread.background for thread in threads), key=lambda background: background.name)


def troubles() -> list[Trouble]:
    return [trouble for background in running() if (trouble := background.trouble) is not None]
