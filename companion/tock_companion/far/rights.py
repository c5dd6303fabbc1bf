"""The rights of a table's rooms, asked for again after whatever may have lost them.

A broker that was killed may have lost the notes of its last seconds, and one whose disk was full all of them; the
guests, who cannot ask, would be shut out until the end of the evening.
"""

import logging
import time
from collections.abc import Callable, Iterable

from tock_companion.far.relay_service import RelayError
from tock_companion.far.room import Room

LOG = logging.getLogger(__name__)
PAUSE_S = 10.0


class RoomRights:
    """Asks when the line is back, and every ten seconds while the relay refuses; used by one thread."""

    def __init__(self, ask: Callable[[Room], None], clock_s: Callable[[], float] = time.monotonic) -> None:
        """Prepare; `ask` asks for a room and raises RelayError."""
        self._ask, self._clock_s = ask, clock_s
        self._are_due = False
        self._not_before_s = clock_s()

    def line_is_back(self) -> None:
        """Ask soon: the broker may be another one, or may have forgotten. Called by any thread."""
        self._are_due = True

    def look_after(self, rooms: Iterable[Room], *, is_refused: bool) -> None:
        """Ask, where it is time to; `is_refused`: the table itself is not let in."""
        if not (self._are_due or is_refused) or self._clock_s() < self._not_before_s:
            return
        self._not_before_s = self._clock_s() + PAUSE_S
        self._are_due = False
        for room in rooms:
            try:
                self._ask(room)
            except RelayError as error:
                LOG.warning("%s", error)
                self._are_due = True
                return
