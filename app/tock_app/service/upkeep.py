"""Housekeeping beside the game: a daily copy of the games, room on the disk, unused memory returned to the system.

glibc gives every thread a heap of its own, and raises the size from which it maps memory separately as memory is freed.
Frames then lie between small objects that stay, and the heaps of a process that runs for weeks can never shrink
(mallopt(3)). Two settings before the first thread starts prevent that.

Python's collector goes through its oldest objects only once a quarter as many new ones have outlived two looks. Until
then a request that failed is kept by its traceback, with the photo it brought. A program that has started holds more
than 100,000 objects for good; set apart (gc.freeze), they delay no look and cost none.
"""

import ctypes
import gc
import logging
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from tock_app.config.load import Config
from tock_companion.background import Background, Backoff
from tock_companion.storage.backup import daily_backup, prune
from tock_companion.storage.files import DATABASE_NAME

LOG = logging.getLogger(__name__)
LOOK_EVERY_S = 60.0
MAX_PAUSE_S = 600.0
"""Between two tries of a copy that fails."""
RECORDINGS = "recordings"
"""Folder of recordings in the data folder."""
HEAPS = 2
MAPPED_FROM_BYTES = 256 * 1024
"""Frames and the arrays made of them are larger, everything that stays is smaller."""
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
UNMAP_EVERY = 10
"""Looks; the first time is a minute after the start."""
_MADV_DONTNEED = 4
_LIBRARY_PART = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ \d+ +/[^\n]*\.so[.\d]*\n(?:\w+: .*\n)*?Anonymous: +0 kB$",
    re.MULTILINE,
)
"""Begin and end of a part of a library that may be read or run and not written, and in which nothing was written.

Libraries stay for good; where another file was, another thread may have put something else before it is given back.
"""
MAPS = Path("/proc/self/smaps")


def limit_heaps() -> bool:
    """Set how the C library uses memory; False where it is not glibc. Call it before threads start."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    return bool(mallopt(_M_ARENA_MAX, HEAPS) and mallopt(_M_MMAP_THRESHOLD, MAPPED_FROM_BYTES))


def release_freed_memory() -> None:
    """Free what only refers to itself, and give freed memory back where the C library can (malloc_trim(3))."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def unmap_libraries() -> None:
    """Give back the memory of code and constants of libraries, which stand on the disk; does nothing but on Linux."""
    try:
        advise = ctypes.CDLL(None).madvise
        parts = list(library_parts(MAPS.read_text(encoding="utf-8", errors="replace")))
    except (AttributeError, OSError):
        return
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for begin, end in parts:
        advise(begin, end - begin, _MADV_DONTNEED)


def library_parts(maps: str) -> Iterator[tuple[int, int]]:
    """The parts of a process that it can read from files again, by its smaps: none that the loader wrote into."""
    for begin, end in _LIBRARY_PART.findall(maps):
        yield int(begin, 16), int(end, 16)


def set_apart_what_stays() -> None:
    """Tell the collector that all there is stays; call it when a table has started, also one after another."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Upkeep:
    """A thread of its own that looks every minute for work that is due."""

    def __init__(self, config: Config) -> None:
        self._config, self._rounds = config, 0
        self._loop = Background(
            "upkeep",
            "makes the daily copy of the games and keeps room for recordings",
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
        """Do the work that is due; raises TockError or OSError for a failed part, after everything else is done."""
        backup = self._config.backup
        try:
            if backup is not None:
                made = daily_backup(self._config.data / DATABASE_NAME, backup.folder, backup.keep, today)
                if made is not None:
                    LOG.info("the games are copied to %s", made)
        finally:
            gone = prune(self._config.data / RECORDINGS, self._config.recordings_mb)
            if gone:
                LOG.info("%d old files of recordings were deleted to make room", len(gone))

    def _step(self) -> float:
        release_freed_memory()
        if self._rounds % UNMAP_EVERY == 1:
            unmap_libraries()
        self._rounds += 1
        self.do_what_is_due(date.today())
        return LOOK_EVERY_S
