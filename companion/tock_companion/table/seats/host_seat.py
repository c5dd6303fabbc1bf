"""Whose seat has the host's rights: of whoever sat down first, until they hand them on or stand up."""

from collections.abc import Callable, Sequence

from tock_companion.rules import Seat
from tock_companion.storage.choices import Choices

KEPT_AS = "host_seat"


class HostSeat:
    """The seat that hosts; kept in the store. Changed by the table's thread alone, read by any."""

    def __init__(
        self, choices: Choices, sitting: Sequence[Seat], write_if_idle: Callable[[Callable[[], None]], None]
    ) -> None:
        """Take up who was the host, if they still sit there; `write_if_idle` writes what may be lost with the disk."""
        self._choices, self._write_if_idle = choices, write_if_idle
        self.may_inherit: Callable[[], bool] = lambda: True
        """Asked when the host stands up: whether whoever has sat for the longest time is host then."""
        kept = choices.get(KEPT_AS)
        self._seat = next((seat for seat in sitting if seat.name == kept), None)

    @property
    def seat(self) -> Seat | None:
        """The seat that hosts; None where no seat does."""
        return self._seat

    def hand_to(self, seat: Seat | None) -> None:
        """Hand the rights on, or give them to nobody."""
        if seat is not self._seat:
            self._seat = seat
            self._write_if_idle(lambda: self._choices.keep(KEPT_AS, seat.name if seat is not None else None))

    def follow(self, sitting: Sequence[Seat]) -> None:
        """Pass the rights of somebody who stood up to whoever has sat for the longest time, if anybody inherits."""
        if self._seat is not None and self._seat not in sitting:
            self.hand_to(sitting[0] if sitting and self.may_inherit() else None)
