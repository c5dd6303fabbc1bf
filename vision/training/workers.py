"""Processes that make pictures or batches, one core each, while the training uses those that are ready.

They are forked, so what their sources hold is shared and not copied: start them before the graphics processor is used,
which a process that is forked later could not use.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from queue import Empty
from typing import Any, Generic, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
Source = Callable[[], Iterable[T]]
"""Makes one thing after the other, in the process that calls it and on one core."""
_FORK = get_context("fork")


class Workers(Generic[T]):
    """One process for each source, that hands over what it makes."""

    def __init__(self, sources: Sequence[Source[T]], hand_over: Callable[[T], None]) -> None:
        self._stopped = _FORK.Event()
        self.processes = [
            _FORK.Process(target=self._work, args=(source, hand_over), daemon=True) for source in sources
        ]
        for process in self.processes:
            process.start()

    def _work(self, source: Source[T], hand_over: Callable[[T], None]) -> None:
        for made in source():
            hand_over(made)
            if self._stopped.is_set():
                break

    def stop(self) -> None:
        """Let each process end with what it is making."""
        self._stopped.set()


class Stream(Generic[T]):
    """What processes have made, in the order in which it is ready; RuntimeError where one of them failed.

    No more than `room` things wait for those who use them (0: any number).
    """

    def __init__(self, sources: Sequence[Source[T]], room: int = 0) -> None:
        self._queue: Any = _FORK.Queue(room)
        self._making = len(sources)
        self._workers = Workers([_until_end(source) for source in sources], self._queue.put)

    def __iter__(self) -> Iterator[T]:
        """Yield all that is made, waiting for it."""
        while self._making:
            yield from self._unpacked(self._queue.get())

    def ready(self) -> Iterator[T]:
        """Yield what is there by now."""
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
        """End the processes; what they were making is lost."""
        self._making = 0
        for process in self._workers.processes:
            process.terminate()
            process.join()


def _until_end(source: Source[T]) -> Source[tuple[T] | str | None]:
    """Yield what a source makes, each in a tuple; then why it failed, or None."""

    def made() -> Iterator[tuple[T] | str | None]:
        try:
            for one in source():
                yield (one,)
        except Exception as fault:
            log.exception("a worker failed")
            yield repr(fault)
        else:
            yield None

    return made
