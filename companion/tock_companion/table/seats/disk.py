"""The disk as seats need it; the table's writer gives it."""

from collections.abc import Callable
from typing import Protocol


class Disk(Protocol):
    """Writes what people and the host choose."""

    def keep(self, write: Callable[[], None]) -> None:
        """Write what counts only once it is on the disk; raises TockError when the disk refuses."""

    def write_if_idle(self, write: Callable[[], None]) -> None:
        """Write something that the table can do without, unless the disk is busy or has refused something."""
