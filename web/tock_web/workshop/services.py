"""The program's service for the board workshop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tock_companion.boardfile import BoardFile


class BoardMaker(Protocol):
    """Makes a board file from photographs; every call raises BadInputError with one line."""

    def state(self) -> Mapping[str, object]:
        """Progress of the board: `tock_web.workshop.answers.BoardMade`."""

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

    def check(self, data: bytes, patience_s: float) -> object:
        """Look for all pawns in their camps."""

    def board(self, name: str) -> BoardFile:
        """The board file."""

    def learn(self, board: BoardFile, state: Path) -> bool:
        """Calibrate the camera from the photographs."""


@dataclass(frozen=True, slots=True)
class WorkshopServices:
    """The board workshop of this companion."""

    board_maker: BoardMaker
