"""The one thread that writes: whatever others want done comes into one queue and is done in that order."""

import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from tock_companion.background import Background, turns
from tock_companion.observation import SourceMessage

LOG = logging.getLogger(__name__)
ANSWER_TIMEOUT_S = 10.0
AFTER_FAULT_S = 1.0
"""Time that the thread waits for news when it cannot even find out how long to wait."""
STOP_S = 2.0
DOES = "the only one that decides: takes messages and requests from one queue and makes a step of each"
Work = Callable[[], None]
T = TypeVar("T")


class WorkQueue:
    """Takes messages and work from all threads; one thread of its own sees to them, and no fault ends it."""

    def __init__(
        self, handle: Callable[[SourceMessage], None], idle_s: Callable[[], float | None], idle: Work
    ) -> None:
        """Prepare to `handle` messages, and to do the `idle` work when nothing has come for `idle_s` seconds."""
        self._handle, self._idle_s, self._idle = handle, idle_s, idle
        self._queue: queue.Queue[SourceMessage | Work | None] = queue.Queue()
        self._loop = Background("table", DOES, self._step)

    def start(self) -> None:
        self._loop.start()

    def stop(self) -> None:
        """End after the messages that are in the queue already."""
        self._queue.put(None)
        self._loop.join(STOP_S)

    def put(self, message: SourceMessage) -> None:
        self._queue.put(message)

    def run_soon(self, work: Work) -> None:
        """Have something done after everything that has come in before."""
        self._queue.put(work)

    def ask(self, work: Callable[[], T]) -> T:
        """Do some work in turn and return its result; raises its errors, or TimeoutError, and then it is not done."""
        answer: Future[T] = Future()

        def run() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(work())
            except BaseException as error:
                answer.set_exception(error)

        self.run_soon(run)
        while not (turns.HAS_THREADS or answer.done()):
            self._loop.take_turn()
        try:
            return answer.result(timeout=ANSWER_TIMEOUT_S)
        except TimeoutError:
            if answer.cancel():
                raise
        # It had just begun: the caller must not hear that nothing happened.
        return answer.result(timeout=ANSWER_TIMEOUT_S)

    def in_turn(self, work: Callable[[], T]) -> T:
        """The same for callers that may be on this thread themselves, or there before it begins and after it ends."""
        if not self._loop.is_alive or self._loop.is_current:
            return work()
        return self.ask(work)

    def _step(self) -> float | None:
        try:
            item = self._next()
            if item is None:
                return None
            if callable(item):
                item()
            else:
                self._handle(item)
        except BaseException:
            # Without this thread the evening is over: a fault is logged whole, and the table goes on at once.
            LOG.exception("the table could not do what it was given")
        return 0.0

    def _next(self) -> SourceMessage | Work | None:
        """Wait for the next thing to do: what comes in, else the idle work once it is due."""
        try:
            timeout_s = self._idle_s()
        except Exception:
            LOG.exception("the table does not know when to look again")
            timeout_s = AFTER_FAULT_S
        try:
            return self._queue.get(timeout=timeout_s) if turns.HAS_THREADS else self._queue.get_nowait()
        except queue.Empty:
            return self._idle
