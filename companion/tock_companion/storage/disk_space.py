"""Room on the disk for the log of the game: pictures, recordings and copies are written only while there is plenty,
and expendable data is deleted before the log suffers.
"""

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tock_companion.operating_system import BINARY, reserve_bytes
from tock_companion.storage.daily_copies import daily_copies
from tock_companion.storage.files import BACKUPS

LOG = logging.getLogger(__name__)
RESERVE_NAME = ".reserve"
"""Reserves space that no other program gets, for as long as the disk has plenty."""
RESERVE_BYTES = 512 * 1024
"""Some thousand events."""
RESERVE_SHARE = 16
"""The reserve takes at most this fraction of a small disk, and nothing where that would be useless."""
USEFUL_BYTES = 64 * 1024
PLENTY_BYTES = 20_000_000
PLENTY_SHARE = 8
"""On a small disk this fraction is plenty."""
FULL_BYTES = 64 * 1024
"""With less than this left, even the files that SQLite needs to open a database do not fit."""
RETRY_S = 60.0


def has_room(folder: Path, wanted_bytes: int = 0) -> bool:
    """Whether expendable data of this size fits on a disk; true where that is not known."""
    try:
        disk = shutil.disk_usage(folder)
    except OSError:
        return True
    return disk.free >= wanted_bytes + min(PLENTY_BYTES, disk.total // PLENTY_SHARE)


class Room:
    """The room that can be made on the disk of a data folder."""

    def __init__(self, folder: Path, backups: Path | None = None) -> None:
        self._folder = folder
        self._reserve = folder / RESERVE_NAME
        self.backups = backups or folder / BACKUPS
        """The folder of the daily copies."""
        self.delete_pictures: Callable[[], None] = lambda: None
        """Deletes expendable rows of the database itself."""
        self._reserve_at_s = 0.0

    def is_full(self) -> bool:
        """Whether next to nothing is left."""
        try:
            return shutil.disk_usage(self._folder).free < FULL_BYTES
        except OSError:
            return False

    def could_have(self, wanted_bytes: int) -> bool:
        """Whether this much would be free if all of `freed` were deleted; true where that is not known."""
        try:
            free = shutil.disk_usage(self._folder).free
            spared = [self._reserve, *(copy for copy in daily_copies(self.backups) if self._is_here(copy))]
            sizes = [path.stat().st_size for path in spared if path.exists()]
        except OSError:
            return True
        return free + sum(sizes) >= wanted_bytes

    def keep_reserve(self) -> None:
        """Take the reserve, if it is not there and the disk has plenty."""
        if time.monotonic() < self._reserve_at_s:
            return
        self._reserve_at_s = time.monotonic() + RETRY_S
        try:
            size = min(RESERVE_BYTES, shutil.disk_usage(self._folder).total // RESERVE_SHARE)
            if self._reserve.exists() or size < USEFUL_BYTES or not has_room(self._folder, size):
                return
            descriptor = os.open(self._reserve, os.O_WRONLY | os.O_CREAT | BINARY, 0o600)
            try:
                reserve_bytes(descriptor, size)
            finally:
                os.close(descriptor)
        except OSError:
            with suppress(OSError):
                self._reserve.unlink()

    def freed(self) -> Iterator[str]:
        """Delete one thing after the other, naming each, until the caller has room enough.

        Deleting pictures takes some room, too: the reserve's. The newest copy of the games goes last.
        """
        self._reserve_at_s = time.monotonic() + RETRY_S
        self._deleted(self._reserve)
        self.delete_pictures()
        yield "the reserve and the pictures of moves"
        for copy in reversed(daily_copies(self.backups)):
            if self._is_here(copy) and self._deleted(copy):
                yield f"the copy {copy.name}"

    def _is_here(self, copy: Path) -> bool:
        """Whether a copy lies on the same disk."""
        with suppress(OSError):
            return copy.stat().st_dev == self._folder.stat().st_dev
        return False

    def _deleted(self, path: Path) -> bool:
        with suppress(OSError):
            path.unlink()
            return True
        return False
