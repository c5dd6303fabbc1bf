"""Who sits where: a seat is held by a secret token until its holder leaves it."""

import hashlib
import hmac
import secrets
import threading

from tock_companion.rules.geometry import Seat
from tock_companion.storage import SeatHolder, Store
from tock_companion.table.requests import Ticket

NAME_LENGTH = 24


class Seating:
    """The holders of the seats; kept in the store, so that a restart changes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._holders = {holder.seat: holder for holder in store.holders()}

    def names(self) -> dict[Seat, str]:
        """Return the names of all holders."""
        return {seat: holder.name for seat, holder in self._holders.items()}

    def join(self, name: str, seat: Seat, lang: str) -> Ticket | None:
        """Give a free seat to a person; None when somebody else holds it."""
        with self._lock:
            if seat in self._holders:
                return None
            name = " ".join(name.split())[:NAME_LENGTH]
            token = secrets.token_hex(16)
            holder = SeatHolder(seat, name, lang, _digest(token))
            self._store.save_holder(holder)
            self._holders[seat] = holder
        return Ticket(seat, name, token)

    def holder(self, token: str) -> Seat | None:
        """Return the seat that this token holds."""
        digest = _digest(token)
        for seat, holder in self._holders.items():
            if hmac.compare_digest(holder.token_hash, digest):
                return seat
        return None

    def free(self, seat: Seat) -> None:
        """Take a seat from whoever holds it."""
        with self._lock:
            self._store.free_seat(seat)
            self._holders.pop(seat, None)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
