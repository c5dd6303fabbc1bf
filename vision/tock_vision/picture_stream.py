"""Cutting a camera's stream into its pictures, by the bytes in which each begins and ends.

Cameras name their parts, sizes and delimiters wrongly, and browsers show them all the same: nothing of that is heeded.
"""

import re
from collections.abc import Iterator

from tock_vision.grabbers import GrabError
from tock_vision.picture_headers import JPEG_ENDS, PNG_BEGINS, PNG_ENDS, header_of

MAX_PICTURE_BYTES = 8_000_000
MAX_HEADER_BYTES = 1_000_000
"""A JPEG whose pixels begin later is torn: the next one may be whole."""
MAX_DELIMITER_BYTES = 2_000
JPEG_BEGINS_A_SEGMENT = b"\xff\xd8\xff"
_BEGINS = re.compile(re.escape(JPEG_BEGINS_A_SEGMENT) + b"|" + re.escape(PNG_BEGINS))


class PictureCutter:
    """Takes the bytes of a stream and gives its pictures, each as soon as its end is there."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._looked = 0
        """Bytes of the picture that have no end in them."""
        self._passed = 0
        """Bytes since the last picture that belong to none."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take in further bytes; raises GrabError where no picture begins, or one does not end."""
        self._held += data
        while (picture := self._next()) is not None:
            yield picture
        if self._passed + len(self._held) > MAX_PICTURE_BYTES:
            raise GrabError("camera/no_pictures", "a picture of the stream has no end; is the address right?")

    def rest(self) -> bytes:
        """The beginning of a picture that has not ended."""
        return bytes(self._held)

    def _next(self) -> bytes | None:
        begins = _BEGINS.search(self._held)
        if begins is None:
            self._passed += max(0, len(self._held) - MAX_DELIMITER_BYTES)
            self._drop(max(0, len(self._held) - MAX_DELIMITER_BYTES))
            return None
        if begins.start():
            self._drop(begins.start())
        if self._held.startswith(PNG_BEGINS):
            end = self._held.find(PNG_ENDS, self._looked)
            return self._cut(end + len(PNG_ENDS)) if end >= 0 else self._unended()
        header = header_of(self._held)
        if header is None:
            if len(self._held) <= MAX_HEADER_BYTES:
                return None
            self._drop(len(JPEG_BEGINS_A_SEGMENT))
            return self._next()
        return self._jpeg(header.data_at)

    def _jpeg(self, data_at: int) -> bytes | None:
        """A JPEG up to its end or, as some cameras leave that out, up to the next picture."""
        begin = max(self._looked, data_at)
        end = self._held.find(JPEG_ENDS, begin)
        following = self._held.find(JPEG_BEGINS_A_SEGMENT, begin, None if end < 0 else end)
        if following >= 0:
            near = max(data_at, following - MAX_DELIMITER_BYTES)
            places = (self._held.rfind(delimiter, near, following) for delimiter in (b"\r\n--", b"--"))
            return self._cut(next((place for place in places if place >= 0), following))
        return self._cut(end + len(JPEG_ENDS)) if end >= 0 else self._unended()

    def _unended(self) -> bytes | None:
        # An end may have arrived but for its last bytes.
        self._looked = max(0, len(self._held) - len(PNG_ENDS))
        return None

    def _cut(self, end: int) -> bytes:
        picture = bytes(self._held[:end])
        self._drop(end)
        self._passed = 0
        return picture

    def _drop(self, count: int) -> None:
        del self._held[:count]
        self._looked = 0
