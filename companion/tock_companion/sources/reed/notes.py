"""What the board's switches and cable suffer from, short of failing: for the page, so that it is mended in time."""

from collections import Counter, deque
from dataclasses import dataclass

from tock_companion.sources.reed.link import Change, ReedLink
from tock_companion.sources.reed.protocol import ResetCause

LOOK_BACK_MS = 60_000
NOISY_DOUBTS = 5
"""A good cable has none for weeks."""
FLUTTER_WITHIN_MS = 10_000
FLUTTER_CHANGES = 16
"""More often than anybody taps one hole."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to mend: a stable code, and the hole where it is about one."""

    code: str
    hole: str | None = None


class Notes:
    """Remembers the last minute."""

    def __init__(self) -> None:
        self._changes: deque[tuple[int, str]] = deque()
        self._doubts: deque[int] = deque()
        self._doubts_before = 0
        self.now: tuple[Note, ...] = ()

    def look(self, link: ReedLink, changes: list[tuple[Change, str]], t_ms: int) -> None:
        """Take in what has happened up to a time; `changes` come with their holes."""
        self._changes += [(t_ms, hole) for _, hole in changes]
        self._doubts += [t_ms] * (link.counts.doubts - self._doubts_before)
        self._doubts_before = link.counts.doubts
        while self._changes and t_ms - self._changes[0][0] > FLUTTER_WITHIN_MS:
            self._changes.popleft()
        while self._doubts and t_ms - self._doubts[0] > LOOK_BACK_MS:
            self._doubts.popleft()
        self.now = tuple(self._found(link))

    def _found(self, link: ReedLink) -> list[Note]:
        found = notes_of(link)
        if len(self._doubts) >= NOISY_DOUBTS:
            found.append(Note("reed_noisy_line"))
        counted = Counter(hole for _, hole in self._changes)
        found += [
            Note("reed_flutter", hole) for hole, times in sorted(counted.items()) if times >= FLUTTER_CHANGES
        ]
        return found


def notes_of(link: ReedLink) -> list[Note]:
    """Return what a link shows at one moment, without looking back."""
    found = []
    if link.return_wire_broken:
        found.append(Note("reed_return_wire"))
    if link.trusted is not None and link.strange_at is not None:
        found.append(Note("reed_straps"))
    if link.hello is not None and link.hello.reset_cause == ResetCause.BROWN_OUT:
        found.append(Note("reed_brown_out"))
    return found
