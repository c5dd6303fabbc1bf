"""The data folder and the database file: checked for use, with one line on each fault."""

import os
import sqlite3
import stat
from contextlib import suppress
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

from tock_companion.errors import TockError
from tock_companion.files import require_file
from tock_companion.operating_system import Lock, lock_file

DATABASE_NAME = "games.sqlite"
FAR_BOARD_NAME = "far-board.json"
"""The home that this table follows."""
JOKERS_NAME = "jokers.npz"
"""The players' own jokers, learned by `tock cards enrol` and read by the page too."""
STATISTICS_NAME = "statistics.sqlite"
"""Made from the games whenever it is missing."""
LOCK_NAME = ".lock"
BACKUPS = "backups"
OTHERS = 0o077
"""The permissions of everybody but the owner."""
PRIVATE_FILES = (
    "games*.sqlite*",
    "games-origin",
    "camera-*.npz",
    "jokers.npz",
    "tock.toml",
    "host-pin.json",
    "far*.json",
)
PRIVATE_FOLDERS = (BACKUPS, "recordings")
_COMPANIONS = ("", "-wal", "-shm", "-journal")


def prepare_folder(folder: Path) -> Path:
    """Make the data folder if needed and return it; raises TockError when it cannot be written."""
    remedy = "choose another folder with TOCK_DATA or mend its permissions"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".write-test-{os.getpid()}"
        # A folder marked read-only is meant to stay untouched, even where the superuser could write.
        if not folder.stat().st_mode & 0o222:
            raise PermissionError("the folder is marked read-only")
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise TockError(f"data folder {folder} cannot be written ({error}); {remedy}") from None
    return folder


class Holder(Enum):
    """The kinds of program with a folder of their own; each has its own way to stop and to choose another folder."""

    COMPANION = "a companion"
    DESK = "a club's desk"

    @property
    def option(self) -> str:
        """The option or setting that names another folder."""
        return "TOCK_DATA" if self is Holder.COMPANION else "--data"

    @property
    def how_to_stop(self) -> str:
        """The command for one that is a service of the machine."""
        unit = "tock-companion" if self is Holder.COMPANION else "tock-companion-club"
        return f" (sudo systemctl stop {unit})"


class FolderLock:
    """Held by the one program that may change a data folder; the kernel releases it when that program ends."""

    def __init__(self, folder: Path, holder: Holder = Holder.COMPANION) -> None:
        """Take the lock as `holder`; raises TockError when another program holds it."""
        self._folder, self._holder = folder, holder
        self._lock = _locked(prepare_folder(folder) / LOCK_NAME, holder)
        make_private(folder)

    def renew(self) -> None:
        """Take the lock of the same folder on a disk that was put back; raises TockError as above."""
        lock = _locked(self._folder / LOCK_NAME, self._holder)
        self._lock.close()
        self._lock = lock

    def release(self) -> None:
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _locked(path: Path, holder: Holder) -> Lock:
    try:
        return lock_file(path)
    except BlockingIOError:
        raise TockError(
            f"{holder.value} is running on {path.parent}; stop it first{holder.how_to_stop}, "
            f"or choose another folder with {holder.option}"
        ) from None
    except OSError as error:
        raise TockError(
            f"{path} cannot be opened ({error.strerror}); mend its permissions "
            f"or choose another folder with {holder.option}"
        ) from None


def check_database(path: Path) -> None:
    """Read the whole database without the right to write, so that a damaged one stays as it is.

    Raises sqlite3.DatabaseError when it is not sound, BadInputError when it is no regular file.
    """
    # SQLite would wait for ever for the other end of a pipe.
    require_file(path, "database")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    finally:
        connection.close()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def keep_aside(path: Path, why: str = "damaged") -> Path:
    """Rename a database and its journal files, unchanged, to a free name that says why; return the new path."""
    aside = free_name(path, why)
    for suffix in _COMPANIONS:
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def free_name(path: Path, why: str) -> Path:
    """A name that says why a database is kept aside, and that neither a database nor a journal of one has yet."""
    number = 1
    while _is_taken(aside := path.with_name(f"{path.stem}.{why}-{number}{path.suffix}")):
        number += 1
    return aside


def _is_taken(path: Path) -> bool:
    return any(path.with_name(path.name + suffix).exists() for suffix in _COMPANIONS)


def make_private(folder: Path) -> None:
    """Remove the permissions of others on files of earlier versions; files of other owners stay as they are.

    Only the user who runs the companion may read hands, the PIN and pictures of living rooms.
    """
    for pattern in PRIVATE_FILES:
        for path in folder.glob(pattern):
            _restrict(path)
    for name in PRIVATE_FOLDERS:
        inside = folder / name
        # Once the folder itself is closed nothing in it needs a look: a recording has thousands of files.
        if inside.is_dir() and inside.stat().st_mode & OTHERS:
            for path in inside.rglob("*"):
                _restrict(path)
            _restrict(inside)


def _restrict(path: Path) -> None:
    with suppress(OSError):
        mode = path.lstat().st_mode
        if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and mode & OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
