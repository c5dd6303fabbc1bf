"""The program's services for the page: one typed value, with protocols where the page must not know more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from tock_companion.allowance import Window
from tock_companion.boardfile import BoardFile
from tock_companion.language import Language
from tock_companion.machine.client import Helper
from tock_companion.table.seats.chairs import Places
from tock_web.limits.pin_attempts import pin_attempts
from tock_web.rights.host_secrets import Hosts
from tock_web.rights.machine_code import MachineCode

if TYPE_CHECKING:
    from tock_companion.voice.table_voice import TableVoice

Service = TypeVar("Service")
MetricsText = Callable[[], bytes]
"""Makes the text of `/metrics`."""


class Choices(Protocol):
    """The host's choices, kept through restarts; the store of the table keeps them."""

    def get(self, name: str) -> object:
        """The saved choice, or None."""

    def keep(self, name: str, value: object) -> None:
        """Replace the choice; raises TockError when it cannot be saved."""


class Boards(Protocol):
    """The boards that the host may choose from; every call raises BadInputError with one line."""

    def known(self) -> list[dict[str, object]]:
        """Every board that can be chosen."""

    def choose(self, key: str, game: str = "") -> None:
        """Have the table built with it, for that game."""

    def board_for(self, game: str) -> str | None:
        """The board to lay for a game; None where there is none."""

    def places_on(self, key: str) -> Places:
        """Where everybody would sit on it, by their present seats."""

    def rename(self, key: str, name: str) -> None:
        """Rename it."""

    def remove(self, key: str) -> None:
        """Delete it."""

    def take_in(self, text: str) -> str:
        """Save the board of a file, and return its key."""

    def file(self, key: str) -> str:
        """Its board file."""

    def sheets(self, key: str, drawing: Literal["paper", "drill"], size: Literal["a4", "letter"]) -> bytes:
        """A PDF of it."""

    def keep_made(self, board: BoardFile, learn: Callable[[BoardFile, Path], bool]) -> str:
        """Save a board with its learned state, and return its key."""


class MachineAdmin(Protocol):
    """Settings and diagnosis of the machine."""

    def settings(self) -> dict[str, object]:
        """The file, its text and its keys."""

    def change(self, name: str, value: object, prove: Callable[[], None]) -> None:
        """Write one key; raises BadInputError. `prove` is called before a change that opens a door."""

    def replace(self, text: str, prove: Callable[[], None]) -> None:
        """Write the whole file; raises BadInputError."""

    def diagnosis(self) -> list[dict[str, object]]:
        """The doctor's findings."""


class PhonePlaces(Protocol):
    """Slots for phones that are cameras; every call raises TockError where the settings cannot be saved."""

    def begin(self) -> None:
        """Have the table built with one more phone as a camera."""

    def end(self) -> None:
        """Have it built without phones."""


@dataclass(frozen=True, slots=True)
class FilmKey:
    """Identifies a film: of a game at its end, the event that ended it, in one language."""

    number: int
    seq: int
    lang: Language


@dataclass(frozen=True, slots=True)
class FilmProgress:
    """The progress of a film."""

    state: Literal["none", "making", "ready", "failed"]
    percent: int


class Films(Protocol):
    """Draws films of games in the background."""

    def ask(self, key: FilmKey) -> None:
        """Have a film drawn, unless it is there or under way."""

    def progress(self, key: FilmKey) -> FilmProgress:
        """The progress of a film."""

    def film(self, key: FilmKey) -> bytes | None:
        """A film that is ready, as an animated GIF."""


class DrawBoard(Protocol):
    """Draws where the pawns of a board stand, as PNG."""

    def __call__(self, board: BoardFile, holes: Mapping[str, str], width_px: int, /) -> bytes:
        """The picture; `holes` says by hole whose pawn stands there."""


class ReadPhoto(Protocol):
    """Reads the cards on a photo of a hand."""

    def __call__(self, data: bytes, /) -> Sequence[dict[str, object]]:
        """A reading for each card: `likely` (none if it cannot be read), `confidence`, perhaps the corner's `letter`.

        Raises BadInputError for an unusable picture.
        """


@dataclass(frozen=True, slots=True)
class PageServices:
    """The page's optional parts beside the table; the page does not offer those that are None."""

    hosts: Hosts = field(default_factory=Hosts)
    """The hosts before the board was changed."""
    machine_code: MachineCode = field(default_factory=MachineCode)
    """The codes that the machine shows."""
    pin_attempts: Window = field(default_factory=pin_attempts)
    """The attempts at the PIN and the codes before the board was changed."""
    host_names: Sequence[str] = ()
    """Further names under which the page answers."""
    data: Path | None = None
    """The folder for the PIN and for uploads."""
    machine: MachineAdmin | None = None
    helper: Helper | None = None
    """The helper with the superuser's rights."""
    boards: Boards | None = None
    phone_places: PhonePlaces | None = None
    voice: "TableVoice | None" = None
    read_cards: ReadPhoto | None = None
    films: Films | None = None
    draw_board: DrawBoard | None = None
    camera_port: Callable[[], int] = lambda: 0
    """The port of the camera's page, 0 while there is none."""
    metrics: Callable[[Callable[[], int]], MetricsText] | None = None
    """Receives a function that counts the open streams."""
    shut_down: Callable[[], bool] | None = None
    """Ends the companion; the argument says whether to switch the machine off too."""
    restart: Callable[[], None] | None = None
    """Ends the companion where its supervisor starts it again."""
    of_features: Sequence[object] = ()
    """The services of features, each of a type that its feature declares."""

    def of_feature(self, kind: type[Service]) -> Service | None:
        """The service of a feature; None where the program offers none."""
        return next((service for service in self.of_features if isinstance(service, kind)), None)
