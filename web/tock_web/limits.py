"""How often a wrong PIN or a made-up secret may be tried."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic


@dataclass(slots=True)
class Guesses:
    """Counts wrong guesses: per address and of all addresses together; nothing is ever locked for good."""

    each: int
    """So many wrong guesses of one address within the window are borne."""
    together: int
    window_s: float
    clock_s: Callable[[], float] = monotonic
    _wrong: dict[str, deque[float]] = field(default_factory=dict)
    _all: deque[float] = field(default_factory=deque)
    _lock: Lock = field(default_factory=Lock)

    def wait_s(self, address: str) -> int:
        """Return how many seconds this address must wait before its next guess; 0 when it may guess."""
        with self._lock:
            now_s = self.clock_s()
            mine = self._recent(self._wrong.get(address, deque()), now_s)
            everyone = self._recent(self._all, now_s)
            full = [
                times
                for times, limit in ((mine, self.each), (everyone, self.together))
                if len(times) >= limit
            ]
            return max((int(times[0] + self.window_s - now_s) + 1 for times in full), default=0)

    def wrong(self, address: str) -> None:
        """Note a wrong guess."""
        with self._lock:
            now_s = self.clock_s()
            self._wrong = {name: times for name, times in self._wrong.items() if self._recent(times, now_s)}
            self._wrong.setdefault(address, deque()).append(now_s)
            self._all.append(now_s)

    def right(self, address: str) -> None:
        """Forget the wrong guesses of an address that knew it in the end."""
        with self._lock:
            self._wrong.pop(address, None)

    def _recent(self, times: deque[float], now_s: float) -> deque[float]:
        while times and now_s - times[0] >= self.window_s:
            times.popleft()
        return times
