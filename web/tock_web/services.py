"""The program's services for the page: one typed value, with protocols where the page must not know more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from tock_companion.boardfile import BoardFile
from tock_companion.language import Language, Text
from tock_companion.machine.client import Helper
from tock_web.rights.host_secrets import Hosts
from tock_web.rights.machine_code import MachineCode
from tock_web.services_far import FarHome, SecondBoard

Speech = Literal["off", "fr", "en"]
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

    def choose(self, key: str) -> None:
        """Have the table built with it."""

    def rename(self, key: str, name: str) -> None:
        """Rename it."""

    def remove(self, key: str) -> None:
        """Delete it."""

    def take_in(self, text: str) -> str:
        """Save the board of a file, and return its key."""

    def file(self, key: str) -> str:
        """Its board file."""

    def sheets(self, key: str, drawing: Literal["paper", "drill"]) -> bytes:
        """A PDF of it."""

    def keep_made(self, board: BoardFile, learn: Callable[[BoardFile, Path], bool]) -> str:
        """Save a board with its learned state, and return its key."""


class BoardMaker(Protocol):
    """Makes a board file from photographs; every call raises BadInputError with one line."""

    def state(self) -> Mapping[str, object]:
        """Progress of the board: `tock_web.answers.boards.BoardMade`."""

    def clear(self) -> None:
        """Start again."""

    def add_photo(self, data: bytes) -> None:
        """Add a photograph."""

    def picture(self, number: int) -> bytes | None:
        """A photograph as JPEG."""

    def checked_picture(self) -> bytes | None:
        """The photograph that was checked last, as JPEG."""

    def find(
        self, zones: int | None, starts: Sequence[tuple[float, float]], middle: bool | None = None
    ) -> None:
        """Begin to search; `middle` is whether a hole is there, None where nobody has said."""

    def draw(self, starts: Sequence[tuple[float, float]]) -> None:
        """Start a board of which only the start holes are known."""

    def edit(
        self, kind: str, hole: str, photo: int, at: tuple[float, float] | None, color: str, everywhere: bool
    ) -> str:
        """Change the board; returns a word for why that is impossible, or nothing."""

    def answer(self, code: str, *, yes: bool) -> None:
        """Answer a question by its code."""

    def undo(self) -> None:
        """Take the last edit or answer back."""

    def check(self, data: bytes, patience_s: float) -> None:
        """Look for all pawns in their camps."""

    def board(self, name: str) -> BoardFile:
        """The board file."""

    def learn(self, board: BoardFile, state: Path) -> bool:
        """Calibrate the camera from the photographs."""


class MachineAdmin(Protocol):
    """Settings and diagnosis of the machine."""

    def settings(self) -> dict[str, object]:
        """The file, its text and its keys."""

    def change(self, name: str, value: object) -> None:
        """Write one key; raises BadInputError."""

    def replace(self, text: str) -> None:
        """Write the whole file; raises BadInputError."""

    def diagnosis(self) -> list[dict[str, object]]:
        """The doctor's findings."""


class PhonePlaces(Protocol):
    """Slots for phones that are cameras; every call raises TockError where the settings cannot be saved."""

    def begin(self) -> None:
        """Have the table built with one more phone as a camera."""

    def end(self) -> None:
        """Have it built without phones."""


class TableVoice(Protocol):
    """The machine's own loudspeaker."""

    @property
    def speech(self) -> Speech:
        """The host's choice."""

    def choose(self, speech: Speech) -> None:
        """Take the host's decision; raises TockError when it cannot be saved."""

    def try_out(self, lang: Language) -> None:
        """Say a sentence."""

    def trouble(self) -> Text | None:
        """The reason why nothing can be heard here."""


class TableMember(Protocol):
    """The table as a member of the club on its broker."""

    @property
    def broker_up(self) -> bool:
        """Whether the broker can be reached."""

    @property
    def club_met(self) -> str | None:
        """The name of the club whose desk is on the broker."""

    @property
    def is_member(self) -> bool:
        """Whether the table has joined that club."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the table belongs to another club."""

    def join(self) -> bool:
        """Join the club whose desk is on the broker; False where there is none. Raises TockError when it cannot be
        saved."""

    def leave(self) -> None:
        """Leave every club; raises TockError when it cannot be saved."""


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
    host_names: Sequence[str] = ()
    """Further names under which the page answers."""
    data: Path | None = None
    """The folder for the PIN and for uploads."""
    machine: MachineAdmin | None = None
    helper: Helper | None = None
    """The helper with the superuser's rights."""
    boards: Boards | None = None
    board_maker: BoardMaker | None = None
    phone_places: PhonePlaces | None = None
    voice: TableVoice | None = None
    club: TableMember | None = None
    far: FarHome | None = None
    second_board: SecondBoard | None = None
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
