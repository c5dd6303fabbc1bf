"""What the page needs of a table: the only things of it that this package touches.

`tock_companion.table.Table` has this shape; tests may bring another.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tock_companion.boardfile import BoardFile
from tock_companion.rules import Card, Seat
from tock_companion.table.advising import Moment
from tock_companion.table.requests import Reply, Request, Role, Ticket
from tock_companion.views.schema import ReplayView, View


class Subscription(Protocol):
    """A stream of views for one role; only the newest one is kept."""

    def get(self, timeout_s: float) -> View | None:
        """Return a view that is newer than the last one given, None after `timeout_s` seconds or when closed."""

    def close(self) -> None:
        """End the stream; a waiting `get` returns soon after."""


class SceneDoor(Protocol):
    """The simulated table: where the physical pawns stand, in millimetres of the board file."""

    @property
    def revision(self) -> int:
        """Grows with every change."""

    def to_json(self) -> Mapping[str, object]:
        """Return everything that is on the simulated table."""

    def move_pawn(self, pawn_id: str, x_mm: float, y_mm: float) -> None:
        """Put a pawn somewhere; BadInputError when there is no such pawn or the place is too far away."""

    def show_hand(self, x_mm: float, y_mm: float) -> None:
        """Hold a hand over the board."""

    def hide_hand(self) -> None:
        """Take the hand away."""

    def lay_card(self, card: Card, seat: Seat | None = None) -> None:
        """Lay a card beside the board."""

    def clear_card(self) -> None:
        """Take the laid card away."""


class ArchiveDoor(Protocol):
    """The games that were played; without anybody's hand."""

    def games(self) -> list[dict[str, object]]:
        """Return all games, newest first."""

    def log(self, number: int) -> str:
        """Return a game as JSON lines; BadInputError when there is none of that number."""


class ChoicesDoor(Protocol):
    """What the host has chosen for this table."""

    def get(self, name: str) -> object:
        """Return what was chosen, None when nothing was."""

    def keep(self, name: str, value: object) -> None:
        """Replace what was chosen."""


class WitnessDoor(Protocol):
    """What speaks for a move that was accepted; for the host alone."""

    def of(self, seq: int, game: int | None = None) -> dict[str, object]:
        """Return it; BadInputError when that event is no accepted move."""

    def png(self, seq: int, name: str, game: int | None = None) -> bytes | None:
        """Return one of its pictures."""


class TableDoor(Protocol):
    """The one door to the game."""

    @property
    def choices(self) -> ChoicesDoor:
        """What the host has chosen for this table."""

    @property
    def witness(self) -> WitnessDoor:
        """What speaks for moves that were accepted."""

    @property
    def archive(self) -> ArchiveDoor:
        """The games that were played."""

    def replay(self, number: int | None = None) -> ReplayView:
        """Return a game, the present one if none is named, to step through; BadInputError if there is none."""

    def record(self, number: int | None = None) -> str:
        """Return a game as text for people."""

    def journal(self) -> list[dict[str, object]]:
        """Return what was decided in the present game, newest first, with the evidence."""

    def take_up(self, lines: list[str]) -> Reply:
        """End the present game and go on with the one of a log."""

    @property
    def board_file(self) -> BoardFile:
        """The board that is drawn."""

    @property
    def scene(self) -> SceneDoor | None:
        """The simulated table, None when the table is a real one."""

    def view(self, role: Role, seat: Seat | None = None) -> View:
        """Return what this role sees now."""

    def moment(self, seat: Seat, before: bool = False) -> Moment | None:
        """Return the decision that a seat takes now, or took last, for advice to that seat alone."""

    def subscribe(self, role: Role, seat: Seat | None = None) -> Subscription:
        """Return a stream of what this role sees."""

    def request(self, request: Request) -> Reply:
        """Judge a wish and answer it."""

    def join(self, name: str, seat: Seat, lang: str) -> Ticket | Reply:
        """Give a free seat to a person; a Reply says why not."""

    def ask_for_seat(self, name: str, seat: Seat, lang: str) -> str | Reply:
        """Ask for a taken seat; return the secret with which to hear the answer."""

    def hear_of_seat(self, secret: str) -> Ticket | bool | None:
        """Return a ticket after a yes, None while nobody has answered, False after a no."""

    def holder(self, token: str) -> Seat | None:
        """Return the seat that a token acts for."""

    def leave(self, token: str) -> None:
        """Free the seat of a token."""

    @property
    def sources(self) -> Sequence[object]:
        """What senses the table; `tock_web.camera` asks those that can be taught."""

    def keep_photo(self, seat: Seat, kind: str, picture: bytes) -> None:
        """Keep a photo of a hand if the host records photos; otherwise do nothing."""

    def preview(self) -> bytes | None:
        """Return the newest frame of the camera as JPEG."""
