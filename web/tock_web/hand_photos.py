"""Hands read from photos, one at a time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from tock_companion.core.fields import MAX_CARDS
from tock_companion.errors import BadInputError
from tock_web.services import ReadPhoto

AT_ONCE = 3
"""Photos in progress: one is read, the others wait. A large one takes 200 MB for a moment."""
PATIENCE_S = 30.0
Reading = dict[str, object]


class NoHandError(Exception):
    """A photo from which no hand was read; `code` says why."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


class HandPhotos:
    """Photos waiting to be read."""

    def __init__(self, read: ReadPhoto) -> None:
        self._read = read
        self._places = BoundedSemaphore(AT_ONCE)
        # One thread for all photos: each thread that reads one loads the networks for itself.
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="photos")

    def readings(self, picture: bytes) -> tuple[Sequence[Reading], int]:
        """The surest readings and the number of cards that cannot be read; raises NoHandError."""
        if not self._places.acquire(blocking=False):
            raise NoHandError(503, "photo/busy")
        try:
            readings = self._reader.submit(self._read, picture).result(PATIENCE_S)
        except BadInputError:
            raise NoHandError(422, "photo/unreadable") from None
        finally:
            self._places.release()
        named = [reading for reading in readings if reading["likely"]]
        if not named:
            raise NoHandError(422, "photo/nothing")
        surest = sorted(named, key=lambda reading: -float(str(reading["confidence"])))[:MAX_CARDS]
        return [reading for reading in named if reading in surest], len(readings) - len(named)
