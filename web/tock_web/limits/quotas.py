"""Limits on each client's requests: a person with a phone never reaches them, and a flood soon does.

The devices of players and of the host have limits of their own, which strangers cannot use up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from flask import Flask, request

MAX_CLIENTS = 10_000
"""Clients remembered; the ones quiet for long enough are forgotten first."""


class TooManyError(Exception):
    """A client has used up its share; it may ask again in `wait_s` seconds."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"too much at once: try again in {wait_s} s")
        self.wait_s = wait_s


@dataclass(slots=True)
class Quota:
    """Token bucket for each client: burst size and sustained rate."""

    burst: float
    per_s: float
    about: str = ""
    clock_s: Callable[[], float] = monotonic
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Each client's tokens and their time; the client that asked longest ago is first."""
    _lock: Lock = field(default_factory=Lock)

    def __len__(self) -> int:
        """Number of clients remembered."""
        return len(self._buckets)

    def take(self, client: str) -> None:
        """Count one request of a client; raises TooManyError when its bucket is empty."""
        with self._lock:
            now_s = self.clock_s()
            left, at_s = self._buckets.pop(client, (self.burst, now_s))
            left = min(self.burst, left + (now_s - at_s) * self.per_s)
            self._buckets[client] = (left - 1 if left >= 1 else left, now_s)
            while len(self._buckets) > MAX_CLIENTS:
                self._buckets.pop(next(iter(self._buckets)))
        if left < 1:
            raise TooManyError(int((1 - left) / self.per_s) + 1)


@dataclass(frozen=True, slots=True)
class Quotas:
    """The buckets of one client: a seat's or host's device, or a stranger's address."""

    known: Quota = field(
        default_factory=lambda: Quota(1000, 100, "requests of a seat's or the host's device")
    )
    strangers: Quota = field(
        default_factory=lambda: Quota(1000, 100, "requests of an address without a seat")
    )
    moves: Quota = field(
        default_factory=lambda: Quota(
            1000, 5, "requests to the table, each of which may be recorded for good"
        )
    )
    uploads: Quota = field(
        default_factory=lambda: Quota(20, 0.05, "whole games, each of which is kept for good")
    )
    hints: Quota = field(default_factory=lambda: Quota(40, 0.5, "hints, one at a time"))
    pictures: Quota = field(default_factory=lambda: Quota(40, 20, "pictures of a phone that is a camera"))
    photos: Quota = field(default_factory=lambda: Quota(20, 0.2, "photos of a hand"))
    seat_requests: Quota = field(
        default_factory=lambda: Quota(20, 0.2, "questions for taken seats, each of which its holder sees")
    )


def limit_requests(app: Flask, quotas: Callable[[], Quotas], device: Callable[[], str | None]) -> None:
    """Count every request before doing anything else for it; `device` names the one behind the present request."""

    @app.before_request
    def count() -> None:
        known = device()
        if known is not None:
            quotas().known.take(known)
        else:
            quotas().strangers.take(request.remote_addr or "")
