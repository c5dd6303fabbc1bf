"""Frames of the link: messages to bytes and back; noise, half frames and floods cost one bad frame each.

Layout: docs/protocol.md. COBS after S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", 1999.
"""

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import astuple, dataclass

from tock_companion.sources.reed.protocol import MESSAGES, PAYLOAD_MAX, Message

CRC_START = 0xFFFF
OVERHEAD = 4
"""Bytes of type, frame number and checksum."""
MAX_BODY_BYTES = PAYLOAD_MAX + OVERHEAD + 1
"""Bytes between two zeros that can be a frame."""
COBS_GROUP = 254


def crc16(data: bytes) -> int:
    """The CRC-16/IBM-3740 of some bytes."""
    return crc_hqx(data, CRC_START)


def cobs_encode(data: bytes) -> bytes:
    """Encode bytes so that none of them is zero."""
    coded = bytearray()
    for part in data.split(b"\0"):
        group = part
        while len(group) >= COBS_GROUP:
            coded += b"\xff" + group[:COBS_GROUP]
            group = group[COBS_GROUP:]
        coded += bytes([len(group) + 1]) + group
    return bytes(coded)


def cobs_decode(data: bytes) -> bytes | None:
    """Undo `cobs_encode`; None for bytes that no encoder makes."""
    plain = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        group = data[at + 1 : at + code]
        if code == 0 or len(group) != code - 1 or 0 in group:
            return None
        plain += group
        at += code
        if code <= COBS_GROUP and at < len(data):
            plain.append(0)
    return bytes(plain)


def encode(message: Message, seq: int) -> bytes:
    """Put a message into a frame, between its zeros."""
    values = list(astuple(message))
    tail = values.pop() if message.TAIL_MAX else b""
    body = bytes([message.TYPE, seq & 0xFF]) + message.LAYOUT.pack(*values) + tail
    return b"\0" + cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0"


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame whose checksum is right; `message` is None for a type that this version does not know."""

    seq: int
    message: Message | None


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two zeros that do not form a frame."""

    why: str


def decode(body: bytes) -> Frame | BadFrame:
    """Decode the bytes between two delimiters."""
    plain = cobs_decode(body)
    if plain is None:
        return BadFrame("stuffing")
    if not OVERHEAD <= len(plain) <= PAYLOAD_MAX + OVERHEAD:
        return BadFrame("length")
    if crc16(plain[:-2]) != int.from_bytes(plain[-2:], "little"):
        return BadFrame("checksum")
    known, payload = MESSAGES.get(plain[0]), plain[2:-2]
    if known is None:
        return Frame(plain[1], None)
    if len(payload) < known.LAYOUT.size:
        return BadFrame("too short for its type")
    values: list[int | bytes] = list(known.LAYOUT.unpack_from(payload))
    if known.TAIL_MAX:
        values.append(payload[known.LAYOUT.size : known.LAYOUT.size + known.TAIL_MAX])
    return Frame(plain[1], known(*values))  # type: ignore[arg-type]


class FrameReader:
    """Cuts a stream of bytes into frames, however the bytes are bundled."""

    def __init__(self) -> None:
        self._body = bytearray()
        self._flooded = False

    def feed(self, data: bytes) -> Iterator[Frame | BadFrame]:
        """Take bytes in and yield the frames that they complete."""
        for number, part in enumerate(data.split(b"\0")):
            if number:
                yield from self._end()
            if not self._flooded:
                self._body += part[: MAX_BODY_BYTES + 1]
                self._flooded = len(self._body) > MAX_BODY_BYTES

    def _end(self) -> Iterator[Frame | BadFrame]:
        body, flooded = bytes(self._body), self._flooded
        self._body.clear()
        self._flooded = False
        if flooded:
            yield BadFrame("too long")
        elif body:
            yield decode(body)
