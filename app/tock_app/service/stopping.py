"""A request to stop that a signal handler may make."""

from queue import Empty, SimpleQueue
from time import monotonic

LOOK_EVERY_S = 0.5
"""A signal that comes just before the thread falls asleep does not wake it; its handler runs at the next look."""


class StopRequest:
    """Made once or more, by a signal handler or any thread; the main thread waits for it.

    An Event will not do: its lock is held for a moment whenever a wait begins or ends, and a handler that runs in
    that moment, on the same thread, waits for it for ever. The queue is made for handlers.
    """

    def __init__(self) -> None:
        self._asked: SimpleQueue[None] = SimpleQueue()

    def ask(self) -> None:
        """Ask for the stop."""
        self._asked.put(None)

    def wait(self, timeout_s: float = float("inf")) -> bool:
        """Wait for the request; False where none came in time."""
        end_s = monotonic() + timeout_s
        while True:
            left_s = max(0.0, end_s - monotonic())
            try:
                self._asked.get(timeout=min(left_s, LOOK_EVERY_S))
            except Empty:
                if left_s <= LOOK_EVERY_S:
                    return False
            else:
                self._asked.put(None)
                return True
