"""Requests for taken seats, until they are answered or time out."""

import hmac
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tock_companion.core.requests import Reply, Ticket, refused
from tock_companion.names import skeleton
from tock_companion.table.seats.chairs import Places
from tock_rules import Seat

SEAT_REQUEST_OPEN_S = 180.0
"""Time that a request for a taken seat stays open."""
SILENT_S = 60.0
"""A phone that has been silent for this long holds no seat against a person who asks for it."""
MAX_ASKING_FOR_A_SEAT = 3
"""The holder is shown as many, each from an address of its own: one asker cannot keep all others out."""
PAUSE_AFTER_NO_S, MAX_PAUSE_S = 60.0, 900.0
"""Pause of an address after its second no to the same seat, doubled after each further one up to the second number."""
MAX_REFUSED = 1000
"""As many refused addresses are remembered."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A request for a taken seat: by a new phone of the same person, or by another person."""

    seat: Seat
    name: str
    lang: str
    secret_hash: str
    device_hash: str
    address: str = ""
    sitting: int | None = None
    """Of the holder who is asked; None for a free seat."""
    sits_elsewhere: bool = False
    """Whether they sit at another table, where the seat is theirs already."""
    number: int = 0
    """Given when it is taken in."""
    since_s: float = 0.0
    granted: bool | None = None
    """None before an answer."""

    def may_take(self, holder: str, silent_s: float, now_s: float) -> bool:
        """Whether a silent phone loses its seat: at once to a person of its holder's name, to others after a wait."""
        is_known = skeleton(self.name) == skeleton(holder)
        return (silent_s if is_known else min(silent_s, now_s - self.since_s)) >= SILENT_S


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """The outcome of asking for a taken seat: the secret that fetches the answer."""

    reply: Reply
    secret: str = ""


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """The outcome of a request for a taken seat: a ticket after a yes; neither after a no, or when time is up."""

    ticket: Ticket | None = None
    waiting: bool = False
    """There is no answer yet."""


class SeatRequests:
    """The requests of now: those that wait for an answer, or the one to whom the seat is promised.

    Changed by the table's thread alone; any thread may read.
    """

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._all: tuple[SeatRequest, ...] = ()
        self._count = 0
        self._refused: dict[tuple[Seat, str], tuple[int, float]] = {}
        """Number of refusals of a seat to an address, and the time of the last."""

    def open(self) -> tuple[SeatRequest, ...]:
        """The requests whose time is not up, answered ones too."""
        now_s = self._clock_s()
        return tuple(asked for asked in self._all if now_s - asked.since_s < SEAT_REQUEST_OPEN_S)

    def next_expiry_s(self) -> float | None:
        """In how many seconds the time of the next one is up; None while there is none. Forgets expired ones."""
        self._all = self.open()
        since_s = [asked.since_s for asked in self._all]
        return max(0.0, min(since_s) + SEAT_REQUEST_OPEN_S - self._clock_s()) if since_s else None

    def promised(self, seat: Seat) -> SeatRequest | None:
        return next((asked for asked in self.open() if asked.seat is seat and asked.granted), None)

    def waiting(self, seat: Seat) -> tuple[SeatRequest, ...]:
        return tuple(asked for asked in self.open() if asked.seat is seat and asked.granted is None)

    def pause_s(self, seat: Seat, address: str) -> int:
        """For how many seconds an address may not ask for a seat again, after one no too many."""
        times, at_s = self._refused.get((seat, address), (0, 0.0))
        pause_s = min(PAUSE_AFTER_NO_S * 2 ** (times - 2), MAX_PAUSE_S) if times > 1 else 0.0
        return max(0, math.ceil(at_s + pause_s - self._clock_s()))

    def of_secret(self, digest: str) -> SeatRequest | None:
        return next((asked for asked in self.open() if hmac.compare_digest(asked.secret_hash, digest)), None)

    def ask(self, asked: SeatRequest, *, is_held: bool) -> Reply | None:
        """Take a request in, in place of the same device's last one; or return why it may not be made."""
        promised, waiting = self.promised(asked.seat), self.waiting(asked.seat)
        known = [promised] if promised is not None else waiting
        before = next((one for one in known if one.device_hash == asked.device_hash != ""), None)
        if before is None:
            refusal = self._why_not(asked, promised, waiting, is_held=is_held)
            if refusal is not None:
                return refusal
        self._take(before, asked)
        return None

    def _why_not(
        self,
        asked: SeatRequest,
        promised: SeatRequest | None,
        waiting: Sequence[SeatRequest],
        *,
        is_held: bool,
    ) -> Reply | None:
        if promised is not None:
            # A later one would take the yes that was meant for the first.
            return refused("seat_asked", name=promised.name)
        if not is_held:
            return refused("seat_free")
        near = next((one for one in waiting if one.address == asked.address), None)
        if near is not None or len(waiting) >= MAX_ASKING_FOR_A_SEAT:
            return refused("seat_asked", name=(near or waiting[0]).name)
        pause_s = self.pause_s(asked.seat, asked.address)
        return refused("seat_asked_often", seconds=str(pause_s)) if pause_s else None

    def _take(self, before: SeatRequest | None, asked: SeatRequest) -> None:
        """Keep a promise that was made; else the request has a new number: a yes to the name before is none now."""
        if before is not None and before.granted:
            asked = replace(before, secret_hash=asked.secret_hash)
        else:
            self._count += 1
            asked = replace(asked, number=self._count, since_s=self._clock_s())
        self._all = (*(other for other in self.open() if other is not before), asked)

    def answer(self, asked: SeatRequest, yes: bool) -> None:
        """Note the answer; all others who wait for a promised seat are refused."""
        others = () if not yes else tuple(other for other in self.waiting(asked.seat) if other is not asked)
        self._all = tuple(
            replace(other, granted=yes and other is asked) if other is asked or other in others else other
            for other in self._all
        )
        key = (asked.seat, asked.address)
        times, _ = self._refused.pop(key, (0, 0.0))
        if not yes:
            self._refused[key] = (times + 1, self._clock_s())
            while len(self._refused) > MAX_REFUSED:
                self._refused.pop(next(iter(self._refused)))

    def follow(self, places: Places) -> None:
        """Let requests go with the holders who are asked to their new seats."""
        self._all = tuple(
            replace(asked, seat=seat)
            for asked in self._all
            if (seat := places.get(asked.seat, asked.seat)) is not None
        )

    def drop(self, asked: SeatRequest) -> None:
        self._all = tuple(other for other in self._all if other is not asked)
