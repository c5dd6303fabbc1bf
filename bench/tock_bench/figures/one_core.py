"""Times of reading pictures on one core."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time

import cv2


@contextmanager
def on_one_core() -> Iterator[None]:
    """Have OpenCV use one thread."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def timed_ms(work: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and processor time of a piece of work."""
    wall_s, cpu_s = perf_counter(), thread_time()
    work()
    return 1000 * (perf_counter() - wall_s), 1000 * (thread_time() - cpu_s)
