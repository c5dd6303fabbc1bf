"""The boards for the host's choice, and the effect of a choice on the running table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

from tock_app.config.load import BOARD_SIDE_MM, is_drawn_alike, standard_board
from tock_companion.boardfile import BoardFile, fingerprint, parse, to_text
from tock_companion.errors import SpokenError
from tock_companion.language import DEFAULT
from tock_companion.storage.boards import BoardFolder
from tock_companion.table.seats.chairs import Places
from tock_companion.views.wording.games import title
from tock_rules import load_preset, preset_names, shape_for

STANDARD = "standard-"
"""Prefix of the keys of boards that are drawn from geometry and have no file."""
ELSEWHERE = "in-use"
"""The key of a board in use from another folder, or known to the running game alone."""


class _Settings(Protocol):
    """A keeper of the choice."""

    def names_board(self) -> Path | None: ...

    def board_choice(self, path: Path | None, board: BoardFile, game: str, /) -> Callable[[], None]: ...


@dataclass(frozen=True, slots=True)
class _Choice:
    """A board that can be chosen."""

    key: str
    board: BoardFile
    path: Path | None = None
    """None for a board that is drawn."""
    own: bool = False
    """Whether its file is in the folder, so that it can be renamed and removed."""
    game: str = ""
    """The ruleset that a drawn board is made for; empty for a Tock board."""


class BoardAdmin:
    """Lists, keeps and chooses boards for the page of the host; any thread may ask."""

    def __init__(
        self,
        folder: BoardFolder,
        in_use: BoardFile,
        settings: _Settings,
        reopen: Callable[[BoardFile, Path | None, str, Callable[[], None]], None],
        state_of: Callable[[BoardFile], Path],
        path_in_use: Path | None = None,
        places_on: Callable[[BoardFile, str], Places] = lambda _board, _game: {},
    ) -> None:
        """`reopen` ends the present game; the table goes on with another board, and keeps the choice once it is laid.

        `state_of` names a camera's calibration file for a board, and `places_on` says where everybody would sit.
        """
        self._folder, self._in_use, self._settings = folder, in_use, settings
        self._path_in_use = path_in_use
        self._reopen, self._state_of, self._places_on = reopen, state_of, places_on

    def known(self) -> list[dict[str, object]]:
        """Every board that can be chosen, as `BoardRow` describes it."""
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
                "colors": {seat.name: color for seat, color in choice.board.colors.items()},
                "places": {
                    seat.name: None if to is None else to.name
                    for seat, to in self._places_on(choice.board, choice.game).items()
                },
            }
            for choice in choices
        ]

    def places_on(self, key: str) -> Places:
        """Where everybody would sit on a board, by their present seats."""
        choice = self._get(key)
        return self._places_on(choice.board, choice.game)

    def board_for(self, game: str) -> str | None:
        """The board to lay for a game: the family's that was laid last, else the one that is drawn for it."""
        rules, zones = load_preset(game), self._in_use.zones
        fitting = [choice for choice in self._choices() if rules.fits(*choice.board.shape.size)]

        def order(choice: _Choice) -> tuple[bool, bool, int, float]:
            laid_s = choice.path.stat().st_mtime if choice.path is not None else 0.0
            return not choice.own, choice.game != game, abs(choice.board.zones - zones), -laid_s

        return min(fitting, key=order).key if fitting else None

    def choose(self, key: str, game: str = "") -> None:
        """Play new games on a board, `game` first; raises BadInputError where rules or players do not fit."""
        choice = self._get(key)
        if choice.key == ELSEWHERE:
            return
        choice = replace(choice, game=game or choice.game)
        used = self._used(list(self._choices()))
        if used is None:
            # Otherwise the way back to it would be lost.
            self._folder.add(self._in_use)
        elif used.path is not None:
            used.path.touch()
        keep = self._settings.board_choice(choice.path, choice.board, choice.game)
        self._reopen(choice.board, choice.path, choice.game, keep)

    def rename(self, key: str, name: str) -> None:
        """Give a board of the folder another name."""
        self._folder.rename(key, name)

    def remove(self, key: str) -> None:
        """Delete a board of the folder; raises BadInputError for the one in use."""
        choice = self._get(key)
        named = self._settings.names_board()
        used = self._used(list(self._choices()))
        if (used is not None and used.key == key) or _is_same(choice.path, named):
            raise SpokenError(
                f"the table is played on {choice.board.name}; choose another board first",
                "board/in_use",
                name=choice.board.name,
            )
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

    def sheets(self, key: str, drawing: Literal["paper", "drill"], size: Literal["a4", "letter"]) -> bytes:
        """A board at full size on sheets as PDF: to play on, or to drill by."""
        # Its library costs every start some time and memory, and drawings are rarely asked for.
        from tock_hardware import templates  # noqa: PLC0415

        return templates.sheets(self._get(key).board, drawing, size)

    def _choices(self) -> Iterator[_Choice]:
        for kept in self._folder.boards():
            yield _Choice(kept.key, kept.board, kept.path, own=True)
        yield from _drawn()

    def _used(self, choices: list[_Choice]) -> _Choice | None:
        mark = fingerprint(self._in_use)
        alike = [choice for choice in choices if fingerprint(choice.board) == mark]
        # Of twins it is the one whose file was opened.
        opened = (choice for choice in alike if _is_same(choice.path, self._path_in_use))
        return next(opened, alike[0] if alike else None)

    def _get(self, key: str) -> _Choice:
        if key == ELSEWHERE:
            return _Choice(ELSEWHERE, self._in_use)
        for drawn in _drawn():
            if drawn.key == key:
                return drawn
        kept = self._folder.get(key)
        return _Choice(kept.key, kept.board, kept.path, own=True)


def _drawn() -> Iterator[_Choice]:
    """The Tock boards, and the boards of the other games that differ from them."""
    for zones in BOARD_SIDE_MM:
        yield _Choice(f"{STANDARD}{zones}", standard_board(zones))
    for rules in map(load_preset, preset_names()):
        for zones in rules.zones:
            shape = shape_for(rules, zones)
            if not is_drawn_alike(shape):
                board = standard_board(shape)
                named = replace(board, name=f"{title(rules.name)[DEFAULT]}, {board.name}")
                yield _Choice(f"{STANDARD}{rules.name}-{zones}", named, game=rules.name)


def _is_same(path: Path | None, other: Path | None) -> bool:
    return path is not None and other is not None and path.resolve() == other.resolve()
