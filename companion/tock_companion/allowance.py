"""Allowances: tokens that refill with time, and attempts within a window."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic


class TokenBucket:
    """A burst of tokens, refilled at a sustained rate; for one thread."""

    __slots__ = ("_at_s", "_burst", "_left", "_per_s")

    def __init__(self, burst: float, per_s: float, now_s: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at_s = burst, now_s

    def take(self, now_s: float, amount: float = 1.0) -> float:
        """Take an amount and return 0; where there is too little, take nothing and return the seconds to wait."""
        self._refill(now_s)
        if self._left < amount:
            return (amount - self._left) / self._per_s
        self._left -= amount
        return 0.0

    def overdraw(self, now_s: float, amount: float) -> float:
        """Take an amount in any case; return the seconds until the debt is paid."""
        self._refill(now_s)
        self._left -= amount
        return max(0.0, -self._left / self._per_s)

    def _refill(self, now_s: float) -> None:
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s


class TokenBuckets:
    """A token bucket for each client; the clients quiet for longest are forgotten first."""

    def __init__(
        self, burst: float, per_s: float, max_clients: int, clock_s: Callable[[], float] = monotonic
    ) -> None:
        self.burst, self.per_s = burst, per_s
        self._max_clients, self._clock_s = max_clients, clock_s
        self._buckets: dict[str, TokenBucket] = {}
        """In the order of each client's latest request."""
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, client: str) -> float:
        """Take a client's token and return 0; where there is none, return the seconds to wait."""
        with self._lock:
            now_s = self._clock_s()
            return self._bucket(client, now_s).take(now_s)

    def overdraw(self, client: str, amount: float) -> float:
        """Take an amount in any case; return the seconds until the client's debt is paid."""
        with self._lock:
            now_s = self._clock_s()
            return self._bucket(client, now_s).overdraw(now_s, amount)

    def _bucket(self, client: str, now_s: float) -> TokenBucket:
        bucket = self._buckets.pop(client, None) or TokenBucket(self.burst, self.per_s, now_s)
        self._buckets[client] = bucket
        if len(self._buckets) > self._max_clients:
            del self._buckets[next(iter(self._buckets))]
        return bucket


@dataclass(slots=True)
class Window:
    """Limits attempts within a sliding window, of each client and of all together; no lockout is permanent.

    A client is named by something that it cannot choose: its address, or a record of ours. Clients who have proved
    themselves before have pools apart: they neither wait for strangers nor use up their attempts.
    """

    each: int
    """Attempts of one client within its window."""
    together: int
    """Attempts of all clients without a pool of their own."""
    window_s: float
    each_window_s: float = 0.0
    """A client's own window, where it is another."""
    pools: Mapping[str, int] = field(default_factory=dict)
    """Attempts of all clients of a pool within the window."""
    clock_s: Callable[[], float] = monotonic
    _taken: deque[tuple[float, str, str]] = field(default_factory=deque)
    """Time, client and pool."""
    _lock: Lock = field(default_factory=Lock)

    def take(self, client: str, pool: str = "") -> int:
        """Count an attempt and return 0; where one too many, count nothing and return the seconds to wait.

        Counting precedes the check of a secret, so that none of several guesses sent at once slips through.
        """
        with self._lock:
            now_s = self.clock_s()
            self._forget_old(now_s)
            own_s = self.each_window_s or self.window_s
            own = [at_s for at_s, other, _ in self._taken if other == client and now_s - at_s < own_s]
            pooled = self._pooled(pool, now_s)
            waits_s = [own[0] + own_s - now_s] if len(own) >= self.each else []
            if len(pooled) >= self.pools.get(pool, self.together):
                waits_s.append(pooled[0] + self.window_s - now_s)
            if waits_s:
                return int(max(waits_s)) + 1
            self._taken.append((now_s, client, pool))
            return 0

    @property
    def is_full(self) -> bool:
        """Whether clients without a pool have used up all their attempts."""
        with self._lock:
            return len(self._pooled("", self.clock_s())) >= self.together

    def forgive(self, client: str) -> None:
        """Forget a client's newest attempt: it was right, which proves nothing about the earlier ones."""
        with self._lock:
            newest = next((entry for entry in reversed(self._taken) if entry[1] == client), None)
            if newest is not None:
                self._taken.remove(newest)

    def give_back(self, client: str) -> None:
        """Forget all attempts of a client that proved who it is."""
        with self._lock:
            self._taken = deque(entry for entry in self._taken if entry[1] != client)

    def _pooled(self, pool: str, now_s: float) -> list[float]:
        return [at_s for at_s, _, other in self._taken if other == pool and now_s - at_s < self.window_s]

    def _forget_old(self, now_s: float) -> None:
        while self._taken and now_s - self._taken[0][0] >= max(self.window_s, self.each_window_s):
            self._taken.popleft()
