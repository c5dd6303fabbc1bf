"""The one thread that writes: whatever others want done comes into one queue and is done in that order."""

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from tock_companion.observation import SourceMessage

LOG = logging.getLogger(__name__)
ANSWER_TIMEOUT_S = 10.0
Work = Callable[[], None]
T = TypeVar("T")


class Desk:
    """Takes messages and work from all threads; one thread of its own sees to them."""

    def __init__(
        self, handle: Callable[[SourceMessage], None], idle_s: Callable[[], float | None], idle: Work
    ) -> None:
        """Prepare to `handle` messages, and to do the `idle` work when nothing has come for `idle_s` seconds."""
        self._handle, self._idle_s, self._idle = handle, idle_s, idle
        self._queue: queue.Queue[SourceMessage | Work | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Begin to work off the queue."""
        self._thread.start()

    def stop(self) -> None:
        """End after what is already in the queue."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def put(self, message: SourceMessage) -> None:
        """Hand a message in."""
        self._queue.put(message)

    def run_soon(self, work: Work) -> None:
        """Have something done after everything that has come in before."""
        self._queue.put(work)

    def ask(self, work: Callable[[], T]) -> T:
        """Have something done and return its result; raises what it raises."""
        answer: Future[T] = Future()

        def run() -> None:
            try:
                answer.set_result(work())
            except Exception as error:
                answer.set_exception(error)
                raise

        self.run_soon(run)
        return answer.result(timeout=ANSWER_TIMEOUT_S)

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=self._idle_s())
            except queue.Empty:
                item = self._idle
            if item is None:
                return
            try:
                if callable(item):
                    item()
                else:
                    self._handle(item)
            except Exception:
                # One bad message must not end the evening: it is logged whole, and the table goes on.
                LOG.exception("the table could not handle %r", item)
