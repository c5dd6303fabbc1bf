"""This companion as a second board of another home; its libraries are loaded once a link is entered."""

from pathlib import Path
from typing import TYPE_CHECKING

from tock_companion.storage.files import FAR_BOARD_NAME
from tock_companion.table.runtime.live import Table
from tock_companion.views.state import Sign
from tock_rules import Seat

if TYPE_CHECKING:
    from tock_companion.far.second_board import Followed, SecondBoard


class Elsewhere:
    """The home that this table follows, if any."""

    def __init__(self, table: Table, folder: Path, ca: str) -> None:
        """Prepare; `ca` is the file of a certificate that only this machine trusts."""
        self._table, self._folder, self._ca = table, folder, ca
        self._board: SecondBoard | None = None

    def start(self) -> None:
        """Resume following the last home."""
        if (self._folder / FAR_BOARD_NAME).exists():
            self._loaded().start()
        elif self._table.following is not None:
            # Its link was deleted by hand: the copy of the game goes on here.
            self._table.unfollow()

    def stop(self) -> None:
        """End the connection."""
        if self._board is not None:
            self._board.stop()

    @property
    def followed(self) -> "Followed | None":
        """State of the followed home; None without a link."""
        return None if self._board is None else self._board.followed

    def follow(self, text: str) -> None:
        """Follow the home of a link."""
        self._loaded().follow(text)

    def leave(self) -> None:
        """Stop following."""
        self._loaded().leave()

    def sign(self, seat: Seat, sign: Sign) -> bool:
        """Give a player's sign to both homes; False while there is no line."""
        return self._loaded().sign(seat, sign)

    def later(self) -> None:
        """Report that people here copy the last move later."""
        self._loaded().later()

    def _loaded(self) -> "SecondBoard":
        if self._board is None:
            # Ciphers and MQTT take memory, and hardly any board is a second one.
            from tock_app.service.far import second_board  # noqa: PLC0415

            self._board = second_board(self._table, self._folder, self._ca)
        return self._board
