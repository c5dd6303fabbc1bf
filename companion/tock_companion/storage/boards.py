"""The boards of a table: board files in a folder; a file's name without its suffix is the board's key."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from tock_companion.boardfile import BoardFile, fingerprint, load, parse, to_json, to_text
from tock_companion.errors import BadInputError, TockError, one_line, printable, quoted
from tock_companion.files import replace_file
from tock_companion.names import tidy_name

FOLDER = "boards"
MAX_BOARDS = 100
MAX_KEY_CHARS = 40
MAX_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class KeptBoard:
    key: str
    path: Path
    board: BoardFile


@dataclass(frozen=True, slots=True)
class BadBoard:
    """A file of the folder that is not a board file, and the line that says why."""

    path: Path
    why: str


class BoardFolder:
    """The folder; any thread may call this, and files that people put there by hand count like all others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changing = Lock()

    def all(self) -> Iterator[KeptBoard | BadBoard]:
        """Read every file, in the order of their names."""
        for path in self._files():
            try:
                yield KeptBoard(path.stem, path, load(path))
            except BadInputError as error:
                yield BadBoard(path, one_line(str(error)))

    def boards(self) -> list[KeptBoard]:
        """The boards that can be played on."""
        return [found for found in self.all() if isinstance(found, KeptBoard)]

    def get(self, key: str) -> KeptBoard:
        """A board by its key; raises BadInputError where there is none, or where its file is damaged."""
        for path in self._files():
            if path.stem == key:
                return KeptBoard(key, path, load(path))
        raise BadInputError(f"there is no board {quoted(key)}")

    def add(self, board: BoardFile) -> str:
        """Save a board and return its key; a board that exists under this name is not saved twice."""
        with self._changing:
            kept = self.boards()
            for other in kept:
                if other.board.name == board.name and fingerprint(other.board) == fingerprint(board):
                    return other.key
            if len(kept) >= MAX_BOARDS:
                raise BadInputError(f"there are {len(kept)} boards already; remove some in {self.folder}")
            key = self._free_key(board.name)
            self._write(self.folder / f"{key}.json", board)
            return key

    def rename(self, key: str, name: str) -> None:
        """Rename a board; its file keeps its name."""
        with self._changing:
            found = self.get(key)
            self._write(found.path, renamed(found.board, name))

    def remove(self, key: str) -> None:
        with self._changing:
            path = self.get(key).path
            try:
                path.unlink()
            except OSError as error:
                raise TockError(f"{path} cannot be removed ({error.strerror})") from None

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []

    def _free_key(self, name: str) -> str:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:MAX_KEY_CHARS].strip("-") or "board"
        taken = {path.stem for path in self._files()}
        return next(
            key for key in (stem, *(f"{stem}-{number}" for number in range(2, 1000))) if key not in taken
        )

    def _write(self, path: Path, board: BoardFile) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(path, to_text(board))
        except OSError as error:
            raise TockError(f"{path} cannot be written ({error.strerror}); make room on the disk") from None


def renamed(board: BoardFile, name: str) -> BoardFile:
    """The same board under another name; raises BadInputError for an invalid name."""
    if not tidy_name(name) or len(name) > MAX_NAME_CHARS:
        raise BadInputError(f"a board's name has 1 to {MAX_NAME_CHARS} letters, not {printable(name)[:80]}")
    return parse(to_json(replace(board, name=name.strip())))
