"""The program's services for people and boards far away."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tock_companion.views.state import Sign
from tock_rules import Seat

if TYPE_CHECKING:
    # Loaded only where the settings name a relay.
    from tock_companion.far.second_board import Followed
    from tock_companion.far.tunnel import Tunnel


class SecondBoard(Protocol):
    """This table as a second board of another home."""

    @property
    def followed(self) -> "Followed | None":
        """State of the home that is followed; None where no link was entered."""

    def follow(self, text: str) -> None:
        """Follow the home of a link; raises BadInputError with the code of a sentence, TockError by the disk."""

    def sign(self, seat: Seat, sign: Sign) -> bool:
        """Give a sign of somebody here to both homes; False while there is no line."""

    def leave(self) -> None:
        """Follow nobody any more."""

    def later(self) -> None:
        """Say that people here copy the last move later."""


@dataclass(frozen=True, slots=True)
class FarServices:
    """The people far away, and the home that this table follows; None where the program offers none."""

    home: "Tunnel | None" = None
    second_board: SecondBoard | None = None
