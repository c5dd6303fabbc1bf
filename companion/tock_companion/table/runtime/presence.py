"""Paces the news of who is here: however often people come and go, everybody gets one view a second."""

import time
from collections.abc import Callable
from typing import Literal

SHOWN_EVERY_S = 1.0
Change = Callable[[], None]
Kind = Literal["far", "home", "watching"]


class Presence:
    """Changes that wait to be shown, the newest of each kind; for the table's thread."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._waiting: dict[Kind, Change] = {}
        self._shown_s = clock_s() - SHOWN_EVERY_S

    def put(self, kind: Kind, change: Change) -> None:
        """Have a change shown once it is due, in place of an earlier one of its kind."""
        self._waiting[kind] = change

    @property
    def due_s(self) -> float | None:
        """Seconds until the waiting changes are due; None without any."""
        return max(0.0, self._shown_s + SHOWN_EVERY_S - self._clock_s()) if self._waiting else None

    def take(self) -> list[Change]:
        """The changes to show now, in the order in which their kinds came; none before they are due."""
        if self.due_s != 0:
            return []
        changes = list(self._waiting.values())
        self._waiting, self._shown_s = {}, self._clock_s()
        return changes
