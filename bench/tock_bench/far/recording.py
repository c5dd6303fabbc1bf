"""The bytes of many connections at several places, taken out and crawled now and then."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from tock_bench.far.crawler import Crawler

OVERLAP = 400
"""Bytes of a stream that are crawled again with those that follow: what stands across a seam is found too."""
BARE_EVERY = 20
"""Of as many messages, one is also tried as one that is compressed without a head."""


class _Stream:
    """One way of one connection."""

    def __init__(self) -> None:
        self.tail = b""
        self.parts: list[bytes] = []


class Recording:
    """Records at places with names."""

    def __init__(self) -> None:
        self._streams: dict[str, list[_Stream]] = {}
        self._lock = Lock()
        self.bytes_at: Counter[str] = Counter()

    def of(self, place: str) -> Callable[[], Callable[[bytes], None]]:
        """Make recorders of connections at a place."""

        def made() -> Callable[[bytes], None]:
            stream = _Stream()
            with self._lock:
                self._streams.setdefault(place, []).append(stream)
            return stream.parts.append

        return made

    def crawl(self, crawler: Crawler) -> Counter[tuple[str, str, str]]:
        """Look through all that came since last time: the finds by place, what they are, and how written."""
        found: Counter[tuple[str, str, str]] = Counter()
        with self._lock:
            places = {place: list(streams) for place, streams in self._streams.items()}
        for place, streams in places.items():
            for stream in streams:
                parts = stream.parts[:]
                del stream.parts[: len(parts)]
                data = stream.tail + b"".join(parts)
                self.bytes_at[place] += len(data) - len(stream.tail)
                stream.tail = data[-OVERLAP:]
                finds = crawler.find(data)
                for part in parts[::BARE_EVERY]:
                    finds += crawler.find_bare(part)
                found.update({(place, *find): count for find, count in finds.items()})
        return found


def crawled_files(crawler: Crawler, place: str, folder: Path) -> tuple[int, Counter[tuple[str, str, str]]]:
    """Look through the files below a folder: their bytes, and the finds."""
    found: Counter[tuple[str, str, str]] = Counter()
    read = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            read += len(data)
            found.update({(place, *find): count for find, count in crawler.find(data).items()})
    return read, found
