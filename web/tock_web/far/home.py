"""The program's services for people and boards far away, as the page knows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from tock_companion.core.requests import Reply
from tock_companion.core.roster import FarCards
from tock_companion.language import Text
from tock_companion.views.state import FarState, Sign
from tock_rules import Seat


class FarGuest(Protocol):
    """An invitation to somebody far away."""

    @property
    def room(self) -> str:
        """Its name."""

    @property
    def seat(self) -> Seat | None:
        """The seat; None for a board."""

    @property
    def name(self) -> str:
        """The name that the host gave."""

    @property
    def state(self) -> FarState:
        """The state."""

    @property
    def seconds(self) -> int:
        """Time in that state."""

    @property
    def round_trip_ms(self) -> int | None:
        """The delay of the line, once the phone has measured it."""

    @property
    def cards(self) -> FarCards:
        """Origin of its cards."""

    @property
    def link(self) -> str:
        """The link; its secret part is for the guest alone."""

    @property
    def until_s(self) -> int:
        """Unix time of its end."""

    @property
    def is_other_version(self) -> bool:
        """Whether they came with another version."""

    @property
    def watches(self) -> bool:
        """Whether it is for somebody who only looks on."""


class FarHome(Protocol):
    """The people and boards far away; a call raises TockError where the relay does not answer, and
    BadInputError for an invitation that has ended."""

    @property
    def relay(self) -> str:
        """The address of the relay."""

    @property
    def is_reached(self) -> bool:
        """Whether it is reached now."""

    def guests(self) -> Sequence[FarGuest]:
        """All invitations."""

    def invite(self, seat: Seat | None, name: str, cards: FarCards, *, watches: bool) -> FarGuest:
        """Invite somebody to a seat or to look on, or a board."""

    def awaited(self, seat: Seat) -> str | None:
        """The name of somebody who is invited to a seat, empty where none is known; None for nobody."""

    def renew(self, room: str) -> FarGuest:
        """Give a new link in place of the one before."""

    def revoke(self, room: str) -> None:
        """Take an invitation back."""

    def choose_cards(self, room: str, cards: FarCards) -> None:
        """Say where the cards of a seat come from."""

    def stand_in(self, room: str) -> Reply:
        """Have the computer play for somebody who is away."""

    def sign(self, seat: Seat | None, sign: Sign, name: str = "") -> bool:
        """Show a sign of a seat, or of somebody who looks on; False when they give one after another."""


class Followed(Protocol):
    """State of the home that this table follows."""

    @property
    def state(self) -> Literal["off", "connecting", "here", "ended", "refused"]:
        """The state, in a word."""

    @property
    def sentence(self) -> Text | None:
        """The same for people."""

    @property
    def round_trip_ms(self) -> int | None:
        """The delay of the line."""


class SecondBoard(Protocol):
    """This table as a second board of another home."""

    @property
    def followed(self) -> Followed | None:
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

    home: FarHome | None = None
    second_board: SecondBoard | None = None
