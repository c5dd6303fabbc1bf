"""Where workers wait for something to do: whoever began to wait last is woken first."""

from _thread import LockType, allocate_lock
from types import TracebackType


class LastFirst:
    """A condition as workers use it; `threading.Condition` wakes whoever has waited longest.

    In turn, a hundred workers would each keep a stack and freed memory as large as for the largest request. As it is,
    few workers do nearly everything.
    """

    def __init__(self, lock: LockType) -> None:
        """Callers hold the lock."""
        self._lock = lock
        self._waiting: list[LockType] = []

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def wait(self) -> None:
        """Let go of the lock until woken."""
        woken = allocate_lock()
        woken.acquire()
        self._waiting.append(woken)
        self._lock.release()
        try:
            woken.acquire()
        finally:
            self._lock.acquire()

    def notify(self) -> None:
        """Wake one worker, if any waits."""
        if self._waiting:
            self._waiting.pop().release()

    def notify_all(self) -> None:
        """Wake all workers."""
        while self._waiting:
            self.notify()
