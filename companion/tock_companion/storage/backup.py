"""Copies of the database: made while it is in use, and checked."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path

from tock_companion.errors import TockError
from tock_companion.files import require_file
from tock_companion.storage.daily_copies import PREFIX, daily_copies, give_number, number_of
from tock_companion.storage.disk_space import has_room
from tock_companion.storage.files import check_database

DAY_S = 86_400
"""A clock without a battery may be set by as much in an evening."""


def back_up(
    database: Path, target: Path, number: int = 0, change: Callable[[sqlite3.Connection], None] | None = None
) -> Path:
    """Copy a database that may be in use; the target appears complete or not at all. Raises TockError.

    `number` is that of a daily copy; `change` deletes rows in the copy, of which nothing stays in the file.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        require_file(database, "database")
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        copy = sqlite3.connect(part)
        try:
            source.backup(copy)
            # One file, without a journal beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
            give_number(copy, number)
            if change is not None:
                change(copy)
                copy.commit()
                copy.execute("VACUUM")
        finally:
            copy.close()
            source.close()
        check_database(part)
        to_disk(part)
        part.replace(target)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink()
        raise TockError(
            f"{database} could not be copied to {target} ({error}); free space or choose another folder"
        ) from None
    return target


def free_copy(folder: Path, release: str) -> Path:
    """A free name for the copy of a database before a release changes it."""
    target, number = folder / f"before-{release}.sqlite", 1
    while target.exists():
        number += 1
        target = folder / f"before-{release}-{number}.sqlite"
    return target


def daily_backup(database: Path, folder: Path, keep: int, today: date) -> Path | None:
    """Make today's copy unless it is the newest, and keep the newest `keep`; return the new one."""
    target, copies = folder / f"{PREFIX}{today.isoformat()}.sqlite", daily_copies(folder)
    if copies[:1] == [target] or not database.exists():
        return None
    size_bytes = database.stat().st_size
    if not has_room(folder if folder.is_dir() else database.parent, size_bytes):
        raise TockError(
            f"there is no room for today's copy of {database}; free space, what is left is for the game"
        )
    back_up(database, target, 1 + max(map(number_of, copies), default=0))
    for old in daily_copies(folder)[keep:]:
        old.unlink(missing_ok=True)
    return target


def to_disk(path: Path) -> None:
    """Wait until a file that was written is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def prune(folder: Path, limit_mb: int, now_s: float) -> list[Path]:
    """Delete the oldest files under a folder until the rest fits into `limit_mb`; return the deleted ones.

    Files from the future go first: a clock that was wrong once would keep them for ever.
    """
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    sizes = {path: path.stat() for path in files}
    total = sum(stat.st_size for stat in sizes.values())
    gone = []
    for path in sorted(
        files, key=lambda path: (sizes[path].st_mtime <= now_s + DAY_S, sizes[path].st_mtime, path)
    ):
        if total <= limit_mb * 1_000_000:
            break
        path.unlink(missing_ok=True)
        total -= sizes[path].st_size
        gone.append(path)
    return gone
