"""The secret of a game from which the order of the cards that the companion draws follows.

It comes from the system's source of chance and is kept beside the host's choices, so that a restart draws the same
cards: in no log, recording, report or view.
"""

from collections.abc import Callable
from secrets import token_bytes

from tock_companion.storage import Store
from tock_companion.table.runtime.ledger import Ledger

KEPT_AS = "draws"
SECRET_BYTES = 32


class DrawSecret:
    """Keeps the secret of the running game."""

    def __init__(self, store: Store, ledger: Ledger, make: Callable[[int], bytes] = token_bytes) -> None:
        """Take `make` for the source of chance."""
        self._store, self._ledger, self._make = store, ledger, make

    def of_game(self, number: int) -> bytes:
        """The secret of a game that goes on; a new one where none was kept."""
        match self._store.choices.get(KEPT_AS):
            case [int(kept), str(secret)] if kept == number:
                try:
                    return bytes.fromhex(secret)
                except ValueError:
                    pass
        return self.renewed(number)

    def renewed(self, number: int) -> bytes:
        """A secret for a game that begins; lost at a restart where the disk does not take it."""
        secret = self._make(SECRET_BYTES)
        self._ledger.write_if_idle(lambda: self._store.choices.keep(KEPT_AS, [number, secret.hex()]))
        return secret
