"""The seat with the host's rights: that of the player who sat down first, until they hand them on or stand up."""

from collections.abc import Callable, Sequence

from tock_companion.storage import SeatHolder
from tock_companion.storage.choices import Choices
from tock_companion.table.seats.chairs import Places
from tock_companion.table.seats.disk import Disk
from tock_rules import Seat

KEPT_AS = "host_seat"


class HostSeat:
    """The seat that hosts; kept in the store. Changed by the table's thread alone, read by any."""

    def __init__(self, choices: Choices, sitting: Sequence[Seat], disk: Disk) -> None:
        """Take up who was the host, if they still sit there."""
        self._choices, self._disk = choices, disk
        self.may_inherit: Callable[[], bool] = lambda: True
        """Asked when the host stands up: whether the player who has sat longest becomes host."""
        self.unseated: Callable[[SeatHolder], None] = lambda _holder: None
        """Called with a host whose seat was taken over."""
        kept = choices.get(KEPT_AS)
        self._seat = next((seat for seat in sitting if seat.name == kept), None)

    @property
    def seat(self) -> Seat | None:
        return self._seat

    def hand_to(self, seat: Seat | None) -> None:
        """Hand the rights on, or take them away."""
        if seat is not self._seat:
            self._seat = seat
            name = seat.name if seat is not None else None
            self._disk.write_if_idle(lambda: self._choices.keep(KEPT_AS, name))

    def take_over(self, held: SeatHolder) -> None:
        """Leave the rights with the person whose seat has a new holder."""
        if held.seat is self._seat:
            self.hand_to(None)
            self.unseated(held)

    def move(self, places: Places) -> None:
        """Let the rights go with their holder to another seat; an onlooker has none."""
        if self._seat is not None and self._seat in places:
            heirs = [seat for seat in places.values() if seat is not None] if self.may_inherit() else []
            to = places[self._seat]
            self.hand_to(to if to is not None else next(iter(heirs), None))

    def follow(self, sitting: Sequence[Seat]) -> None:
        """Pass the rights of a host who stood up to the player who has sat longest, if that player may inherit."""
        if self._seat is not None and self._seat not in sitting:
            self.hand_to(sitting[0] if sitting and self.may_inherit() else None)
