"""Parts that run beside a table: started in order, and stopped in reverse however the table ends."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol


class Part(Protocol):
    """Runs beside the table for as long as the companion is up."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


@contextmanager
def started(parts: Iterable[Part]) -> Iterator[None]:
    """Start each part; stop those that started, also where a later one fails to start."""
    with ExitStack() as running:
        for part in parts:
            part.start()
            running.callback(part.stop)
        yield
