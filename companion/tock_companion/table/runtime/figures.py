"""Counts of the table about itself while it runs: nothing here is kept, and nothing here is about cards."""

from collections import Counter

from tock_companion.events.facts import MoveAccepted

DELAY_LIMITS_MS = (50, 100, 200, 350, 500, 800, 1200, 2000, 5000)
"""Upper limits of the classes in which delays are counted."""


class Figures:
    """Counters of one run; written by the writing thread, read by any."""

    def __init__(self) -> None:
        self.observations: Counter[str] = Counter()
        """Observations taken in, by source."""
        self.reading_ms: Counter[str] = Counter()
        """Time from the moment seen to the moment taken in, summed up, by source."""
        self.events: Counter[str] = Counter()
        """Events by kind."""
        self.delays: Counter[int] = Counter()
        """Moves by the class of their delay: index into `DELAY_LIMITS_MS`, one more for longer ones."""
        self.delay_ms = 0

    def observed(self, source: str, age_ms: int) -> None:
        """Count an observation and its age when it was taken in."""
        self.observations[source] += 1
        self.reading_ms[source] += max(0, age_ms)

    def happened(self, kind: str, delay_ms: int) -> None:
        """Count an event that is on the disk, and for moves how long after the moment seen it was."""
        self.events[kind] += 1
        if kind == MoveAccepted.KIND:
            delay_ms = max(0, delay_ms)
            self.delay_ms += delay_ms
            self.delays[sum(delay_ms > limit for limit in DELAY_LIMITS_MS)] += 1
