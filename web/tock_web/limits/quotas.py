"""Limits on each client's requests: a person with a phone never reaches them, and a flood soon does.

Devices of players and of the host have separate limits, which strangers cannot use up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from flask import Flask, request

from tock_companion.allowance import TokenBuckets

MAX_CLIENTS = 10_000
"""Clients remembered by each limit; the ones quiet for longest are forgotten first."""


class TooManyError(Exception):
    """A client has used up its share; it may ask again in `wait_s` seconds."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"too much at once: try again in {wait_s} s")
        self.wait_s = wait_s


class Quota:
    """A token bucket for each client, with its name in the reference of the API."""

    def __init__(
        self, burst: float, per_s: float, about: str = "", clock_s: Callable[[], float] = monotonic
    ) -> None:
        """Every client starts with its whole share."""
        self.burst, self.per_s, self.about = burst, per_s, about
        self._buckets = TokenBuckets(burst, per_s, MAX_CLIENTS, clock_s)

    def __len__(self) -> int:
        """The number of clients remembered."""
        return len(self._buckets)

    def take(self, client: str) -> None:
        """Count a client's request; raises TooManyError when its bucket is empty."""
        wait_s = self._buckets.take(client)
        if wait_s > 0:
            raise TooManyError(int(wait_s) + 1)


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
    comings: Quota = field(
        default_factory=lambda: Quota(
            200, 2, "comings and goings of an address: new streams, seats and hosts, which everybody sees"
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
    """Count every request before anything else is done for it; `device` names the sender of the current one."""

    @app.before_request
    def count() -> None:
        known = device()
        if known is not None:
            quotas().known.take(known)
        else:
            quotas().strangers.take(request.remote_addr or "")
