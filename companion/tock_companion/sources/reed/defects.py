"""Defects of the board's switches and cable before they fail, for the page, so that they are repaired in time."""

from collections import Counter, deque
from collections.abc import Iterable

from tock_companion.sources.base import Defect
from tock_companion.sources.reed.link import ReedLink
from tock_companion.sources.reed.protocol import ResetCause
from tock_rules import Hole

NOISE_WINDOW_MS = 60_000
NOISY_DOUBTS = 5
"""Doubts within the window; a good cable has none for weeks."""
FLUTTER_WINDOW_MS = 10_000
FLUTTER_EDGES = 16
"""Edges of one switch within the window: more than tapping one hole makes."""


class DefectMonitor:
    """Watches a link over the last minute."""

    def __init__(self) -> None:
        self._edges: deque[tuple[int, Hole]] = deque()
        """The time and hole of each edge."""
        self._doubts_ms: deque[int] = deque()
        self._doubts_counted = 0
        self.defects: tuple[Defect, ...] = ()

    def update(self, link: ReedLink, edge_holes: Iterable[Hole], t_ms: int) -> None:
        """Take in the state of the link at a time, and the holes whose switches have changed since the last call."""
        self._edges += [(t_ms, hole) for hole in edge_holes]
        self._doubts_ms += [t_ms] * (link.counts.doubts - self._doubts_counted)
        self._doubts_counted = link.counts.doubts
        while self._edges and t_ms - self._edges[0][0] > FLUTTER_WINDOW_MS:
            self._edges.popleft()
        while self._doubts_ms and t_ms - self._doubts_ms[0] > NOISE_WINDOW_MS:
            self._doubts_ms.popleft()
        self.defects = tuple(self._found(link))

    def _found(self, link: ReedLink) -> list[Defect]:
        found = defects_of(link)
        if len(self._doubts_ms) >= NOISY_DOUBTS:
            found.append(Defect("reed_noisy_line"))
        edges = Counter(hole for _, hole in self._edges)
        found += [Defect("reed_flutter", hole) for hole, n in sorted(edges.items()) if n >= FLUTTER_EDGES]
        return found


def defects_of(link: ReedLink) -> list[Defect]:
    """The defects that a link shows at one moment, without looking back."""
    found = []
    if link.return_wire_broken:
        found.append(Defect("reed_return_wire"))
    if link.trusted is not None and link.strange_at is not None:
        found.append(Defect("reed_straps"))
    if link.hello is not None and link.hello.reset_cause == ResetCause.BROWN_OUT:
        found.append(Defect("reed_brown_out"))
    return found
