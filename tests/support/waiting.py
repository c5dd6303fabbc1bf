"""Waits for what no event announces, longer where a machine is slower than usual."""

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

PATIENCE = int(os.environ.get("TOCK_TEST_PATIENCE", "1"))
"""Factor for limits on time; set by whoever tries the tests in an emulator."""
PATIENCE_S = 30.0 * PATIENCE
FILM_PATIENCE_S = 90.0 * PATIENCE
"""A film is drawn by a process that gives way to everything else, here to three tests at a time."""
LOOK_S = 0.01
CROWDING_S = 0.2
"""Seconds of the computing that shows how busy the machine is."""
Found = TypeVar("Found")


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on a thread: a browser of the same process keeps a loop running on the main one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def until(
    look: Callable[[], Found | None],
    what: str = "it",
    within_s: float = PATIENCE_S,
    despite: tuple[type[Exception], ...] = (),
) -> Found:
    """The first answer of `look` that is true; raises AssertionError where none comes.

    Errors of the kinds in `despite` are answers that are not true.
    """
    end_s = time.monotonic() + within_s
    while True:
        seen: object
        try:
            if found := look():
                return found
            seen = found
        except despite as error:
            seen = error
        if time.monotonic() > end_s:
            raise AssertionError(f"never came: {what}; last: {seen!r}")
        time.sleep(LOOK_S)


def crowding() -> float:
    """Time of a computation now, as a multiple of that on an idle machine."""
    wall_s, own_s = time.monotonic(), time.process_time()
    while time.process_time() - own_s < CROWDING_S:
        pass
    return (time.monotonic() - wall_s) / CROWDING_S


def is_prompt(took_s: float, limit_s: float) -> bool:
    """Whether something that took some seconds would meet its limit on an idle machine."""
    return took_s < limit_s or took_s < limit_s * crowding()
