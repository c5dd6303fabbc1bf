"""Processes that make pictures or batches, one core each, while the training uses the finished ones.

They are forked, so they share their sources' data without copying it. Start them before the GPU is used: a process
forked later cannot use it.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from queue import Empty
from typing import Any, Generic, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
Source = Callable[[], Iterable[T]]
"""Makes items one after the other, in the process that calls it and on one core."""
_FORK = get_context("fork")


class Stream(Generic[T]):
    """The items that processes make, in the order in which they are ready; RuntimeError where a process failed.

    At most `room` items wait for their use (0: any number).
    """

    def __init__(self, sources: Sequence[Source[T]], room: int = 0) -> None:
        self._queue: Any = _FORK.Queue(room)
        self._making = len(sources)
        self._processes = [
            _FORK.Process(target=_work, args=(source, self._queue), daemon=True) for source in sources
        ]
        for process in self._processes:
            process.start()

    def __iter__(self) -> Iterator[T]:
        """Yield all items, waiting for each."""
        while self._making:
            yield from self._unpacked(self._queue.get())

    def ready(self) -> Iterator[T]:
        """Yield the finished items."""
        while True:
            try:
                received = self._queue.get_nowait()
            except Empty:
                return
            yield from self._unpacked(received)

    def _unpacked(self, received: tuple[T] | str | None) -> Iterator[T]:
        if isinstance(received, str):
            raise RuntimeError(f"a worker failed: {received}")
        if received is None:
            self._making -= 1
        else:
            yield from received

    def stop(self) -> None:
        """End the processes; unfinished items are lost."""
        self._making = 0
        for process in self._processes:
            process.terminate()
            process.join()


def _work(source: Source[T], queue: Any) -> None:
    """Hand over each item of a source in a tuple, then the reason of a failure, or None."""
    try:
        for one in source():
            queue.put((one,))
    except Exception as fault:
        log.exception("a worker failed")
        queue.put(repr(fault))
    else:
        queue.put(None)
