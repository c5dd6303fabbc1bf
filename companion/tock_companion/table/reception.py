"""The people of a table: they sit down, stand up, and ask for seats that are taken. Any thread may call this."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from tock_companion.rules import Seat
from tock_companion.table.requests import Reply, Ticket, refused
from tock_companion.table.seating import Seating


class Reception(ABC):
    """What `Table` does with people; everybody hears of a change through the writing thread."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self.choices = seating.choices
        """What the host has chosen for this table."""

    @abstractmethod
    def run_soon(self, work: Callable[[], None]) -> None:
        """Run something on the writing thread."""

    @abstractmethod
    def _people_changed(self) -> None:
        """Tell everybody, on the writing thread."""

    @abstractmethod
    def _seats(self) -> tuple[Seat, ...]:
        """Return the seats that play."""

    def holder(self, token: str) -> Seat | None:
        """Return the seat that this token holds."""
        return self._seating.holder(token)

    def join(self, name: str, seat: Seat, lang: str = "fr") -> Ticket | Reply:
        """Give a seat to a person: a ticket, or a refusal when somebody sits there."""
        if not name.strip():
            return refused("bad_request", reason="name")
        if seat not in self._seats():
            return refused("bad_request", reason=seat.name)
        ticket = self._seating.join(name, seat, lang)
        if ticket is None:
            return refused("seat_taken", name=self._seating.names().get(seat, seat.name))
        self.run_soon(self._people_changed)
        return ticket

    def ask_for_seat(self, name: str, seat: Seat, lang: str = "fr") -> str | Reply:
        """Ask the holder and the host for a taken seat; return the secret with which to hear the answer."""
        if seat not in self._seats() or not name.strip():
            return refused("bad_request", reason=seat.name)
        if seat not in self._seating.names():
            return refused("seat_free")
        secret = self._seating.ask(name, seat, lang)
        self.run_soon(self._people_changed)
        return secret

    def hear_of_seat(self, secret: str) -> Ticket | bool | None:
        """Return a ticket after a yes, None while nobody has answered, False after a no or when time is up."""
        heard = self._seating.hear(secret)
        if heard is not None:
            self.run_soon(self._people_changed)
        return heard

    def leave(self, token: str) -> None:
        """Free the seat that this token holds."""
        seat = self._seating.holder(token)
        if seat is not None:
            self._seating.free(seat)
            self.run_soon(self._people_changed)
