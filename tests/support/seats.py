"""People round a table that has no game but hands of nobody, and a disk that takes everything at once."""

import time
from collections.abc import Callable

from tock_companion.events.hands import Hands
from tock_companion.storage import Store
from tock_companion.table.seats.hand_owners import PlayedGame
from tock_companion.table.seats.people import People
from tock_rules import Seat, load_preset


class DiskAtOnce:
    """Writes as soon as it is asked to."""

    def keep(self, write: Callable[[], None]) -> None:
        write()

    def write_if_idle(self, write: Callable[[], None]) -> None:
        write()


def people_of(store: Store, clock_s: Callable[[], float] = time.monotonic) -> People:
    """The people of a store, with one seat to sit on."""
    game = PlayedGame(1, (Seat.P0,), Hands(load_preset("mjc"), (Seat.P0, Seat.P2), Seat.P0))
    return People(store, lambda: game, DiskAtOnce(), clock_s)
