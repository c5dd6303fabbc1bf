"""Background work where a program has no threads, as in a browser: the program's one loop takes a step of each in turn.

There no step may wait: what has not come yet is looked for again at the next turn.
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event
from typing import Protocol

HAS_THREADS = sys.platform != "emscripten"
MAX_TURN_S = 0.03
"""Time after which a piece of work that waits for something looks again."""


class Steps(Protocol):
    """Background work as a loop sees it."""

    def next(self, stopping: Event) -> float | None:
        """Do one step; return the seconds until the next, None at the end."""

    def ended(self) -> None:
        """Tidy up after the last step."""


class Turn:
    """The place of one piece of work in the loop; has the methods of a thread that its owner calls."""

    def __init__(self, steps: Steps, stopping: Event) -> None:
        self._steps, self._stopping = steps, stopping
        self._due_s = 0.0
        self.is_taken = False
        """Whether a step is being done."""

    def start(self) -> None:
        _turns.append(self)

    def is_alive(self) -> bool:
        return self in _turns

    def join(self, _wait_s: float | None = None) -> None:
        """Take the last turn at once: there is no other thread that would."""
        if self._stopping.is_set() and self in _turns:
            _turns.remove(self)
            self._steps.ended()

    def take(self, now_s: float) -> None:
        """Do a step if it is due."""
        if now_s >= self._due_s:
            self.step()

    def step(self) -> None:
        """Do a step now."""
        if self not in _turns or self.is_taken:
            return
        self.is_taken = True
        try:
            pause_s = None if self._stopping.is_set() else self._steps.next(self._stopping)
        finally:
            self.is_taken = False
        if pause_s is None:
            self._stopping.set()
            self.join()
        else:
            self._due_s = time.monotonic() + max(pause_s, MAX_TURN_S)


_turns: list[Turn] = []


def take_turns() -> None:
    """Have all background work do the steps that are due; called again and again by the program's loop."""
    now_s = time.monotonic()
    for turn in tuple(_turns):
        turn.take(now_s)


def patience_s(wait_s: float) -> float:
    """How long a step may wait for something that it would wait for so long."""
    return wait_s if HAS_THREADS else 0.0


class AtOnce(Executor):
    """Does all work in the caller's thread, before `submit` returns."""

    def submit(self, work: Callable[..., object], /, *arguments: object, **more: object) -> "Future[object]":  # type: ignore[override]
        """Do the work."""
        done: Future[object] = Future()
        try:
            done.set_result(work(*arguments, **more))
        except BaseException as error:
            done.set_exception(error)
        return done


def worker(name: str) -> Executor:
    """One worker for work that its owner does not wait for for long."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) if HAS_THREADS else AtOnce()
