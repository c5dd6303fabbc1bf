"""The boards for the host's choice, and the effect of a choice on the running table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from tock_app.config.load import BOARD_SIDE_MM, standard_board
from tock_companion.boardfile import BoardFile, fingerprint, parse, to_text
from tock_companion.errors import BadInputError
from tock_companion.storage.boards import BoardFolder

STANDARD = "standard-"
"""Prefix of the keys of boards that are drawn from geometry and have no file."""
ELSEWHERE = "in-use"
"""The key of a board in use from another folder, or known to the running game alone."""


class _Settings(Protocol):
    """A keeper of the choice."""

    def names_board(self) -> Path | None: ...

    def board_choice(self, path: Path | None, zones: int) -> Callable[[], None]: ...


@dataclass(frozen=True, slots=True)
class _Choice:
    """A board that can be chosen."""

    key: str
    board: BoardFile
    path: Path | None = None
    """None for a board that is drawn."""
    own: bool = False
    """Whether its file is in the folder, so that it can be renamed and removed."""


class BoardAdmin:
    """Lists, keeps and chooses boards for the page of the host; any thread may ask."""

    def __init__(
        self,
        folder: BoardFolder,
        in_use: BoardFile,
        settings: _Settings,
        reopen: Callable[[BoardFile, Path | None, Callable[[], None]], None],
        state_of: Callable[[BoardFile], Path],
        path_in_use: Path | None = None,
    ) -> None:
        """`reopen` ends the present game; the table goes on with another board, and keeps the choice once it is laid.

        `state_of` names a camera's calibration file for a board.
        """
        self._folder, self._in_use, self._settings = folder, in_use, settings
        self._path_in_use = path_in_use
        self._reopen, self._state_of = reopen, state_of

    def known(self) -> list[dict[str, object]]:
        """Every board that can be chosen: `key`, `name`, `zones`, `holes`, `own` (has a file here), `in_use`."""
        choices = list(self._choices())
        used = self._used(choices)
        if used is None:
            used = _Choice(ELSEWHERE, self._in_use)
            choices.insert(0, used)
        return [
            {
                "key": choice.key,
                "name": choice.board.name,
                "zones": choice.board.zones,
                "holes": len(choice.board.holes),
                "own": choice.own,
                "in_use": choice is used,
            }
            for choice in choices
        ]

    def choose(self, key: str) -> None:
        """Play new games on a board from now on; raises BadInputError where rules or players do not fit."""
        choice = self._get(key)
        if choice.key == ELSEWHERE:
            return
        self._reopen(choice.board, choice.path, self._settings.board_choice(choice.path, choice.board.zones))

    def rename(self, key: str, name: str) -> None:
        """Give a board of the folder another name."""
        self._folder.rename(key, name)

    def remove(self, key: str) -> None:
        """Delete a board of the folder; raises BadInputError for the one in use."""
        choice = self._get(key)
        named = self._settings.names_board()
        used = self._used(list(self._choices()))
        if (used is not None and used.key == key) or _is_same(choice.path, named):
            raise BadInputError(f"the table is played on {choice.board.name}; choose another board first")
        self._folder.remove(key)

    def take_in(self, text: str) -> str:
        """Keep the board of an uploaded file, and return its key."""
        return self._folder.add(parse(text))

    def keep_made(self, board: BoardFile, learn: Callable[[BoardFile, Path], bool]) -> str:
        """Keep a board made here and the calibration that `learn` writes; return its key."""
        key = self._folder.add(board)
        learn(board, self._state_of(board))
        return key

    def file(self, key: str) -> str:
        """The board file of a board, as text."""
        return to_text(self._get(key).board)

    def sheets(self, key: str, drawing: Literal["paper", "drill"]) -> bytes:
        """A board at full size on sheets of A4 as PDF: to play on, or to drill by."""
        # Its library costs every start some time and memory, and drawings are rarely asked for.
        from tock_hardware import templates  # noqa: PLC0415

        return templates.sheets(self._get(key).board, drawing)

    def _choices(self) -> Iterator[_Choice]:
        for kept in self._folder.boards():
            yield _Choice(kept.key, kept.board, kept.path, own=True)
        for zones in BOARD_SIDE_MM:
            yield _Choice(f"{STANDARD}{zones}", standard_board(zones))

    def _used(self, choices: list[_Choice]) -> _Choice | None:
        mark = fingerprint(self._in_use)
        alike = [choice for choice in choices if fingerprint(choice.board) == mark]
        # Of twins it is the one whose file was opened.
        opened = (choice for choice in alike if _is_same(choice.path, self._path_in_use))
        return next(opened, alike[0] if alike else None)

    def _get(self, key: str) -> _Choice:
        if key == ELSEWHERE:
            return _Choice(ELSEWHERE, self._in_use)
        standards = {f"{STANDARD}{zones}": zones for zones in BOARD_SIDE_MM}
        if key in standards:
            return _Choice(key, standard_board(standards[key]))
        kept = self._folder.get(key)
        return _Choice(kept.key, kept.board, kept.path, own=True)


def _is_same(path: Path | None, other: Path | None) -> bool:
    return path is not None and other is not None and path.resolve() == other.resolve()
