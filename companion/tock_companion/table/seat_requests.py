"""Who asks for which taken seat, until somebody answers or nobody has for long enough."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass, replace

from tock_companion.rules import Seat

SEAT_REQUEST_OPEN_S = 180.0
"""How long somebody who asks for a taken seat waits for an answer."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Somebody asks for a seat that is taken: a new phone of the same person, or somebody who takes over."""

    number: int
    seat: Seat
    name: str
    lang: str
    secret_hash: str
    device_hash: str
    since_s: float
    granted: bool | None = None
    """None while nobody has answered."""


class SeatRequests:
    """The requests of now: one for each seat that waits for an answer, or for the one to whom the seat is promised.

    Changed by the table's thread alone; any thread may read.
    """

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._all: tuple[SeatRequest, ...] = ()
        self._count = 0

    def open(self) -> tuple[SeatRequest, ...]:
        """The requests whose time is not up, answered ones too."""
        now_s = self._clock_s()
        return tuple(asked for asked in self._all if now_s - asked.since_s < SEAT_REQUEST_OPEN_S)

    def next_expiry_s(self) -> float | None:
        """In how many seconds the time of the next one is up; None while there is none. Forgets what is over."""
        self._all = self.open()
        since_s = [asked.since_s for asked in self._all]
        return max(0.0, min(since_s) + SEAT_REQUEST_OPEN_S - self._clock_s()) if since_s else None

    def of_seat(self, seat: Seat) -> SeatRequest | None:
        """The one that waits for an answer, or for its seat."""
        return next(
            (asked for asked in self.open() if asked.seat is seat and asked.granted is not False), None
        )

    def of_secret(self, digest: str) -> SeatRequest | None:
        """The one whose secret has that hash."""
        return next((asked for asked in self.open() if hmac.compare_digest(asked.secret_hash, digest)), None)

    def take(
        self, before: SeatRequest | None, seat: Seat, name: str, lang: str, digest: str, device_hash: str
    ) -> None:
        """Take a request in place of what the same device asked before; what was promised stays promised to it.

        Otherwise it has a new number: a yes to the name before is no yes to this one.
        """
        if before is not None and before.granted:
            asked = replace(before, secret_hash=digest)
        else:
            self._count += 1
            asked = SeatRequest(self._count, seat, name, lang, digest, device_hash, self._clock_s())
        self._all = (*(other for other in self.open() if other is not before), asked)

    def answer(self, asked: SeatRequest, yes: bool) -> None:
        """Note what was answered."""
        self._all = tuple(replace(other, granted=yes) if other is asked else other for other in self._all)

    def drop(self, asked: SeatRequest) -> None:
        """Forget one."""
        self._all = tuple(other for other in self._all if other is not asked)
