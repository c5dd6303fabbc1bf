"""Limits on attempts at a PIN or a secret."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

TRIES_OF_ONE, TRIES_OF_ONE_S = 5, 300
"""Tries of one address at a PIN or a desk's code, and their window in seconds."""
TRIES_TOGETHER, TRIES_TOGETHER_S = 20, 60
"""The same for all addresses: twenty of them are needed to delay a device new to the PIN by over a minute."""
DESK_TRIES_TOGETHER = 40
"""A hall has more phones than a home."""
STRANGER_TRIES, STRANGER_TRIES_TOGETHER = 60, 600
"""Cookies with unknown secrets in a minute: a browser shows its old one with every request."""


@dataclass(slots=True)
class Attempts:
    """Counts attempts per address and of all addresses together; nobody is ever locked out for good.

    Besides attempts that count alone, at most `together` are remembered in each window, however many addresses they
    come from.
    """

    each: int
    """Attempts of one address within its window."""
    together: int
    window_s: float
    each_window_s: float = 0.0
    """At least the window for all together: a few addresses then cannot hold up the others for long."""
    clock_s: Callable[[], float] = monotonic
    _taken: deque[tuple[float, str]] = field(default_factory=deque)
    _lock: Lock = field(default_factory=Lock)

    def take(self, who: str, *, alone: bool = False) -> int:
        """Take an attempt: 0 when it may be made now, else the seconds to wait for the next.

        Counting comes before checking, in one step, so that none of several guesses sent at once slips through. A
        caller who counts `alone` does not wait for the attempts of others.
        """
        with self._lock:
            now_s = self.clock_s()
            own_window_s = max(self.window_s, self.each_window_s)
            while self._taken and now_s - self._taken[0][0] >= own_window_s:
                self._taken.popleft()
            mine = [at_s for at_s, other in self._taken if other == who]
            newest = [at_s for at_s, _ in self._taken if now_s - at_s < self.window_s]
            waits_s = [mine[0] + own_window_s - now_s] if len(mine) >= self.each else []
            if not alone and len(newest) >= self.together:
                waits_s.append(newest[0] + self.window_s - now_s)
            if waits_s:
                return int(max(waits_s)) + 1
            self._taken.append((now_s, who))
            return 0

    def forgive(self, who: str) -> None:
        """Forget the newest attempt of an address: it was right, which proves nothing about those before."""
        with self._lock:
            newest = next((entry for entry in reversed(self._taken) if entry[1] == who), None)
            if newest is not None:
                self._taken.remove(newest)

    def give_back(self, who: str) -> None:
        """Forget the attempts of an address that was right in the end."""
        with self._lock:
            self._taken = deque(entry for entry in self._taken if entry[1] != who)


def pin_attempts() -> Attempts:
    """Count the attempts at the PIN."""
    return Attempts(
        each=TRIES_OF_ONE,
        together=TRIES_TOGETHER,
        window_s=TRIES_TOGETHER_S,
        each_window_s=TRIES_OF_ONE_S,
    )


def desk_attempts() -> Attempts:
    """Count the attempts at a code of a club's desk."""
    return Attempts(
        each=TRIES_OF_ONE,
        together=DESK_TRIES_TOGETHER,
        window_s=TRIES_TOGETHER_S,
        each_window_s=TRIES_OF_ONE_S,
    )


def stranger_attempts() -> Attempts:
    """Count the cookies that nobody was given."""
    return Attempts(each=STRANGER_TRIES, together=STRANGER_TRIES_TOGETHER, window_s=TRIES_TOGETHER_S)
