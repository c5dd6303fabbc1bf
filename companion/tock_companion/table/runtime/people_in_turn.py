"""The people of a table for other threads: whatever changes who sits where waits for its turn on the writing thread."""

from collections.abc import Callable
from typing import TypeVar

from tock_companion.core.requests import Reply, Request, Ticket
from tock_companion.language import DEFAULT
from tock_companion.storage import SeatHolder
from tock_companion.table.runtime.work_queue import WorkQueue
from tock_companion.table.runtime.writer import Writer
from tock_companion.table.seats.people import Joined, Reservation
from tock_companion.table.seats.seat_requests import SeatAsked, SeatOutcome
from tock_rules import Seat

T = TypeVar("T")


class PeopleInTurn:
    """`People` as any thread may call it; each method is explained there."""

    def __init__(self, writer: Writer, queue: WorkQueue) -> None:
        self._writer, self._queue, self._people = writer, queue, writer.people
        self.names, self.sitting, self.places_on = (
            self._people.names,
            self._people.sitting,
            self._people.places_on,
        )
        self.computers = self._people.computers
        self.holder, self.requests = self._people.holder, self._people.requests
        self.cards_requests, self.distinct_name = self._people.cards_requests, self._people.distinct_name

    def _in_turn(self, work: Callable[[], T]) -> T:
        return self._queue.in_turn(lambda: self._writer.seat(work))

    def join(
        self,
        name: str,
        seat: Seat,
        lang: str = DEFAULT,
        device: str = "",
        leaves: str | None = None,
        *,
        anyway: bool = False,
    ) -> Joined:
        return self._in_turn(lambda: self._people.join(name, seat, lang, device, leaves, anyway=anyway))

    def reserve(self, reserved: Callable[[Seat], Reservation | None]) -> None:
        """Say who is expected at a free seat."""
        self._people.reserved = reserved

    def listen(self, silent_s: Callable[[str], float], unseated: Callable[[SeatHolder], None]) -> None:
        """Say for how long a device has not been heard, and hear of hosts whose seat is taken over."""
        self._people.silent_s = silent_s
        self._people.host_seat.unseated = unseated

    def device_hash(self, seat: Seat) -> str:
        """The hash of the device that holds a seat; empty without one."""
        holder = self._people.seating.holders.get(seat)
        return holder.device_hash if holder is not None else ""

    def leave(self, token: str, device: str = "") -> Reply:
        return self._in_turn(lambda: self._people.leave(token, device))

    def renew(self, token: str, device: str = "") -> Ticket | None:
        """Give the seat of an old token a new one; a token that is not old does not wait."""
        if self._people.seat_due(token, device) is None:
            return None
        return self._in_turn(lambda: self._people.renew(token, device))

    def again(self, seat: Seat, device: str) -> Ticket | None:
        return self._in_turn(lambda: self._people.again(seat, device))

    def ask(
        self,
        name: str,
        seat: Seat,
        lang: str = DEFAULT,
        device: str = "",
        address: str = "",
        *,
        sits_elsewhere: bool = False,
    ) -> SeatAsked:
        return self._in_turn(
            lambda: self._people.ask(name, seat, lang, device, address, sits_elsewhere=sits_elsewhere)
        )

    def hear(self, secret: str, device: str = "", leaves: str | None = None) -> SeatOutcome:
        return self._in_turn(lambda: self._people.hear(secret, device, leaves))

    def answer(self, request: Request) -> Reply:
        return self._in_turn(lambda: self._people.answer(request))

    def show_cards(self, device: str, number: int, yes: bool) -> Reply:
        return self._in_turn(lambda: self._people.show_cards(device, number, yes))
