"""Finds cards, positions and names in bytes, however written: plain, in base64, compressed, in hex or UTF-16."""

import base64
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from tock_companion.boardfile import HoleKind, hole_ids
from tock_companion.rules import pack

HEAD_BYTES = 3
"""Bytes by which a place is known that may hold something."""
SHORTEST = 6
"""Shorter texts turn up in sealed bytes by chance."""
COMPRESSED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
MAX_BYTES = 1_000_000
BLOCK = 1 << 17
TRIED_BYTES = 200
"""Enough to see that something is not compressed."""
MIN_UNPACKED = 16
ZONES = 4
WORDS = (
    '"holes":', '"to_move"', '"last_move"', '"legal_moves"', '"your_turn"', '"sentence"', '"history"', '"hand":{',
    '"cards":[', '"helping"', '"captures"', '"planned"', '"guidance"', '"kind":"play_card"', '"call":{', '"answer":{',
    '"board":{', '"facts":[', '"move_accepted"', '"card_played"', '"seat":"P', '"names":{', '"view":{', '"text":"P',
)  # fmt: skip
"""Fields of views, calls and facts: whoever sees one sees a message."""
PIECES = 60
"""Places after a message's start where compressed bytes without a head may begin: those of every envelope around it."""


@cache
def texts() -> Mapping[str, str]:
    """The texts that nobody between two homes may see, with what each is; names come besides."""
    cards = [str(card) for card in pack(1, True)]
    found = dict.fromkeys(WORDS, "message")
    found |= {f'"card":"{card}"': "card" for card in cards}
    found |= {f'"{one}","{other}"': "card" for one in cards for other in cards}
    holes = hole_ids(ZONES)
    seats = [f"P{seat}" for seat in range(ZONES)]
    found |= {f'"{hole}":"{seat}"': "position" for hole in holes for seat in seats}
    begun = [hole for hole in holes if hole.kind is HoleKind.TRACK]
    found |= {f"{seat}:{hole}>T": "position" for seat in seats for hole in begun}
    return found


class Crawler:
    """Looks for texts; made once for many bytes."""

    def __init__(self, names: Sequence[str]) -> None:
        """`names` are those of people, at least six letters each."""
        wanted = {**texts(), **dict.fromkeys(names, "name")}
        assert min(map(len, wanted)) >= SHORTEST, min(wanted, key=len)
        self._by_head: dict[int, list[tuple[bytes, str, str]]] = defaultdict(list)
        for text, what in wanted.items():
            for form, written in forms(text):
                self._by_head[_head(written)].append((written, what, form))
        self._may_begin = np.zeros(1 << (8 * HEAD_BYTES), bool)
        self._may_begin[list(self._by_head)] = True

    def find(self, data: bytes) -> Counter[tuple[str, str]]:
        """The number of finds by what they are and how they are written."""
        found = self._plain(data)
        for unpacked in _unpacked(data):
            found.update({(what, "compressed"): n for (what, _), n in self._plain(unpacked).items()})
        return found

    def find_bare(self, message: bytes) -> Counter[tuple[str, str]]:
        """The same for one message that may be compressed without a head, as WebSockets do."""
        found: Counter[tuple[str, str]] = Counter()
        for start in range(min(PIECES, len(message))):
            unpacked = _inflated(message[start:], -zlib.MAX_WBITS)
            if len(unpacked) >= MIN_UNPACKED:
                found.update({(what, "deflated"): n for (what, _), n in self._plain(unpacked).items()})
        return found

    def _plain(self, data: bytes) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        for begin in range(0, max(0, len(data) - HEAD_BYTES + 1), BLOCK):
            for place in self._places(data, begin):
                for written, what, form in self._by_head[_head(data[place : place + HEAD_BYTES])]:
                    if data.startswith(written, place):
                        found[what, form] += 1
        return found

    def _places(self, data: bytes, begin: int) -> list[int]:
        """The places of a block that begin like something."""
        each = np.frombuffer(data[begin : begin + BLOCK + HEAD_BYTES - 1], np.uint8).astype(np.uint32)
        heads = each[:-2] << 16
        heads |= each[1:-1] << 8
        heads |= each[2:]
        return [begin + int(place) for place in np.flatnonzero(self._may_begin[heads])]


def forms(text: str) -> Iterator[tuple[str, bytes]]:
    """The ways in which a text may be written, and its bytes."""
    data = text.encode()
    yield "plain", data
    escaped = text.encode("ascii", "backslashreplace")
    if escaped != data:
        yield "plain", re.sub(rb"\\x(..)", rb"\\u00\1", escaped)
    for start in range(3):
        whole = base64.b64encode(bytes(start) + data)
        # The first and the last letters depend on what stands beside.
        inside = whole[(0, 2, 3)[start] : (start + len(data)) * 8 // 6]
        yield from (("base64", one) for one in {inside, inside.translate(bytes.maketrans(b"+/", b"-_"))})
    yield "hex", data.hex().encode()
    yield "hex", data.hex().upper().encode()
    for order in ("le", "be"):
        yield "utf-16", text.encode(f"utf-16-{order}")


def planted() -> Mapping[str, Callable[[bytes], bytes]]:
    """The ways to hide a leak that a crawl must find."""
    return {
        "plain": bytes,
        "base64": base64.b64encode,
        "base64, one later": lambda data: base64.b64encode(b"x" + data),
        "base64, two later": lambda data: base64.b64encode(b"xy" + data),
        "base64url": base64.urlsafe_b64encode,
        "gzip": lambda data: _deflated(data, zlib.MAX_WBITS | 16),
        "zlib": lambda data: _deflated(data, zlib.MAX_WBITS),
        "hex": lambda data: data.hex().encode(),
        "utf-16": lambda data: data.decode().encode("utf-16"),
    }


def _deflated(data: bytes, bits: int) -> bytes:
    packer = zlib.compressobj(wbits=bits)
    return packer.compress(data) + packer.flush()


def _head(data: bytes) -> int:
    return int.from_bytes(data[:HEAD_BYTES], "big")


def _unpacked(data: bytes) -> Iterator[bytes]:
    for match in COMPRESSED.finditer(data):
        start = match.start()
        if len(_inflated(data[start : start + TRIED_BYTES], zlib.MAX_WBITS | 32)) >= MIN_UNPACKED:
            yield _inflated(data[start : start + MAX_BYTES], zlib.MAX_WBITS | 32)


def _inflated(data: bytes, bits: int) -> bytes:
    """As much as can be unpacked, also of what breaks off."""
    unpacker, found = zlib.decompressobj(bits), b""
    try:
        for start in range(0, min(len(data), MAX_BYTES), 64):
            found += unpacker.decompress(data[start : start + 64], MAX_BYTES)
            if unpacker.eof or len(found) > MAX_BYTES:
                break
    except zlib.error:
        pass
    return found
