"""Housekeeping beside the game: a daily copy of the games, room on the disk, unused memory returned to the system.

glibc gives every thread its own heap, and raises the size from which it maps memory separately as memory is freed.
Frames then end up between small, long-lived objects, and the heaps of a process that runs for weeks never shrink
(mallopt(3)). Two settings before the first thread starts prevent that.
"""

import ctypes
import gc
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from tock_app.config.load import Config
from tock_companion.background import Background, Backoff
from tock_companion.storage.backup import daily_backup, prune
from tock_companion.storage.files import BACKUPS, DATABASE_NAME
from tock_companion.storage.sweeping import Places, Sweep

LOG = logging.getLogger(__name__)
LOOK_EVERY_S = 60.0
MAX_PAUSE_S = 600.0
"""Between two tries of a copy that fails."""
RECORDINGS = "recordings"
"""Folder of recordings in the data folder."""
HEAPS = 2
MAPPED_FROM_BYTES = 256 * 1024
"""Frames and the arrays made of them are larger, long-lived objects are smaller."""
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8


def limit_heaps() -> bool:
    """Set how the C library uses memory; False where it is not glibc. Call it before threads start."""
    mallopt = _of_c_library("mallopt")
    return mallopt is not None and bool(
        mallopt(_M_ARENA_MAX, HEAPS) and mallopt(_M_MMAP_THRESHOLD, MAPPED_FROM_BYTES)
    )


def release_freed_memory() -> None:
    """Collect reference cycles, and give freed memory back where the C library can (malloc_trim(3))."""
    gc.collect()
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def _of_c_library(name: str) -> Any | None:
    """A function of glibc; None where another C library is in its place."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


class Upkeep:
    """Does the work that is due, every minute, on its own thread."""

    def __init__(
        self, config: Config, delete_old_pictures: Callable[[int, datetime], int] = lambda _days, _now: 0
    ) -> None:
        self._config, self._delete_old_pictures = config, delete_old_pictures
        self._looked_on: date | None = None
        folders = {config.data / BACKUPS, *([config.backup.folder] if config.backup is not None else [])}
        places = Places(config.data, tuple(sorted(folders)), config.data / RECORDINGS)
        self._sweep = Sweep(places, config.pictures_days)
        self._loop = Background(
            "upkeep",
            "makes the daily copy of the games, keeps room for recordings, makes deletions in copies",
            self._step,
            backoff=Backoff(int(LOOK_EVERY_S * 1000), int(MAX_PAUSE_S * 1000)),
        )

    def start(self) -> None:
        """Begin; the first look is at once."""
        self._loop.start()

    def stop(self) -> None:
        """End before the next look."""
        self._loop.stop()

    def do_what_is_due(self, today: date) -> None:
        """Do the due work; raises TockError or OSError for a failed part, after the rest."""
        backup, now = self._config.backup, datetime.combine(today, datetime.min.time(), UTC)
        try:
            if self._looked_on != today:
                self._delete_old_pictures(self._config.pictures_days, now)
                self._looked_on = today
            if backup is not None:
                made = daily_backup(self._config.data / DATABASE_NAME, backup.folder, backup.keep, today)
                if made is not None:
                    LOG.info("the games are copied to %s", made)
            self._sweep.run(now)
        finally:
            gone = prune(self._config.data / RECORDINGS, self._config.recordings_mb, time.time())
            if gone:
                LOG.info("%d old files of recordings were deleted to make room", len(gone))

    def _step(self) -> float:
        release_freed_memory()
        self.do_what_is_due(date.today())
        return LOOK_EVERY_S
