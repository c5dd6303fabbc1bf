"""What is wrong with the machine while people play: told on the page, never a reason to stop the game."""

import time
from collections.abc import Callable, Iterable, Iterator

from tock_companion.sources.base import DefectSource, Source
from tock_companion.views.names import Names
from tock_companion.views.phrases import phrase
from tock_companion.views.state import HealthNote

SET_BACK_S = 60.0
"""Smaller corrections of the clock are the business of network time."""


class Troubles:
    """The disk and the clock, as the writing thread meets them."""

    def __init__(
        self, wall_s: Callable[[], float] = time.time, steady_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall_s, self._steady_s = wall_s, steady_s
        self._ahead_s = wall_s() - steady_s()
        self._disk: HealthNote | None = None
        self._clock: HealthNote | None = None

    @property
    def notes(self) -> tuple[HealthNote, ...]:
        """What is wrong now."""
        return tuple(note for note in (self._disk, self._clock) if note is not None)

    def disk_refused(self, reason: str) -> None:
        """Note that nothing can be recorded."""
        self._disk = HealthNote("disk", phrase("health/disk", reason=reason))

    def disk_wrote(self) -> None:
        """Note that the disk has taken something again."""
        self._disk = None

    def look_at_clock(self) -> None:
        """Compare the wall clock with the steady one; the game is timed by the steady one alone."""
        ahead_s = self._wall_s() - self._steady_s()
        back_s = self._ahead_s - ahead_s
        if back_s >= SET_BACK_S:
            self._clock = HealthNote("clock_back", phrase("health/clock_back", minutes=f"{back_s / 60:.0f}"))
        elif ahead_s >= self._ahead_s:
            self._ahead_s, self._clock = ahead_s, None


def source_notes(sources: Iterable[Source], names: Names) -> Iterator[HealthNote]:
    """Yield what sources say should be mended although they work."""
    for source in sources:
        for defect in source.defects() if isinstance(source, DefectSource) else ():
            place = names.place(defect.hole) if defect.hole else ""
            yield HealthNote(defect.code, phrase(f"health/{defect.code}", hole=place), defect.hole)
